package formats

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// What code scanning takes at most
// (https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning).
const (
	mostResults     = 25_000
	mostRules       = 25_000
	mostTags        = 10
	mostDescription = 1024
	mostCompressed  = 10_000_000
)

// asksOfCodeScanning checks the properties that the same page marks as required, which may not be empty either, and the ones by which it ranks.
func asksOfCodeScanning(t *testing.T, log *sarif.Report, text []byte) {
	t.Helper()
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	if _, err := w.Write(text); err != nil || w.Close() != nil || compressed.Len() > mostCompressed {
		t.Errorf("%v: %d bytes compressed", err, compressed.Len())
	}
	run := log.Runs[0]
	if len(run.Results) > mostResults || len(run.Tool.Driver.Rules) > mostRules || given(run.Tool.Driver.Name) == "" {
		t.Errorf("%d results, %d rules of %s", len(run.Results), len(run.Tool.Driver.Rules), given(run.Tool.Driver.Name))
	}
	for _, rule := range run.Tool.Driver.Rules {
		asksOfRule(t, rule)
	}
	fingerprints := map[string]string{}
	for _, result := range run.Results {
		asksOfResult(t, result)
		whole, err := json.Marshal(result.Message)
		if err != nil {
			t.Fatal(err)
		}
		mark := result.PartialFingerprints["primaryLocationLineHash"]
		if other, there := fingerprints[mark]; there && other != string(whole) {
			t.Errorf("%s and %s have one fingerprint", other, whole)
		}
		fingerprints[mark] = string(whole)
	}
}

func asksOfRule(t *testing.T, rule *sarif.ReportingDescriptor) {
	t.Helper()
	short, full, help := rule.ShortDescription, rule.FullDescription, rule.Help
	if given(rule.ID) == "" || short == nil || full == nil || help == nil || given(short.Text) == "" || given(full.Text) == "" || given(help.Text) == "" {
		t.Fatalf("rule %s lacks a description or help", given(rule.ID))
	}
	if len(given(short.Text)) > mostDescription || len(given(full.Text)) > mostDescription || len(rule.Properties.Tags) > mostTags {
		t.Errorf("rule %s says too much: %d, %d, %d", given(rule.ID), len(given(short.Text)), len(given(full.Text)), len(rule.Properties.Tags))
	}
	switch rule.DefaultConfiguration.Level {
	case "note", "warning", "error":
	default:
		t.Errorf("rule %s has the level %q", given(rule.ID), rule.DefaultConfiguration.Level)
	}
	severity, is := rule.Properties.Properties["security-severity"]
	if !is {
		if given(help.Markdown) != "" { // a rule of ours
			t.Errorf("rule %s has no security-severity", given(rule.ID))
		}
		return
	}
	text, is := severity.(string)
	if score, err := strconv.ParseFloat(text, 64); !is || err != nil || score <= 0 || score > 10 {
		t.Errorf("rule %s has the security-severity %v", given(rule.ID), severity)
	}
}

func asksOfResult(t *testing.T, result *sarif.Result) {
	t.Helper()
	if given(result.RuleID) == "" || given(result.Message.Text) == "" || len(result.Locations) != 1 || result.PartialFingerprints["primaryLocationLineHash"] == "" {
		t.Fatalf("result of %s: message, location or fingerprint is missing", given(result.RuleID))
	}
	place := result.Locations[0].PhysicalLocation
	if place == nil || place.ArtifactLocation == nil || given(place.ArtifactLocation.URI) == "" {
		t.Fatalf("result of %s is nowhere", given(result.RuleID))
	}
	r := place.Region
	if r == nil || given(r.StartLine) < 1 || given(r.StartColumn) < 1 || given(r.EndLine) < given(r.StartLine) || given(r.EndColumn) < given(r.StartColumn) {
		t.Errorf("result of %s has no region: %+v", given(result.RuleID), r)
	}
}

// given is what a pointer points to, or nothing.
func given[T any](value *T) (none T) {
	if value == nil {
		return none
	}
	return *value
}
