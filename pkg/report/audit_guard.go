package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// probe is one kind of change and what the guard makes of it.
type probe struct {
	name       string
	protection audit.Protection
}

func probes(guard audit.Guard) []probe {
	return []probe{{"create", guard.Create}, {"add", guard.Add}, {"edit", guard.Edit}, {"remove", guard.Remove}}
}

// getsThrough lists the changes that the guard does not prevent: add, remove (warned); by /status: edit.
func getsThrough(object audit.Object) string {
	var names, ways []string
	if unknown := audit.ProtectionUnknown; object.Guard == (audit.Guard{Create: unknown, Add: unknown, Edit: unknown, Remove: unknown}) {
		return protectionWord(unknown)
	}
	for _, p := range probes(object.Guard) {
		switch {
		case p.protection.Prevents():
		case p.protection == audit.ProtectionAllowed:
			names = append(names, p.name)
		default:
			names = append(names, p.name+" ("+protectionWord(p.protection)+")")
		}
	}
	if len(names) > 0 {
		ways = append(ways, strings.Join(names, ", ")+refusalsAnyway(object))
	}
	if around := bypasses(object); around != "" {
		ways = append(ways, around)
	}
	return orNone(strings.Join(ways, "; "))
}

// refusalsAnyway names the policies that refuse such changes with an annotation or without.
func refusalsAnyway(object audit.Object) string {
	var names []string
	for _, r := range object.RefusedAnyway {
		if name := escape(r.Policy); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (the guard; now refused by " + strings.Join(names, ", ") + ")"
}

func protectionWord(p audit.Protection) string {
	if p == "" {
		return "not tried"
	}
	return escape(strings.ToLower(string(p)))
}

// mayWriteWord says what RBAC lets the requester do.
func mayWriteWord(may *audit.MayWrite) string {
	switch {
	case may == nil:
		return none
	case may.Create && may.Update:
		return "yes"
	case may.Create:
		return "create only"
	case may.Update:
		return "update only"
	default:
		return "no"
	}
}
