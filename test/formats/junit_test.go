package formats

import (
	"bytes"
	"encoding/xml"
	"testing"

	"github.com/joshdk/go-junit"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
)

// counts are the attributes by which a report says what is in it.
type counts struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
}

// JUnit has no official schema. pkg/report holds the reports against the one of Jenkins' plugin; here a reader that other programs use
// counts what it finds.
func TestJUnit(t *testing.T) {
	texts := map[string][]byte{"golden audit": golden(t, "audit-junit.xml"), "golden simulation": golden(t, "simulation-junit.xml")}
	for name, r := range audits() {
		texts["audit, "+name] = printed(t, report.Audit, "junit", r)
	}
	for name, r := range simulations() {
		texts["simulation, "+name] = printed(t, report.Simulation, "junit", r)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) { readsAsJUnit(t, text) })
	}
}

func readsAsJUnit(t *testing.T, text []byte) {
	t.Helper()
	suites, err := junit.IngestReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		XMLName xml.Name `xml:"testsuites"`
		counts
		Suites []counts `xml:"testsuite"`
	}
	if err := xml.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	if len(suites) != len(said.Suites) {
		t.Fatalf("%d suites are read and %d are there", len(suites), len(said.Suites))
	}
	all := counts{Name: said.Name}
	for i, suite := range suites {
		got := counts{Name: suite.Name, Tests: suite.Totals.Tests, Failures: suite.Totals.Failed, Errors: suite.Totals.Error, Skipped: suite.Totals.Skipped}
		if got != said.Suites[i] {
			t.Errorf("read %+v, and it says %+v", got, said.Suites[i])
		}
		all.Tests, all.Failures, all.Errors = all.Tests+got.Tests, all.Failures+got.Failures, all.Errors+got.Errors
		for _, test := range suite.Tests {
			if test.Name == "" || test.Classname == "" || test.Error != nil && test.Error.Error() == "" {
				t.Errorf("%s has a test without a name or a reason: %+v", suite.Name, test)
			}
		}
	}
	if all != said.counts {
		t.Errorf("read %+v, and it says %+v", all, said.counts)
	}
}

// What was found is read as found, in the words that it was written in.
func TestJUnitFindings(t *testing.T) {
	suites, err := junit.Ingest(printed(t, report.Audit, "junit", audits()["many"]))
	if err != nil {
		t.Fatal(err)
	}
	read, failed := 0, 0
	for _, suite := range suites {
		for _, test := range suite.Tests {
			if suite.Name == "invalid-annotation-value" {
				read++
			}
			if test.Status == junit.StatusFailed {
				failed++
			}
		}
	}
	if read != manyFindings || failed != manyFindings*2/5 { // of five severities, critical and high fail
		t.Errorf("%d findings are read, %d of them as failed", read, failed)
	}
}
