package simulate

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// rights let dev patch, and nobody else do anything.
const rights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: patcher, namespace: team-a}
rules: [{apiGroups: [apps], resources: [deployments], verbs: [get, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: patcher, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: patcher}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: dev}]
`

const outsiderRefused = `deployments.apps "api" is forbidden: User "outsider" cannot patch resource "deployments" in API group "apps" in the namespace "team-a"`

// webhookOfAll would be called for every request.
const webhookOfAll = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: outside}
webhooks:
- {name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: "https://a.example.com"}, rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}
`

func stepsOf(result Result) []string {
	var steps []string
	for _, s := range result.Steps {
		steps = append(steps, strings.TrimSpace(strings.Join([]string{string(s.Phase), s.Kind, s.Policy, string(s.Decision)}, " ")))
	}
	return steps
}

// TestUnauthorized: RBAC's denial is the answer, whatever the policies behind it say, and these leave their steps and nothing else.
func TestUnauthorized(t *testing.T) {
	warning := strings.NewReplacer("{name: block}", "{name: warn}", "block-all", "warn-all", "policyName: block", "policyName: warn", "[Deny]", "[Warn]").Replace(blocking)
	inv := files(t, objects, rights, blocking, warning, webhookOfAll)
	result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "outsider", "api", set("true"), request.Options{}), Options{})
	if result.Outcome != Blocked || result.Status.Code != 403 || result.Status.Message != outsiderRefused || len(result.PossibleStatuses) != 0 {
		t.Errorf("outcome %s, status %+v", result.Outcome, result.Status)
	}
	want := []string{
		"Authorization RBAC  Denied", "Validating ValidatingAdmissionPolicy block Denied", "Validating ValidatingAdmissionPolicy warn Warned",
	}
	if diff := cmp.Diff(want, stepsOf(result)); diff != "" {
		t.Error(diff)
	}
	if result.Steps[0].Message != outsiderRefused {
		t.Error(result.Steps[0])
	}
	if a := result.Annotations[0]; a.Effect != EffectBlocked || len(a.By) != 0 || a.After != nil {
		t.Errorf("annotation %+v: no policy has blocked it", a)
	}
	if len(result.Warnings)+len(result.AuditAnnotations)+len(result.Assumptions)+len(result.Incomplete) > 0 {
		t.Errorf("nobody gets %v, %v; neither %v nor %v matters", result.Warnings, result.AuditAnnotations, result.Assumptions, result.Incomplete)
	}
}

func TestAuthorized(t *testing.T) {
	inv := files(t, objects, rights, blocking)
	result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "dev", "api", set("true"), request.Options{}), Options{})
	if result.Outcome != Blocked || !strings.Contains(result.Status.Message, "'block'") || len(result.Assumptions) > 0 || result.Annotations[0].By[0].Policy != "block" {
		t.Errorf("status %+v, assumptions %v, annotations %+v", result.Status, result.Assumptions, result.Annotations)
	}
	if s := result.Steps[0]; s.Phase != policy.PhaseAuthorization || s.Decision != policy.Admitted || !strings.HasPrefix(s.Message, "RBAC: allowed by RoleBinding") {
		t.Errorf("%+v", s)
	}
	past := simulator(t, inv).PastAuthorization().Run(t.Context(), annotate(t, inv, "outsider", "web", set("true"), request.Options{}), Options{})
	if past.Outcome != Allowed || past.Steps[0].Phase == policy.PhaseAuthorization {
		t.Errorf("outcome %s, steps %v", past.Outcome, stepsOf(past))
	}
}

// TestUnauthorizedForCertain: whatever else can't be known comes behind RBAC.
func TestUnauthorizedForCertain(t *testing.T) {
	withoutNamespace := objects[strings.Index(objects, "---")+3:]
	inv := files(t, withoutNamespace, rights, strings.ReplaceAll(blocking, "    resourceRules:", "    namespaceSelector: {matchLabels: {guarded: \"yes\"}}\n    resourceRules:"))
	for _, operation := range []admission.Operation{admission.Create, admission.Update, admission.Delete} {
		change := set("true")
		if operation == admission.Delete {
			change = request.Change{}
		}
		r := annotate(t, inv, "outsider", "api", change, request.Options{Operation: operation})
		result := simulator(t, inv).Run(t.Context(), r, Options{})
		if result.Outcome != Blocked || !strings.Contains(result.Status.Message, `User "outsider" cannot `+r.Verb) || len(result.Incomplete) > 0 {
			t.Errorf("%s: outcome %s, status %v, incomplete %v", operation, result.Outcome, result.Status, result.Incomplete)
		}
	}
}

// TestMayNotCreateByApply: the right to create is asked for only once mutating policies and the API's validation have let the
// request pass, and before the validating policies.
func TestMayNotCreateByApply(t *testing.T) {
	const mayNot = `deployments.apps "new" is forbidden: User "dev" cannot create resource "deployments" in API group "apps" in the namespace "team-a"`
	failing := strings.Replace(stripping, "Object{metadata: Object.metadata{annotations:", "Object{metadata: Object.metadata{labels: {'a': string(int('x'))}, annotations:", 1)
	manifest := strings.Replace(webManifest, "name: web,", "name: new,", 1)
	for name, test := range map[string]struct {
		policies, manifest, message string
		steps                       []string
	}{
		"only RBAC": {blocking, manifest, mayNot, []string{
			"Authorization RBAC  Denied", "Validating ValidatingAdmissionPolicy block Denied",
		}},
		"a mutating policy first": {failing, manifest, "policy 'strip'", []string{
			"Authorization RBAC  Denied", "Mutating MutatingAdmissionPolicy strip Error",
		}},
		"the API first": {blocking, strings.Replace(manifest, "downscaler/exclude", "downscaler/no/such/key", 1), "is invalid", []string{
			"Authorization RBAC  Denied", "Validation API  Denied",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			inv := files(t, objects, rights, test.policies)
			result := simulator(t, inv).Run(t.Context(), send(t, inv, "dev", test.manifest, request.ViaServerSideApply), Options{})
			if result.Outcome != Blocked || !strings.Contains(result.Status.Message, test.message) {
				t.Fatalf("outcome %s, status %+v, incomplete %v", result.Outcome, result.Status, result.Incomplete)
			}
			if diff := cmp.Diff(test.steps, stepsOf(result)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFilesWithoutRBAC: the requester is taken as authorized, and that is said, but of one whom nothing can stop.
func TestFilesWithoutRBAC(t *testing.T) {
	inv := files(t, objects, strings.ReplaceAll(blocking, "request.userInfo.username.matches('^admin.*')", "authorizer.requestResource.check('exempt').allowed()"))
	for user, want := range map[string]Outcome{"dev": Unknown, "root": Allowed} {
		r := annotate(t, inv, user, "api", set("true"), request.Options{})
		if user == "root" {
			r.Requester = request.NewRequester(user, []string{"system:masters"}, "", nil)
		}
		result := simulator(t, inv).Run(t.Context(), r, Options{})
		if result.Outcome != want || slices.Contains(result.Assumptions, NoRBAC) != (user == "dev") {
			t.Errorf("%s: outcome %s, assumptions %v", user, result.Outcome, result.Assumptions)
		}
		if want == Unknown && (len(result.Incomplete) != 1 || !strings.Contains(result.Incomplete[0].What, "block")) {
			t.Errorf("%s: incomplete %v: no policy is named", user, result.Incomplete)
		}
	}
}

// TestAuthorizerVariable: policies ask the roles and bindings that decide about the request.
func TestAuthorizerVariable(t *testing.T) {
	asking := strings.ReplaceAll(blocking, "request.userInfo.username.matches('^admin.*')",
		"authorizer.group('apps').resource('deployments').namespace('team-a').check('exempt').allowed()")
	for verbs, want := range map[string]Outcome{"[get, patch]": Blocked, "[get, patch, exempt]": Allowed} {
		inv := files(t, objects, strings.Replace(rights, "[get, patch]", verbs, 1), asking)
		result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "dev", "api", set("true"), request.Options{}), Options{})
		if result.Outcome != want {
			t.Errorf("%s: outcome %s, incomplete %v", verbs, result.Outcome, result.Incomplete)
		}
	}
}

// TestAuthorizationUnknown: what nobody can tell never passes, and a denial behind it is one in any case.
func TestAuthorizationUnknown(t *testing.T) {
	inv := rbacUnread{files(t, objects, rights, blocking)}
	for change, want := range map[string]Outcome{"true": Blocked, "": Unknown} {
		r := annotate(t, inv, "dev", "api", set(change), request.Options{})
		if change == "" {
			r = annotate(t, inv, "dev", "web", set("true"), request.Options{})
		}
		result := simulator(t, inv).Run(t.Context(), r, Options{})
		if result.Outcome != want || len(result.Incomplete) != 1 || result.Steps[0].Decision != policy.NotSimulated {
			t.Errorf("outcome %s, incomplete %v, steps %v", result.Outcome, result.Incomplete, stepsOf(result))
		}
		if want := (inventory.Gap{What: "whether dev may patch deployments.apps in namespace team-a", Why: "listing roles.rbac.authorization.k8s.io: forbidden"}); result.Incomplete[0] != want {
			t.Errorf("%+v", result.Incomplete[0])
		}
	}
}

// rbacUnread is an inventory of which nothing can be listed.
type rbacUnread struct{ inventory.Inventory }

// Objects implements inventory.Inventory.
func (rbacUnread) Objects(_ context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	return func(yield func(inventory.Object, error) bool) {
		yield(inventory.Object{}, &inventory.ListError{Kind: query.Kinds[0], Err: errors.New("forbidden")})
	}
}

// TestAssumedForPolicies: a role that is not among the files is an assumption behind what a policy is told by its authorizer, too.
func TestAssumedForPolicies(t *testing.T) {
	gone := strings.ReplaceAll(rights[strings.Index(rights, "---")+3:], "patcher", "gone")
	asking := strings.ReplaceAll(blocking, "  validations:", `  matchConditions:
  - {name: exempt, expression: "!authorizer.group('downscaler.dev').resource('annotations').namespace('team-a').check('exempt').allowed()"}
  validations:`)
	inv := files(t, objects, rights, gone, asking)
	result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "dev", "api", set("true"), request.Options{}), Options{})
	if result.Outcome != Blocked || len(result.Incomplete) > 0 || len(result.Assumptions) != 1 || result.Assumptions[0].What != "Role gone" {
		t.Errorf("outcome %s, steps %v, incomplete %v, assumptions %v", result.Outcome, stepsOf(result), result.Incomplete, result.Assumptions)
	}
}
