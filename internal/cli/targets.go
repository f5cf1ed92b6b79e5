package cli

import (
	"strings"
)

// targets are the existing objects that arguments name, as kubectl reads them
// (k8s.io/cli-runtime pkg/resource, ResourceTypeOrNameArgs).
type targets struct {
	named []target // TYPE/NAME, TYPE NAME…
	types []string // TYPE[,TYPE…] alone
}

type target struct{ resource, name string }

// parseTargets reads the arguments that stand for objects.
func parseTargets(args []string) (targets, error) {
	for _, arg := range args {
		if strings.Contains(arg, "=") {
			return targets{}, usageErrorf("%q is neither TYPE nor NAME; a change is given by --set %s", arg, arg)
		}
		if arg == "" {
			return targets{}, usageErrorf("an argument is empty; name objects as TYPE/NAME or TYPE NAME")
		}
	}
	slashes := 0
	for _, arg := range args {
		if strings.Contains(arg, "/") {
			slashes++
		}
	}
	switch {
	case len(args) == 0:
		return targets{}, nil
	case slashes == len(args):
		return parseCombined(args)
	case slashes > 0:
		return targets{}, usageErrorf("there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'deploy/web' instead of 'deploy deploy/web')")
	}
	return parseSeparate(args)
}

// parseCombined reads TYPE/NAME….
func parseCombined(args []string) (targets, error) {
	var t targets
	for _, arg := range args {
		parts := strings.Split(arg, "/")
		switch {
		case len(parts) > 2:
			return targets{}, usageErrorf("arguments in resource/name form may not have more than one slash: %q", arg)
		case parts[0] == "" || parts[1] == "" || strings.Contains(parts[0], ","):
			return targets{}, usageErrorf("arguments in resource/name form must have a single resource and name: %q", arg)
		}
		t.named = append(t.named, target{parts[0], parts[1]})
	}
	return t, nil
}

// parseSeparate reads TYPE[,TYPE…] and TYPE[,TYPE…] NAME….
func parseSeparate(args []string) (targets, error) {
	types := strings.Split(args[0], ",")
	for _, one := range types {
		if one == "" {
			return targets{}, usageErrorf("%q has an empty resource type in it", args[0])
		}
	}
	if len(args) == 1 {
		return targets{types: types}, nil
	}
	var t targets
	for _, one := range types {
		for _, name := range args[1:] {
			t.named = append(t.named, target{one, name})
		}
	}
	return t, nil
}
