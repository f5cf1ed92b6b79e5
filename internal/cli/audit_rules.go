package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/docs/rules"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// ruleFlags choose the rules that an audit applies, and the findings that it shows and fails by.
type ruleFlags struct {
	only     []string
	skip     []string
	severity string
	failOn   string
	explain  string // the rule whose page is asked for, and nothing else
}

// The severities, gravest first, as flags spell them.
var severities = []string{string(audit.Critical), string(audit.High), string(audit.Medium), string(audit.Low), string(audit.Info)}

// findingFlagNames are the flags that are about findings.
var findingFlagNames = []string{"fail-on", "severity", "rule", "skip-rule", "baseline", "write-baseline"}

func (f *ruleFlags) add(cmd *cobra.Command) {
	list := strings.Join(severities, ", ")
	addFlags(cmd, "Findings", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.failOn, "fail-on", "", "Exit with 1 from this `LEVEL` on: "+list+" (default \"high\", or --severity where that is graver)")
		flags.StringVar(&f.severity, "severity", "", "Show only findings of this `LEVEL` or graver")
		flags.StringSliceVar(&f.only, "rule", nil, "Apply only the rule with this `ID`; comma-separated, repeatable")
		flags.StringSliceVar(&f.skip, "skip-rule", nil, "Don't apply the rule with this `ID`; comma-separated, repeatable")
		flags.StringVar(&f.explain, "explain-rule", "", "Show what the rule with this `ID` means and how to close what it finds, and do nothing else; \"list\" lists the rules")
	})
	complete(cmd, "fail-on", severities...)
	complete(cmd, "severity", severities...)
	for _, flag := range []string{"rule", "skip-rule", "explain-rule"} {
		complete(cmd, flag, ruleCompletions()...)
	}
}

// ruleCompletions are the rules' ids, each with what it is about.
func ruleCompletions() []string {
	var list []string
	for _, rule := range audit.Rules() {
		list = append(list, cobra.CompletionWithDesc(rule.ID, rule.Title))
	}
	return list
}

func (f *ruleFlags) validate() error {
	for _, flag := range []struct {
		name  string
		value *string
	}{{"fail-on", &f.failOn}, {"severity", &f.severity}} {
		given := *flag.value
		if *flag.value = strings.ToLower(given); given != "" && !slices.Contains(severities, *flag.value) {
			return usageErrorf("--%s %s: there is no such severity; give %s", flag.name, given, strings.Join(severities, ", "))
		}
	}
	for _, flag := range []struct {
		name string
		ids  []string
	}{{"rule", f.only}, {"skip-rule", f.skip}} {
		for _, id := range flag.ids {
			if _, err := audit.RuleNamed(id); err != nil {
				return usageErrorf("--%s: %w", flag.name, err)
			}
		}
	}
	if len(f.chosen()) == 0 {
		return usageErrorf("--rule and --skip-rule leave no rule to apply; name others")
	}
	if f.severity != "" && f.failOn != "" && !audit.Severity(f.failOn).AtLeast(audit.Severity(f.severity)) {
		return usageErrorf("--fail-on %s counts findings that --severity %s doesn't show; give them the other way round, or leave one of the two out", f.failOn, f.severity)
	}
	return nil
}

// chosen are the ids of the rules to apply.
func (f *ruleFlags) chosen() []string {
	var ids []string
	for _, rule := range audit.Rules() {
		if (len(f.only) == 0 || slices.Contains(f.only, rule.ID)) && !slices.Contains(f.skip, rule.ID) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// limit is the severity from which on a finding fails the run. What is not shown fails none: it is no more in the report by then.
func (f *ruleFlags) limit() audit.Severity {
	if f.failOn != "" {
		return audit.Severity(f.failOn)
	}
	return audit.High
}

// allRules stands for a rule where all of them are to be listed.
const allRules = "list"

// listRules prints a line for each rule.
func listRules(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, rule := range audit.Rules() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", rule.ID, rule.Severity, rule.Title)
	}
	return table.Flush()
}

// printPage prints the page about a rule. Other flags have no part in it, and none is passed over in silence.
func (f *ruleFlags) printPage(cmd *cobra.Command, out io.Writer) error {
	var other string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name != "explain-rule" && other == "" {
			other = flag.Name
		}
	})
	if other != "" {
		return usageErrorf("--explain-rule shows a page and audits nothing; leave --%s out", other)
	}
	if f.explain == "" || f.explain == allRules {
		return listRules(out)
	}
	if _, err := audit.RuleNamed(f.explain); err != nil {
		return usageErrorf("--explain-rule: %w", err)
	}
	page, err := rules.Page(f.explain)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, page)
	return err
}
