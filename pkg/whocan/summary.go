package whocan

import (
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// Summarize says of some objects together who gets through, and how.
func Summarize(objects []Object) Summary {
	type set = map[authorization.Subject]bool
	administrators, direct, byPath, unknown, stopped := set{}, set{}, set{}, set{}, set{}
	for _, o := range objects {
		for _, r := range o.Requesters {
			switch {
			case r.Administrator:
				administrators[r.Subject] = true
			case r.Result.Passes():
				direct[r.Subject] = true
			case r.Result == audit.ProtectionUnknown:
				unknown[r.Subject] = true
			default:
				stopped[r.Subject] = true
			}
		}
		for _, p := range o.Paths {
			byPath[p.From] = true
		}
	}
	s := Summary{Objects: len(objects)}
	taken := set{}
	for _, list := range []struct {
		of   set
		into *[]authorization.Subject
	}{{administrators, &s.Administrators}, {direct, &s.Direct}, {byPath, &s.ByPath}, {unknown, &s.Unknown}, {stopped, &s.Stopped}} {
		maps.DeleteFunc(list.of, func(subject authorization.Subject, _ bool) bool { return taken[subject] })
		maps.Copy(taken, list.of)
		*list.into = append([]authorization.Subject{}, slices.SortedFunc(maps.Keys(list.of), authorization.Subject.Compare)...)
	}
	return s
}
