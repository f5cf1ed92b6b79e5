package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

const (
	openReportsVersion = "openreports.io/v1alpha1"
	openReportsName    = "downscaler-compliance"
	openReportsClass   = "annotation guard" // the category of every result

	// openReportsSize is how many bytes of results a report has at most. kubectl apply keeps what it applied in an annotation, all annotations of an
	// object may have 256 KiB (k8s.io/apimachinery/pkg/api/validation, TotalAnnotationSizeLimitB), and etcd takes 1.5 MiB an object.
	openReportsSize = 192 << 10
)

// openReportsLabel is on every report, so that those of an earlier run can be found.
var openReportsLabel = map[string]string{"app.kubernetes.io/managed-by": toolName}

// The parts of openreports.io/v1alpha1 that findings need (https://github.com/openreports/reports-api).
type (
	openReportsList struct {
		APIVersion string        `json:"apiVersion"`
		Kind       string        `json:"kind"`
		Items      []*openReport `json:"items"`
	}
	openReport struct {
		APIVersion string             `json:"apiVersion"`
		Kind       string             `json:"kind"`
		Metadata   openReportMeta     `json:"metadata"`
		Source     string             `json:"source"`
		Summary    openReportSummary  `json:"summary"`
		Results    []openReportResult `json:"results"`

		size int // of the results, in bytes
	}
	openReportMeta struct {
		Name      string            `json:"name"`
		Namespace string            `json:"namespace,omitempty"`
		Labels    map[string]string `json:"labels"`
	}
	openReportSummary struct {
		Pass  int `json:"pass"`
		Fail  int `json:"fail"`
		Warn  int `json:"warn"`
		Error int `json:"error"`
		Skip  int `json:"skip"`
	}
	openReportResult struct {
		Source     string                `json:"source"`
		Policy     string                `json:"policy"`
		Category   string                `json:"category"`
		Severity   string                `json:"severity,omitempty"`
		Result     string                `json:"result"`
		Scored     bool                  `json:"scored"`
		Resources  []openReportReference `json:"resources,omitempty"`
		Message    string                `json:"message"`
		Properties map[string]string     `json:"properties,omitempty"`
	}
	openReportReference struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace,omitempty"`
		Name      string `json:"name,omitempty"`
		FieldPath string `json:"fieldPath,omitempty"`
	}
)

// openReports are the reports by their namespace, which is "" for ClusterReports: further ones where one would become too large.
type openReports map[string][]*openReport

// auditOpenReports writes findings as a List that kubectl can apply where the CRDs of OpenReports are: Reports for each namespace that
// has findings about its objects, and ClusterReports with all else, among that what was not looked at as errors. A finding fails
// from FailOn on and warns below it, is skipped where a baseline knows it, and a rule that found nothing passes if it could be judged. There is no timestamp.
// What is not visible is written out, since kubectl fails on a list that has control characters in it.
func auditOpenReports(report *audit.Report, options Options) ([]byte, error) {
	suffix := scopeSuffix(report.Scope)
	all := openReports{"": {newOpenReport(suffix, "", 1)}}
	add := func(namespace string, result openReportResult) { all.add(suffix, namespace, result) }
	for _, f := range report.Findings {
		word := "warn"
		if fails(f, options) {
			word = "fail"
		}
		add(f.Subject.Namespace, openReportResultOf(f, word))
	}
	if report.Baseline != nil {
		for _, f := range report.Baseline.Known {
			add(f.Subject.Namespace, openReportResultOf(f, "skip"))
		}
	}
	for _, rule := range report.Rules {
		if !finds(report, rule.ID) {
			add("", openReportOfSilent(report, rule))
		}
	}
	for _, id := range report.SkippedRules {
		add("", openReportResult{Policy: escape(id), Result: "skip", Message: "The rule was not applied."})
	}
	for _, gap := range report.Incomplete {
		add("", openReportResult{Policy: "incomplete", Result: "error", Message: escape(gap.What + ": " + gap.Why)})
	}
	list := openReportsList{APIVersion: "v1", Kind: "List"}
	for _, namespace := range slices.Sorted(maps.Keys(all)) {
		list.Items = append(list.Items, all[namespace]...)
	}
	return printYAML(&list, Options{})
}

// scopeSuffix tells the reports of a part of the state from those of all of it, so that they don't replace each other. A namespace is a name
// already; a selector may have any length, and a hash stands for it.
func scopeSuffix(scope audit.Scope) string {
	var suffix string
	if scope.Namespace != "" {
		suffix = ".in." + scope.Namespace
	}
	if scope.Selector != "" {
		sum := sha256.Sum256([]byte(scope.Selector))
		suffix += ".with." + hex.EncodeToString(sum[:6])
	}
	return suffix
}

// newOpenReport is the first of a namespace, or a further one.
func newOpenReport(suffix, namespace string, number int) *openReport {
	kind, name := "Report", openReportsName
	if namespace == "" {
		kind = "ClusterReport"
	}
	if number > 1 {
		name = fmt.Sprintf("%s-%d", name, number)
	}
	return &openReport{
		APIVersion: openReportsVersion, Kind: kind, Source: toolName, Results: []openReportResult{},
		Metadata: openReportMeta{Name: name + suffix, Namespace: namespace, Labels: openReportsLabel},
	}
}

func (all openReports) add(suffix, namespace string, result openReportResult) {
	result.Source, result.Category = toolName, openReportsClass
	text, err := json.Marshal(result)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	list := all[namespace]
	if last := len(list) - 1; last < 0 || len(list[last].Results) > 0 && list[last].size+len(text) > openReportsSize {
		list = append(list, newOpenReport(suffix, namespace, len(list)+1))
	}
	all[namespace] = list
	r := list[len(list)-1]
	r.size += len(text)
	counters := map[string]*int{"pass": &r.Summary.Pass, "fail": &r.Summary.Fail, "warn": &r.Summary.Warn, "error": &r.Summary.Error, "skip": &r.Summary.Skip}
	*counters[result.Result]++
	r.Results = append(r.Results, result)
}

// openReportOfSilent is what a rule without a finding comes to. Its title says what would be wrong.
func openReportOfSilent(report *audit.Report, rule audit.Rule) openReportResult {
	result := openReportResult{
		Policy: escape(rule.ID), Severity: openReportSeverity(rule.Severity), Result: "pass", Scored: true,
		Message: fmt.Sprintf("There is no finding of the rule %q.", escape(rule.Title)),
	}
	if why := report.Unjudged(rule); why != "" {
		result.Result, result.Scored, result.Message = "skip", false, fmt.Sprintf("The rule %q was %s.", escape(rule.Title), why)
	}
	return result
}

func openReportResultOf(f audit.Finding, word string) openReportResult {
	result := openReportResult{
		Policy: escape(f.ID), Result: word, Scored: word == "fail", Message: escape(f.Message), Severity: openReportSeverity(f.Severity),
		Properties: map[string]string{"fingerprint": f.Fingerprint()},
	}
	if s := f.Subject; s.Kind == audit.ValuesKind {
		result.Properties["values"], result.Properties["field"] = escape(s.Name), escape(s.Field)
	} else {
		result.Resources = []openReportReference{{Kind: escape(s.Kind), Namespace: s.Namespace, Name: escape(s.Name), FieldPath: escape(s.Field)}}
	}
	for key, text := range map[string]string{"remedy": f.Remedy, "evidence": f.Evidence} {
		if text != "" {
			result.Properties[key] = escape(text)
		}
	}
	return result
}

// openReportSeverity is empty for a word that the API does not take.
func openReportSeverity(severity audit.Severity) string {
	if slices.Contains(severities, severity) {
		return string(severity)
	}
	return ""
}
