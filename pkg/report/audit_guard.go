package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// guardLevel is how much of an object's annotations is guarded, in one word.
type guardLevel string

const (
	guardNone    guardLevel = "none"
	guardUnknown guardLevel = "unknown"
	guardPartial guardLevel = "partial"
	guardFull    guardLevel = "full"
)

// guardOrder is the order in which guards are shown: what needs attention first.
var guardOrder = []guardLevel{guardNone, guardUnknown, guardPartial, guardFull}

var guardColors = map[guardLevel]color{
	guardNone:    red,
	guardUnknown: magenta,
	guardPartial: yellow,
	guardFull:    green,
}

// probe is one kind of change and what the guard makes of it.
type probe struct {
	name       string
	protection audit.Protection
}

func probes(guard audit.Guard) []probe {
	return []probe{{"create", guard.Create}, {"add", guard.Add}, {"edit", guard.Edit}, {"remove", guard.Remove}}
}

var preventing = []audit.Protection{
	audit.ProtectionBlocked, audit.ProtectionStripped, audit.ProtectionReverted, audit.ProtectionRestored,
}

func prevented(p audit.Protection) bool { return slices.Contains(preventing, p) }

func levelOf(guard audit.Guard) guardLevel {
	full := 0
	for _, p := range probes(guard) {
		switch {
		case p.protection == audit.ProtectionUnknown:
			return guardUnknown
		case prevented(p.protection):
			full++
		}
	}
	switch full {
	case 0:
		return guardNone
	case len(probes(guard)):
		return guardFull
	default:
		return guardPartial
	}
}

// getsThrough lists the changes that the guard does not prevent: add, remove (warned).
func getsThrough(guard audit.Guard) string {
	var names []string
	for _, p := range probes(guard) {
		switch {
		case prevented(p.protection):
		case p.protection == audit.ProtectionAllowed:
			names = append(names, p.name)
		default:
			names = append(names, p.name+" ("+protectionWord(p.protection)+")")
		}
	}
	return orNone(strings.Join(names, ", "))
}

func protectionWord(p audit.Protection) string {
	if p == "" {
		return "not tried"
	}
	return escape(strings.ToLower(string(p)))
}

func levelWord(level guardLevel, options Options) string {
	return options.paint(guardColors[level], string(level))
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
