package verify

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// denial is what authorization says no to, read from the API server's words
// (k8s.io/apiserver pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage).
type denial struct {
	user, verb, resource, group, namespace, name string
}

var denialPattern = regexp.MustCompile(`(?s)^(?:\S+ "(.*?)" is forbidden|.+? is forbidden|forbidden): User "(.*?)" cannot (\S+) resource "(.*?)" in API group "(.*?)" (?:in the namespace "(.*?)"|at the cluster scope)`)

// deniedBy reads a denial of authorization; ok is false for any other answer.
func deniedBy(status *metav1.Status) (d denial, ok bool) {
	if status == nil || status.Code != http.StatusForbidden {
		return denial{}, false
	}
	m := denialPattern.FindStringSubmatch(status.Message)
	if m == nil {
		return denial{}, false
	}
	return denial{name: m[1], user: m[2], verb: m[3], resource: m[4], group: m[5], namespace: m[6]}, true
}

// rule is the RBAC rule that would allow it.
func (d denial) rule() string {
	names := ""
	if d.name != "" && d.impersonation() {
		names = fmt.Sprintf(", resourceNames: [%q]", d.name)
	}
	rule := fmt.Sprintf("{apiGroups: [%q], resources: [%q], verbs: [%q]%s}", d.group, d.resource, d.verb, names)
	if d.namespace != "" {
		return rule + " in the namespace " + d.namespace
	}
	return rule
}

func (d denial) impersonation() bool { return strings.HasPrefix(d.verb, "impersonate") }

// missing says that somebody may not impersonate. rules are those found missing; the answer tells one where there are none.
func (d denial) missing(rules string) string {
	return fmt.Sprintf("%s may not impersonate the requester; what RBAC is missing for %s: %s", d.user, d.user, cmp.Or(rules, d.rule()))
}

// String says that somebody may not write.
func (d denial) String() string {
	return fmt.Sprintf("authorization stops %s before admission; what RBAC is missing for %s: %s", d.user, d.user, d.rule())
}

// unsupported is how the API server refuses a dry run because of a webhook with side effects
// (k8s.io/apiserver pkg/admission/plugin/webhook/errors/statuserror.go).
const unsupported = "does not support dry run"

// unreached says why an answer is not admission's, "" if it may be. It is asked for answers that differ from what
// was simulated.
func unreached(status *metav1.Status) string {
	switch {
	case status == nil:
		return ""
	case status.Code == http.StatusUnauthorized && !strings.Contains(status.Message, "denied request"):
		return "the API server does not accept the kubeconfig's credentials: " + status.Message
	case status.Code == http.StatusBadRequest && strings.Contains(status.Message, unsupported):
		return "it can't be asked by a dry run: " + status.Message
	case status.Code == http.StatusTooManyRequests, status.Code == http.StatusServiceUnavailable, status.Code == http.StatusGatewayTimeout:
		return fmt.Sprintf("the API server could not answer (%d): %s", status.Code, cmp.Or(status.Message, string(status.Reason)))
	}
	return ""
}
