package verify

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// What may lawfully differ between two right answers, and nothing else, is evened out here:
//
//   - the name that the API server makes of generateName, of which five characters are random: wherever it stands in
//     the server's answer, it is replaced by request.GeneratedName, as simulations have it;
//   - which of several denials is the one that the client sees, see simulate.Result.PossibleStatuses: mayBe;
//   - the order of warnings, repeated ones, which the server sends once, those that come from elsewhere than a policy
//     (deprecated versions, the API's own advice, webhooks), and the end of long ones where all of them are more than the
//     server sends: policyWarnings and sameWarning;
//   - a Status's own apiVersion and kind, and when to try again, which are no part of the decision: sameDetails.
//
// UIDs, times and resourceVersions that the server makes up are not: a policy that puts one of a new object into
// its message makes the simulation Unknown. An object that has changed since it was read is asked about again, see
// Verifier.Run.

// generatedLength is how many characters the API server keeps of generateName (k8s.io/apiserver pkg/storage/names).
const generatedLength = 58

// withGeneratedName replaces the name that the API server made; name is empty where the answer does not tell it.
func (a Answer) withGeneratedName(asked request.Request, name string) Answer {
	if asked.Name != "" || asked.GenerateName == "" {
		return a
	}
	base := asked.GenerateName[:min(len(asked.GenerateName), generatedLength)]
	pattern := regexp.MustCompile(regexp.QuoteMeta(base) + "[bcdfghjklmnpqrstvwxz2456789]{5}")
	if name != "" {
		pattern = regexp.MustCompile(regexp.QuoteMeta(name))
	}
	replace := func(s string) string { return pattern.ReplaceAllLiteralString(s, request.GeneratedName) }
	if a.Status != nil {
		replaceInStatus(a.Status, replace)
	}
	for i := range a.Warnings {
		a.Warnings[i] = replace(a.Warnings[i])
	}
	for key, value := range a.Annotations {
		a.Annotations[key] = replace(value)
	}
	return a
}

func replaceInStatus(status *metav1.Status, replace func(string) string) {
	status.Message = replace(status.Message)
	if status.Details == nil {
		return
	}
	status.Details.Name = replace(status.Details.Name)
	for i := range status.Details.Causes {
		status.Details.Causes[i].Message = replace(status.Details.Causes[i].Message)
	}
}

// mayBe returns that of the simulation's statuses which the server's is to be compared with: the one it is the same
// as, else the first.
func (a Answer) mayBe(server *metav1.Status) *metav1.Status {
	for i := range a.PossibleStatuses {
		if len(statusDifferences(&a.PossibleStatuses[i], server)) == 0 {
			return &a.PossibleStatuses[i]
		}
	}
	return a.Status
}

// policyWarning is how the API server begins the warnings of policies
// (k8s.io/apiserver pkg/admission/plugin/policy/validating/dispatcher.go).
const policyWarning = "Validation failed for ValidatingAdmissionPolicy "

// policyWarnings are those of policies, sorted, each once.
func policyWarnings(warnings []string) []string {
	var kept []string
	for _, text := range warnings {
		if strings.HasPrefix(text, policyWarning) {
			kept = append(kept, text)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// truncatedWarning is how long a warning is where all of them are too long
// (k8s.io/apiserver pkg/endpoints/filters/warning.go).
const truncatedWarning = 256

func sameWarning(simulated, server string) bool {
	return simulated == server || utf8.RuneCountInString(server) == truncatedWarning && strings.HasPrefix(simulated, server)
}
