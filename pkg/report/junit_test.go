package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"testing"
)

// junitElement is what an element of JUnit's XML may have, after the schema of Jenkins' xUnit plugin (junit-10.xsd).
type junitElement struct {
	required, optional, children []string
}

var junitElements = map[string]junitElement{
	"testsuites": {nil, []string{"name", "time", "tests", "failures", "disabled", "errors"}, []string{"testsuite"}},
	"testsuite": {[]string{"name", "tests"}, []string{"failures", "errors", "skipped", "disabled", "time", "timestamp", "hostname", "id", "package"},
		[]string{"properties", "testcase", "system-out", "system-err"}},
	"testcase":   {[]string{"name"}, []string{"assertions", "time", "classname", "status"}, []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"skipped":    {nil, []string{"type", "message"}, nil},
	"error":      {nil, []string{"type", "message"}, nil},
	"failure":    {nil, []string{"type", "message"}, nil},
	"system-out": {},
}

// assertJUnit fails where a document has another form than that, or counts what is not there.
func assertJUnit(t *testing.T, text []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(text))
	var path []string
	counts := []map[string]int{{}} // of the elements within each open one
	attributes := []map[string]string{{}}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			checkJUnit(t, path, token)
			path = append(path, token.Name.Local)
			counts = append(counts, map[string]int{})
			values := map[string]string{}
			for _, a := range token.Attr {
				values[a.Name.Local] = a.Value
			}
			attributes = append(attributes, values)
		case xml.EndElement:
			last := len(path) - 1
			within := counts[last+1]
			for attribute, element := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
				if said, given := attributes[last+1][attribute]; given && said != strconv.Itoa(within[element]) {
					t.Errorf("%s says %s=%s and has %d", path[last], attribute, said, within[element])
				}
			}
			for element, n := range within {
				counts[last][element] += n
			}
			counts[last][token.Name.Local]++
			path, counts, attributes = path[:last], counts[:last+1], attributes[:last+1]
		}
	}
	if counts[0]["testsuites"] != 1 {
		t.Errorf("%d roots", counts[0]["testsuites"])
	}
}

func checkJUnit(t *testing.T, path []string, element xml.StartElement) {
	t.Helper()
	name := element.Name.Local
	allowed, known := junitElements[name]
	inPlace := len(path) == 0 && name == "testsuites"
	if len(path) > 0 {
		inPlace = slices.Contains(junitElements[path[len(path)-1]].children, name)
	}
	if !known || !inPlace {
		t.Errorf("%s in %v", name, path)
	}
	var given []string
	for _, a := range element.Attr {
		given = append(given, a.Name.Local)
		if !slices.Contains(slices.Concat(allowed.required, allowed.optional), a.Name.Local) {
			t.Errorf("%s has an attribute %s", name, a.Name.Local)
		}
	}
	for _, attribute := range allowed.required {
		if !slices.Contains(given, attribute) {
			t.Errorf("%s lacks %s", name, attribute)
		}
	}
}
