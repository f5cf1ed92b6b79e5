package downscaler

import (
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// amount is a replicas value as the downscaler reads it (ReplicasValue in
// internal/pkg/values/replicas.go). Exactly one of the forms applies.
type amount struct {
	form amountForm
	n    int
}

type amountForm int

const (
	aNumber amountForm = iota
	aPercentage
	aTruth
	aWord // letters only, and so also the empty value
)

// parseAmount reads a replicas value, whatever the kind.
func parseAmount(s string) (amount, *fault) {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil {
		if n < -1 {
			return amount{}, faultAt(0, "a number of replicas can't be negative")
		}
		return amount{aNumber, int(n)}, nil
	}
	if digits, ok := strings.CutSuffix(s, "%"); ok {
		if n, err := strconv.Atoi(digits); err == nil {
			if n < 0 || n > 100 {
				return amount{}, faultAt(0, "a percentage goes from 0%% to 100%%")
			}
			return amount{aPercentage, n}, nil
		}
	}
	if lower := strings.ToLower(s); lower == "true" || lower == "false" {
		return amount{form: aTruth}, nil
	}
	at := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if at < 0 {
		return amount{form: aWord}, nil
	}
	if trimmed := strings.TrimSpace(s); trimmed != s && trimmed != "" {
		return amount{}, faultAt(at, "spaces around the value are not ignored here")
	}
	if strings.Trim(s, "+-0123456789") == "" {
		return amount{}, faultAt(0, "%s is not a number of replicas", quoted(s))
	}
	return amount{}, faultAt(at, "%s is neither a whole number, a percentage, true, false nor a word of letters only", quoted(s))
}

// replicasFault judges a value of one of the two replicas annotations on a kind, and says what the
// fault does: a value of original-replicas is only read when it is needed.
func replicasFault(key, value string, kind schema.GroupKind) (*fault, Effect) {
	k, scaled := KindFor(kind)
	a, f := parseAmount(value)
	if key == OriginalReplicas {
		if f == nil && scaled {
			f = originalFault(k, a, value)
		}
		return f, FailsScaling
	}
	if f != nil {
		return f, UnusableOn(kind)
	}
	return downscaleFault(k, scaled, a), FailsScaling
}

// downscaleFault says why a kind can't be scaled down to an amount.
func downscaleFault(k Kind, scaled bool, a amount) *fault {
	if scaled {
		switch k.Means {
		case BySuspension, ByNodeSelector, ByServiceType, ByClass:
			return nil // read, and never looked at again
		case ByReplicas, ByMinReplicas, ByBudget:
			return countFault(k, a)
		}
	}
	// On a namespace the value is meant for many kinds, and a percentage is of use to one of them.
	if a.form == aTruth || a.form == aWord {
		return faultAt(0, "nothing can be scaled down to a word: write a number of replicas")
	}
	return nil
}

// countFault says why an amount is not a count that a kind can have.
func countFault(k Kind, a amount) *fault {
	switch {
	case a.form == aPercentage && k.Means == ByBudget:
		return nil
	case a.form == aPercentage:
		return faultAt(0, "a %s takes no percentage: only a PodDisruptionBudget does", k.Kind)
	case a.form != aNumber:
		return faultAt(0, "a %s needs a number of replicas", k.Kind)
	case k.Means == ByMinReplicas && a.n < 1:
		return faultAt(0, "a %s can't go below 1", k.Kind)
	case a.n < 0 && (k.Means == ByBudget || k.Resource.Group == "apps"):
		return faultAt(0, "the API server takes no negative number for a %s", k.Kind)
	}
	return nil // -1 is what the downscaler itself notes for a ScaledObject that was not paused
}

// originalFault says why a kind can't be scaled up again to what original-replicas holds.
func originalFault(k Kind, a amount, value string) *fault {
	switch k.Means {
	case ByReplicas, ByMinReplicas, ByBudget:
		return countFault(k, a)
	case BySuspension:
		if a.form != aTruth {
			return faultAt(0, "a %s was suspended before or not: write true or false", k.Kind)
		}
	case ByServiceType:
		if value != "LoadBalancer" && value != "ClusterIP" {
			return faultAt(0, "a Service's former type can only be LoadBalancer or ClusterIP")
		}
	case ByNodeSelector, ByClass: // any amount will do
	}
	return nil
}
