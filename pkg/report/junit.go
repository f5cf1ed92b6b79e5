package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// The parts of JUnit's XML that CI systems agree on, as the schema of Jenkins' xUnit plugin has them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Skipped   *junitMessage `xml:"skipped"`
		Error     *junitMessage `xml:"error"`
		Failure   *junitMessage `xml:"failure"`
		Output    string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// newJUnitSuite counts what the cases came to.
func newJUnitSuite(name string, cases []junitCase) junitSuite {
	suite := junitSuite{Name: escape(name), Tests: len(cases), Cases: cases}
	for _, c := range cases {
		switch {
		case c.Skipped != nil:
			suite.Skipped++
		case c.Error != nil:
			suite.Errors++
		case c.Failure != nil:
			suite.Failures++
		}
	}
	return suite
}

// incompleteSuite has an error for everything that was not looked at; there is none where everything was.
func incompleteSuite(gaps []inventory.Gap) []junitSuite {
	if len(gaps) == 0 {
		return nil
	}
	var cases []junitCase
	for i, gap := range gaps {
		if slices.Contains(gaps[:i], gap) {
			continue
		}
		cases = append(cases, junitCase{
			Name: escape(gap.What), ClassName: "incomplete",
			Error: &junitMessage{Message: "not looked at", Text: escape(gap.Why)},
		})
	}
	return []junitSuite{newJUnitSuite("incomplete", cases)}
}

func printJUnit(name string, suites []junitSuite) ([]byte, error) {
	all := junitSuites{Name: name, Suites: suites}
	for _, suite := range suites {
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	encoder := xml.NewEncoder(&b)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return nil, fmt.Errorf("printing JUnit: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
