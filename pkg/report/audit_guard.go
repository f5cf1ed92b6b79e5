package report

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// guardOrder is the order in which guards are shown: what needs attention first.
var guardOrder = []audit.Level{audit.LevelNone, audit.LevelUnknown, audit.LevelPartial, audit.LevelFull}

var guardColors = map[audit.Level]color{
	audit.LevelNone:    red,
	audit.LevelUnknown: magenta,
	audit.LevelPartial: yellow,
	audit.LevelFull:    green,
}

// probe is one kind of change and what the guard makes of it.
type probe struct {
	name       string
	protection audit.Protection
}

func probes(guard audit.Guard) []probe {
	return []probe{{"create", guard.Create}, {"add", guard.Add}, {"edit", guard.Edit}, {"remove", guard.Remove}}
}

// getsThrough lists the changes that the guard does not prevent: add, remove (warned).
func getsThrough(guard audit.Guard) string {
	var names []string
	for _, p := range probes(guard) {
		switch {
		case p.protection.Prevents():
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

func levelWord(level audit.Level, options Options) string {
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
