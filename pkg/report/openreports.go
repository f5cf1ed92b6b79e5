package report

import (
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

const (
	openReportsVersion = "openreports.io/v1alpha1"
	openReportsName    = "downscaler-compliance"
	openReportsClass   = "annotation guard" // the category of every result
)

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
	}
	openReportMeta struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace,omitempty"`
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

// auditOpenReports writes findings as a List that kubectl can apply where the CRDs of OpenReports are: a Report for each namespace that
// has findings about its objects, and a ClusterReport with all else, among that what was not looked at as errors. A finding fails
// from FailOn on and warns below it, is skipped where a baseline knows it, and a rule that found nothing passes. There is no timestamp.
func auditOpenReports(report *audit.Report, options Options) ([]byte, error) {
	byNamespace := map[string]*openReport{"": newOpenReport("")}
	add := func(namespace string, result openReportResult) {
		if byNamespace[namespace] == nil {
			byNamespace[namespace] = newOpenReport(namespace)
		}
		byNamespace[namespace].add(result)
	}
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
			add("", openReportResult{Policy: rule.ID, Severity: string(rule.Severity), Result: "pass", Scored: true, Message: rule.Title + ": not found."})
		}
	}
	for _, id := range report.SkippedRules {
		add("", openReportResult{Policy: id, Result: "skip", Message: "The rule was not applied."})
	}
	for _, gap := range report.Incomplete {
		add("", openReportResult{Policy: "incomplete", Result: "error", Message: gap.What + ": " + gap.Why})
	}
	list := openReportsList{APIVersion: "v1", Kind: "List"}
	for _, namespace := range slices.Sorted(maps.Keys(byNamespace)) {
		list.Items = append(list.Items, byNamespace[namespace])
	}
	return printYAML(&list, Options{})
}

func newOpenReport(namespace string) *openReport {
	kind := "Report"
	if namespace == "" {
		kind = "ClusterReport"
	}
	return &openReport{
		APIVersion: openReportsVersion, Kind: kind, Source: toolName, Results: []openReportResult{},
		Metadata: openReportMeta{Name: openReportsName, Namespace: namespace},
	}
}

func (r *openReport) add(result openReportResult) {
	result.Source, result.Category = toolName, openReportsClass
	counters := map[string]*int{"pass": &r.Summary.Pass, "fail": &r.Summary.Fail, "warn": &r.Summary.Warn, "error": &r.Summary.Error, "skip": &r.Summary.Skip}
	*counters[result.Result]++
	r.Results = append(r.Results, result)
}

func openReportResultOf(f audit.Finding, word string) openReportResult {
	result := openReportResult{
		Policy: f.ID, Result: word, Scored: word == "fail", Message: f.Message, Properties: map[string]string{"fingerprint": f.Fingerprint()},
	}
	if s := f.Subject; s.Kind == audit.ValuesKind {
		result.Properties["values"], result.Properties["field"] = s.Name, s.Field
	} else {
		result.Resources = []openReportReference{{Kind: s.Kind, Namespace: s.Namespace, Name: s.Name, FieldPath: s.Field}}
	}
	if slices.Contains(severities, f.Severity) { // the API takes no other word
		result.Severity = string(f.Severity)
	}
	for key, text := range map[string]string{"remedy": f.Remedy, "evidence": f.Evidence} {
		if text != "" {
			result.Properties[key] = text
		}
	}
	return result
}
