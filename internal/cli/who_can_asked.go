package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

var changes = map[string]whocan.Change{"set": whocan.Set, "edit": whocan.Edit, "remove": whocan.Remove}

// alike are words that people use for one of the changes.
var alike = map[string]string{
	"add": "set", "create": "set", "put": "set", "annotate": "set", "change": "edit", "modify": "edit", "update": "edit", "patch": "edit",
	"overwrite": "edit", "delete": "remove", "drop": "remove", "unset": "remove", "clear": "remove",
}

// parseAsked reads the change and the key in front of the objects: set and downscaler/exclude where they are left out. A key that is named is
// named behind the change, so that it can't be taken for a type.
func parseAsked(args []string) (whocan.Asked, []string, error) {
	asked := whocan.Asked{Change: whocan.Set, Key: downscaler.Exclude}
	if len(args) == 0 {
		return asked, nil, nil
	}
	change, named := changes[args[0]]
	switch {
	case named:
		asked.Change, args = change, args[1:]
	case isKey(args[0]):
		return asked, nil, usageErrorf("say what is done to %s: who-can set %[1]s, edit or remove", args[0])
	case alike[args[0]] != "":
		return asked, nil, usageErrorf("there is no change %q; did you mean %s? The changes are set, edit and remove", args[0], alike[args[0]])
	case len(args) > 1 && !strings.Contains(args[0], "/") && isKey(args[1]):
		return asked, nil, usageErrorf("there is no change %q; say what is done to %s: set, edit or remove", args[0], args[1])
	default:
		return asked, args, nil
	}
	if len(args) == 0 || strings.Contains(args[0], "/") && !strings.HasPrefix(args[0], downscaler.Prefix) {
		return asked, args, nil
	}
	if strings.Contains(args[0], "=") {
		return asked, nil, usageErrorf("who-can asks about a key, whatever its value; write %s", strings.SplitN(args[0], "=", 2)[0])
	}
	key, err := request.ParseKey(args[0])
	asked.Key = key
	return asked, args[1:], err
}

// isKey says whether an argument is a key of the downscaler's, with or without the prefix.
func isKey(argument string) bool {
	return strings.HasPrefix(argument, downscaler.Prefix) || downscaler.Known(argument)
}

// askedNotes say what looks like a mistake in the question: a key that the downscaler does not read, and what is edited or removed and is
// not there, which is then tried on a copy.
func askedNotes(asked whocan.Asked, seen *spelling) []string {
	if note := unread(asked.Key); note != "" {
		return []string{note}
	}
	if asked.Change == whocan.Set || seen.objects == 0 || seen.carried[asked.Key] {
		return nil
	}
	return []string{seen.nobodyHas(asked.Key) + "; what the report says is of a copy that has one"}
}

// completeAsked are the words that may come next, before the objects.
func completeAsked(args []string) []string {
	switch {
	case len(args) == 0:
		return slices.Sorted(maps.Keys(changes))
	case len(args) == 1 && changes[args[0]] != "":
		var keys []string
		for _, key := range downscaler.Keys() {
			keys = append(keys, strings.TrimPrefix(key.Key, downscaler.Prefix))
		}
		return keys
	}
	return nil
}
