package policy

import (
	"errors"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// probe returns a policy with one matchCondition and one validation.
func probe(t testing.TB, matchCondition, validation string) *inventory.Policies {
	p := parse[vap](t, `
metadata: {name: probe}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ["*"]}
  matchConditions:
  - {name: first, expression: "true"}
  - {name: second, expression: "true"}
  validations:
  - {expression: "true", message: no}
`)
	p.Spec.MatchConditions[0].Expression = matchCondition
	p.Spec.Validations[0].Expression = validation
	return &inventory.Policies{
		Validating:         []*vap{p},
		ValidatingBindings: []*vapb{parse[vapb](t, "metadata: {name: all}\nspec: {policyName: probe, validationActions: [Deny]}")},
	}
}

func withEnv(d *appsv1.Deployment, values ...string) *appsv1.Deployment {
	c := corev1.Container{Name: "main", Image: "registry/app:1"}
	for i, v := range values {
		c.Env = append(c.Env, corev1.EnvVar{Name: string(rune('A' + i)), Value: v})
	}
	d.Spec.Template.Spec.Containers = []corev1.Container{c}
	return d
}

func TestUnknownParts(t *testing.T) {
	const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
	secret := Unknown{Object: []string{
		"spec.template.spec.containers[0].env[0].value",
		`metadata.annotations["` + lastApplied + `"]`,
	}}
	cases := []struct {
		name           string
		matchCondition string
		validation     string
		unknown        Unknown
		want           Decision
		uncertain      bool
	}{
		{"not read", "true", "object.spec.template.spec.containers.all(c, c.image != '')", secret, Admitted, false},
		{"read", "true", "object.spec.template.spec.containers.all(c, c.env.all(e, e.value != 'z'))", secret, NotSimulated, true},
		{"its sibling", "true", "object.spec.template.spec.containers.all(c, c.env.all(e, e.name != 'x'))", secret, Admitted, false},
		{"in a list", "true", "!('x' in object.spec.template.spec.containers.map(c, c.env.map(e, e.value).join(',')))", secret, NotSimulated, true},
		{"compared whole", "true", "object == object", secret, NotSimulated, true},
		{"converted whole", "true", "object.spec.template.spec.containers == []", secret, NotSimulated, true},
		{"keys of a map", "true", "object.metadata.annotations.all(k, !k.startsWith('downscaler/'))", secret, Denied, false},
		{"values behind a test of the key", "true", "object.metadata.annotations.all(k, !k.startsWith('downscaler/') || object.metadata.annotations[k] == '')", secret, Denied, false},
		{"values of every key", "true", "object.metadata.annotations.all(k, object.metadata.annotations[k] != 'x')", secret, NotSimulated, true},
		{"false condition settles it", "request.userInfo.username != 'dev'", "object.metadata.annotations['" + lastApplied + "'] == ''", secret, Skipped, false},
		{"unknown condition", "object.metadata.annotations['" + lastApplied + "'] == ''", "true", secret, NotSimulated, true},
		{"not set by a client", "true", "object.metadata.uid != ''", Unknown{Object: []string{"metadata.uid"}}, NotSimulated, true},
		{"default missing", "true", "object.spec.revisionHistoryLimit == 10", Unknown{UndefaultedObject: true}, NotSimulated, true},
		{"default asked for", "true", "has(object.spec.revisionHistoryLimit)", Unknown{UndefaultedObject: true}, NotSimulated, true},
		{"compared with null", "true", "object != null && object.spec != null", Unknown{UndefaultedObject: true, Redacted: true}, Admitted, false},
		{"size of what may be more", "true", "object.spec.size() > 1", Unknown{UndefaultedObject: true}, NotSimulated, true},
		{"whole part missing", "true", "has(object.specification)", Unknown{UndefaultedObject: true}, NotSimulated, true},
		{"redacted value moved by a policy", "true", "object.spec.template.spec.containers[0].env[1].value != 'x'", Unknown{Redacted: true}, Admitted, false},
		{"redacted value found by what it is", "true", "object.spec.template.spec.containers[0].env[2].value != 'x'", Unknown{Redacted: true}, NotSimulated, true},
		{"metadata needs no default", "true", "!has(object.metadata.finalizers)", Unknown{UndefaultedObject: true}, Admitted, false},
		{"default of a defaulted object", "true", "!has(object.spec.revisionHistoryLimit)", Unknown{}, Admitted, false},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			set := compile(t, teamA(), probe(t, test.matchCondition, test.validation))
			r := request("dev", nil, withEnv(deployment("downscaler/exclude", "true", lastApplied, "redacted"), "redacted", "y", inventory.Redacted))
			r.Unknown = test.unknown
			verdict := set.Validate(t.Context(), r)
			if got := verdict.Steps[0]; got.Decision != test.want {
				t.Errorf("decision %s (%s), want %s", got.Decision, got.Message, test.want)
			}
			if verdict.Uncertain != test.uncertain {
				t.Errorf("uncertain %t, want %t", verdict.Uncertain, test.uncertain)
			}
			if test.uncertain != (len(verdict.NotKnown) > 0) || test.uncertain && len(verdict.Statuses) > 0 {
				t.Errorf("not known %v, statuses %v", verdict.NotKnown, verdict.Statuses)
			}
		})
	}
}

func TestUnreadVariables(t *testing.T) {
	cases := []struct {
		name       string
		validation string
		prepare    func(*Request)
		options    Options
		want       Decision
	}{
		{"authorizer unknown", "authorizer.group('apps').resource('deployments').check('create').allowed()", nil, Options{}, NotSimulated},
		{"authorizer known", "authorizer.group('apps').resource('deployments').check('create').allowed()", nil, Options{Authorizer: nobody{}}, Denied},
		{"namespace unread", "has(namespaceObject.metadata.labels)", func(r *Request) { r.NamespaceUnread = true }, Options{}, NotSimulated},
		{"namespace read", "has(namespaceObject.metadata.labels)", nil, Options{}, Admitted},
		{"generated name", "request.name != 'x'", func(r *Request) { r.Unknown.Object = []string{"metadata.name"} }, Options{}, NotSimulated},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			set, err := Compile(t.Context(), teamA(), probe(t, "true", test.validation), test.options)
			if err != nil {
				t.Fatal(err)
			}
			r := request("dev", nil, deployment())
			if test.prepare != nil {
				test.prepare(&r)
			}
			if got := set.Validate(t.Context(), r).Steps[0]; got.Decision != test.want {
				t.Errorf("decision %s (%s), want %s", got.Decision, got.Message, test.want)
			}
		})
	}
}

// TestUnreadThroughAVariable: what a variable asks is asked by whoever uses the variable, and by nobody else.
func TestUnreadThroughAVariable(t *testing.T) {
	for validation, want := range map[string]Decision{"variables.may": NotSimulated, "variables.other": Admitted} {
		policies := probe(t, "true", validation)
		policies.Validating[0].Spec.Variables = []admissionregistrationv1.Variable{
			{Name: "may", Expression: "authorizer.group('apps').resource('deployments').check('create').allowed()"},
			{Name: "other", Expression: "true"},
		}
		set, err := Compile(t.Context(), teamA(), policies, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.Validate(t.Context(), request("dev", nil, deployment())).Steps[0]; got.Decision != want {
			t.Errorf("%s: decision %s, want %s", validation, got.Decision, want)
		}
	}
}

// TestCertainDenialWithAnUncertainMessage: which of two validations is told hangs on the first one.
func TestCertainDenialWithAnUncertainMessage(t *testing.T) {
	policies := probe(t, "true", "authorizer.group('apps').resource('deployments').check('create').allowed()")
	policies.Validating[0].Spec.Validations = append(policies.Validating[0].Spec.Validations, admissionregistrationv1.Validation{Expression: "false"})
	set, err := Compile(t.Context(), teamA(), policies, Options{})
	if err != nil {
		t.Fatal(err)
	}
	verdict := set.Validate(t.Context(), request("dev", nil, deployment()))
	if verdict.Uncertain || len(verdict.Statuses) != 1 || len(verdict.NotKnown) != 1 {
		t.Errorf("uncertain %t, statuses %v, not known %v", verdict.Uncertain, verdict.Statuses, verdict.NotKnown)
	}
}

func TestUnreadParameters(t *testing.T) {
	policies := probe(t, "true", "true")
	policies.Validating[0].Spec.ParamKind = parse[struct {
		P *vap `json:"p"`
	}](t, "p: {spec: {paramKind: {apiVersion: v1, kind: ConfigMap}}}").P.Spec.ParamKind
	c := teamA()
	c.paramsErr = errors.New("configmaps is forbidden")
	verdict := compile(t, c, policies).Validate(t.Context(), request("dev", nil, deployment()))
	if verdict.Steps[0].Decision != NotSimulated || !verdict.Uncertain {
		t.Errorf("step %+v, uncertain %t", verdict.Steps[0], verdict.Uncertain)
	}
}

func TestDryRunIsAsked(t *testing.T) {
	set := compile(t, teamA(), probe(t, "true", "request.dryRun || true"))
	verdict := set.Validate(t.Context(), request("dev", nil, deployment()))
	if len(verdict.DryRunAsked) != 1 {
		t.Errorf("dry run asked by %v, want one policy", verdict.DryRunAsked)
	}
}
