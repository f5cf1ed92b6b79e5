package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
)

// policyFlaws list what does not compile and what the type checks warn of, the first few of each policy.
func policyFlaws(policies []listing.Policy, few int, options Options) string {
	var b strings.Builder
	for _, p := range policies {
		b.WriteString(flawsOf(p, few, escape(p.Kind)+" "+policyName(p)+", ", options))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nWrong in expressions:\n" + b.String()
}

// flawsOf are those of one policy, each behind the policy's name; a negative few is all of them.
func flawsOf(p listing.Policy, few int, name string, options Options) string {
	var b strings.Builder
	say := func(format string, args ...any) {
		b.WriteString(indented("  ", name+fmt.Sprintf(format, args...), options.Width))
	}
	for _, flaw := range []struct {
		what    string
		remarks []listing.Remark
	}{
		{"does not compile", p.Compile.Errors},
		{"type warning", p.TypeCheck.Warnings},
		{"type warning in the policy's status", unlike(storedWarnings(p.TypeCheck), p.TypeCheck.Warnings)},
	} {
		for i, remark := range flaw.remarks {
			if i == few && !options.ShowAll {
				say("%s: and %d more (-o wide)", flaw.what, len(flaw.remarks)-i)
				break
			}
			say("%s: %s: %s", escape(remark.Field), flaw.what, escape(celWords(remark.Message)))
		}
	}
	return b.String()
}

// unlike are the remarks about fields that others don't remark on.
func unlike(remarks, others []listing.Remark) []listing.Remark {
	fields := map[string]bool{}
	for _, other := range others {
		fields[other.Field] = true
	}
	var left []listing.Remark
	for _, remark := range remarks {
		if !fields[remark.Field] {
			left = append(left, remark)
		}
	}
	return left
}

// celError is how CEL tells an error: a type check names the kind first.
var celError = regexp.MustCompile(`^(?:(\S*), Kind=(\S+): )?(?:compilation failed: )?ERROR: <input>:\d+:\d+: (.*)$`)

// celWords are the errors in a message without the excerpts that CEL adds, each once, with the kinds that it is told of.
func celWords(message string) string {
	var order []string
	kinds := map[string][]string{}
	kind := ""
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, " |") || line == "" {
			continue
		}
		parts := celError.FindStringSubmatch(line)
		if parts == nil {
			return oneLine(message)
		}
		if parts[2] != "" {
			kind = strings.TrimPrefix(parts[1], "/") + " " + parts[2]
		}
		if _, seen := kinds[parts[3]]; !seen {
			order = append(order, parts[3])
			kinds[parts[3]] = nil
		}
		if kind != "" && !slices.Contains(kinds[parts[3]], kind) {
			kinds[parts[3]] = append(kinds[parts[3]], kind)
		}
	}
	for i, text := range order {
		if len(kinds[text]) > 0 {
			order[i] += " (" + strings.Join(kinds[text], ", ") + ")"
		}
	}
	return strings.Join(order, "; ")
}
