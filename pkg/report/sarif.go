package report

import (
	"fmt"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/docs/rules"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// What SARIF calls this program.
const (
	toolName = "kubectl-downscaler-compliance"
	toolURI  = "https://github.com/downscaler-compliance/kubectl-downscaler-compliance"
)

// sarifLevels are what SARIF has for severities. Code scanning tells apart what lies between by security-severity.
var sarifLevels = map[audit.Severity]string{
	audit.Critical: "error", audit.High: "error", audit.Medium: "warning", audit.Low: "note", audit.Info: "note",
}

// securitySeverities are a severity on the scale from 0 to 10 that code scanning reads.
var securitySeverities = map[audit.Severity]string{
	audit.Critical: "9.5", audit.High: "8.0", audit.Medium: "5.5", audit.Low: "3.0", audit.Info: "1.0",
}

// auditSARIF writes findings as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): one run with the rules that were
// applied, a result a finding. Those that a baseline knows are there as suppressed. What was not looked at is a notification, and
// the run has then not succeeded.
func auditSARIF(report *audit.Report, options Options) ([]byte, error) {
	run := sarifRun{
		Tool:        sarifTool{Driver: sarifDriver{Name: toolName, Version: options.Version, InformationURI: toolURI, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{sarifInvocationOf(report)},
		BaseIDs:     map[string]sarifBase{objectsBase: {Description: sarifText{Text: "Objects that stand in no file; the path is namespace, kind and name."}}},
		ColumnKind:  "utf16CodeUnits",
		Results:     []sarifResult{},
	}
	indexes := map[string]int{}
	for _, rule := range report.Rules {
		indexes[rule.ID] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	add := func(findings []audit.Finding, suppressions []sarifSuppression) {
		for _, f := range findings {
			result := sarifResultOf(report, f)
			if index, applied := indexes[f.ID]; applied {
				result.RuleIndex = &index
			}
			result.Suppressions = suppressions
			run.Results = append(run.Results, result)
		}
	}
	add(report.Findings, nil)
	if report.Baseline != nil {
		add(report.Baseline.Known, []sarifSuppression{{Kind: "external", Justification: "It is known by the baseline."}})
	}
	log := sarifLog{Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
	return printJSON(log, Options{})
}

// codeScanningFingerprint is the only fingerprint that code scanning reads.
const codeScanningFingerprint = "primaryLocationLineHash"

// sarifRuleOf has both descriptions and a help, which code scanning asks for.
func sarifRuleOf(rule audit.Rule) sarifRule {
	title := sarifText{Text: rule.Title + "."}
	out := sarifRule{
		ID: rule.ID, ShortDescription: title, FullDescription: title, Help: sarifHelp{Text: title.Text},
		Configuration: sarifConfiguration{Level: sarifLevel(rule.Severity)},
		Properties:    sarifRuleProperties{Tags: []string{"security", "kubernetes"}, Severity: string(rule.Severity), SecuritySeverity: securitySeverities[rule.Severity]},
	}
	if page, err := rules.Page(rule.ID); err == nil { // a rule of a library's own has none
		out.HelpURI = rules.URL(rule.ID)
		out.Help = sarifHelp{Text: rules.Linked(page), Markdown: rules.Linked(page)}
	}
	return out
}

func sarifResultOf(report *audit.Report, f audit.Finding) sarifResult {
	text := f.Message
	if f.Remedy != "" {
		text += " Remedy: " + f.Remedy
	}
	return sarifResult{
		RuleID: f.ID, Level: sarifLevel(f.Severity), Message: sarifText{Text: text},
		Locations:    []sarifLocation{sarifLocationOf(report, f.Subject)},
		Fingerprints: map[string]string{"finding/v1": f.Fingerprint(), codeScanningFingerprint: f.Fingerprint()},
		Properties:   sarifResultProperties{Severity: string(f.Severity), Evidence: f.Evidence, Remedy: f.Remedy},
	}
}

func sarifLevel(severity audit.Severity) string {
	if level, known := sarifLevels[severity]; known {
		return level
	}
	return "warning"
}

func sarifInvocationOf(report *audit.Report) sarifInvocation {
	out := sarifInvocation{Successful: len(report.Incomplete) == 0, Notifications: []sarifNotification{}}
	for _, list := range []struct {
		level, words string
		gaps         []inventory.Gap
	}{{"error", "Not looked at", report.Incomplete}, {"note", "Taken for granted", report.Assumptions}} {
		for _, gap := range list.gaps {
			text := fmt.Sprintf("%s: %s: %s", list.words, gap.What, gap.Why)
			out.Notifications = append(out.Notifications, sarifNotification{Level: list.level, Message: sarifText{Text: text}})
		}
	}
	return out
}
