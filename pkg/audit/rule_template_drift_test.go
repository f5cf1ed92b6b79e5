package audit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const (
	exclude = `"downscaler/exclude": "true"`
	uptime  = `"downscaler/uptime": "always"`
	appsV1  = `"apiVersion": "apps/v1", "kind": "Deployment"`
)

// applied is the Deployment web, which kubectl applied with some annotations and which has others now. Both are in YAML's flow form; more is
// further metadata, by default the managedFields of such an apply.
func applied(template, now, more string) string {
	return appliedAs(appsV1, template, now, more)
}

func appliedAs(kind, template, now, more string) string {
	manifest := fmt.Sprintf(`{%s, "metadata": {"name": "web", "namespace": "team-a", "annotations": {%s}}, "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "x"}}, "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "c", "image": "registry.example/web:1"}]}}}}`, kind, template)
	if now != "" {
		now += ", "
	}
	if more == "" {
		more = managed(owning("kubectl-client-side-apply", "Update", "kubectl.kubernetes.io/last-applied-configuration"))
	}
	return withMetadata(deployment("team-a", "web", now+"kubectl.kubernetes.io/last-applied-configuration: '"+manifest+"'"), more)
}

func withMetadata(manifest, more string) string {
	return strings.Replace(manifest, "generation: 1", "generation: 1"+more, 1)
}

// owning is a managedFields entry for annotations.
func owning(manager, operation string, keys ...string) string {
	var fields []string
	for _, key := range keys {
		fields = append(fields, fmt.Sprintf(`"f:%s": {}`, key))
	}
	return fmt.Sprintf(`{manager: %s, operation: %s, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {%s}}}}`,
		manager, operation, strings.Join(fields, ", "))
}

func managed(entries ...string) string {
	return ", managedFields: [" + strings.Join(entries, ", ") + "]"
}

// presence is a guard that refuses whatever carries an annotation, also where it stays as it is.
var presence = guard{name: "presence", resources: everyResource, condition: `has(object.metadata.annotations) && object.metadata.annotations.exists(k, k.startsWith('downscaler/'))`}

func TestTemplateDrift(t *testing.T) {
	for name, test := range map[string]struct {
		manifests                 []any
		message, remedy, evidence string
	}{
		"added since": {
			[]any{chartLike(false), applied("", exclude, "")},
			`: with kubectl replace, the last-applied configuration removes downscaler/exclude, which is "true", and is denied by ValidatingAdmissionPolicy guard-annotations-removals.`,
			`(give downscaler/exclude the value "true")`, "web -n team-a --remove downscaler/exclude --past-authorization",
		},
		"removed since": {
			[]any{chartLike(false), applied(exclude, "", "")},
			`: with kubectl apply, kubectl apply --server-side and kubectl replace, the last-applied configuration adds downscaler/exclude with "true", and is denied by ValidatingAdmissionPolicy guard-annotations-additions.`,
			"(take out downscaler/exclude)", "--set downscaler/exclude=true --past-authorization",
		},
		"edited since, by another manager": {
			[]any{chartLike(false), applied(uptime, `downscaler/uptime: never`, managed(owning("kubectl-annotate", "Update", "downscaler/uptime")))},
			`with kubectl apply and kubectl replace, the last-applied configuration changes downscaler/uptime from "never" to "always", and is denied by ValidatingAdmissionPolicy guard-annotations-additions; with kubectl apply --server-side, the last-applied configuration changes downscaler/uptime from "never" to "always", and conflicts with the field manager that set it`,
			`(give downscaler/uptime the value "never")`, "--set downscaler/uptime=always",
		},
		"no fields are managed, as in manifests": {
			[]any{chartLike(false), applied(exclude, "", ", labels: {a: b}")},
			": with kubectl apply and kubectl replace, the last-applied configuration adds", "(take out downscaler/exclude)", "--set downscaler/exclude=true",
		},
		"removed since, taken back": {
			[]any{chartLike(true), applied(exclude, "", "")},
			`adds downscaler/exclude with "true", and MutatingAdmissionPolicy guard-annotations-additions makes of it that downscaler/exclude is not stored`,
			"(take out downscaler/exclude)", "--set downscaler/exclude=true",
		},
		"added since, restored": {
			[]any{chartLike(true), applied("", exclude, "")},
			`with kubectl replace, the last-applied configuration removes downscaler/exclude, which is "true", and MutatingAdmissionPolicy guard-annotations-removals makes of it that downscaler/exclude stays "true"`,
			`(give downscaler/exclude the value "true")`, "--remove downscaler/exclude",
		},
		"whatever is applied server-side": {
			[]any{presence, withMetadata(deployment("team-a", "web", `downscaler/exclude: "true"`), managed(owning("ci", "Apply", "downscaler/exclude")))},
			"with kubectl apply --server-side, what ci applied server-side changes no annotation with the prefix, and is denied by ValidatingAdmissionPolicy presence",
			"compare object with oldObject", `audit -n team-a -o 'jsonpath={.findings[?(@.id=="template-drift")].message}'`,
		},
		"the guard that holds": {
			[]any{hardened(t), applied("", exclude, "")},
			"is denied by ValidatingAdmissionPolicy downscaler-annotations-workloads", "give downscaler/exclude", "--remove downscaler/exclude",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, teamA)...), "template-drift", test.evidence)
			if f.Severity != Medium || f.Subject.Name != "web" || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// adding sets an annotation on whatever is written.
const adding = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: adding}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{metadata: Object.metadata{annotations: {"downscaler/grace-period": "1m"}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: adding}
spec: {policyName: adding}
`

func TestTemplateDriftSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"nothing has drifted":            {chartLike(false), applied(exclude, `downscaler/exclude: "true"`, "")},
		"nor under the guard that holds": {hardened(t), applied(exclude, `downscaler/exclude: "true"`, "")},
		"no annotation anywhere":         {hardened(t), applied("", "", "")},
		"nobody knows the template":      {hardened(t), deployment("team-a", "web", `downscaler/exclude: "true"`)},
		"applied server-side":            {hardened(t), withMetadata(deployment("team-a", "web", `downscaler/exclude: "true"`), managed(owning("ci", "Apply", "downscaler/exclude")))},
		"no guard":                       {applied("", `downscaler/exclude: "true"`, "")},
		"a guard that only warns":        {guard{name: "g", removals: true, resources: everyResource, actions: "[Warn]"}, applied("", `downscaler/exclude: "true"`, "")},
		"refused in any case":            {requireLabels, bindingOf("require-labels", "[Deny]"), chartLike(false), applied("", `downscaler/exclude: "true"`, "")},
		"added in any case":              {adding, applied(exclude, `downscaler/exclude: "true"`, "")},
		"a conflict alone":               {requireLabels, guard{name: "g", removals: true, resources: everyResource}, applied(uptime, `downscaler/uptime: never`, managed(owning("kubectl-annotate", "Update", "downscaler/uptime")))},
		"of another kind":                {chartLike(false), appliedAs(`"apiVersion": "apps/v1", "kind": "StatefulSet"`, "", `downscaler/exclude: "true"`, "")},
		"of another object":              {chartLike(false), strings.ReplaceAll(applied("", `downscaler/exclude: "true"`, ""), `"name": "web"`, `"name": "api"`)},
		"no manifest":                    {chartLike(false), deployment("team-a", "web", `downscaler/exclude: "true", kubectl.kubernetes.io/last-applied-configuration: "x"`)},
		"another prefix":                 {chartLike(false), applied(`"example.com/exclude": "true"`, "", "")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA)...), "template-drift")
		})
	}
}

// rollout is the Deployment web, at revision 3, with its ReplicaSets, whose annotations are in YAML's flow form.
func rollout(now, more string, replicaSets ...string) []any {
	web := deployment("team-a", "web", `deployment.kubernetes.io/revision: "3", `+now)
	all := []any{teamA, strings.Replace(web, "replicas: 1", "replicas: 1"+more, 1)}
	for i, annotations := range replicaSets {
		all = append(all, revisionOf(i+1, "1f0c", annotations))
	}
	return all
}

func revisionOf(number int, uid, annotations string) string {
	name := fmt.Sprintf("web-%d", number)
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: %[1]s
  namespace: team-a
  labels: {app: x, pod-template-hash: "%[2]d"}
  annotations: {deployment.kubernetes.io/revision: "%[2]d", %[3]s}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: %[4]s, controller: true}]
  uid: rs-%[2]d
  resourceVersion: "7"
  generation: 1
  creationTimestamp: "2026-01-02T03:04:05Z"
spec:
  replicas: 0
  selector: {matchLabels: {app: x, pod-template-hash: "%[2]d"}}
  template: {metadata: {labels: {app: x, pod-template-hash: "%[2]d"}}, spec: {containers: [{name: c, image: "registry.example/web:%[5]d"}]}}
`, name, number, annotations, uid, 4-number)
}

func TestTemplateDriftByRollback(t *testing.T) {
	for name, test := range map[string]struct {
		manifests                 []any
		message, remedy, evidence string
	}{
		"added since": {
			append(rollout(exclude, "", "", "", exclude), chartLike(false)),
			`: with kubectl rollout undo, revision 2 (ReplicaSet web-2) removes downscaler/exclude, which is "true", and is denied by ValidatingAdmissionPolicy guard-annotations-removals.`,
			"kubectl annotate replicasets.apps/web-2 -n team-a --overwrite downscaler/exclude=true", "--remove downscaler/exclude",
		},
		"removed since": {
			append(rollout("", "", "", exclude, ""), chartLike(true)),
			`with kubectl rollout undo, revision 2 (ReplicaSet web-2) adds downscaler/exclude with "true", and MutatingAdmissionPolicy guard-annotations-additions makes of it`,
			"replicasets.apps/web-2 -n team-a --overwrite downscaler/exclude-", "--set downscaler/exclude=true",
		},
		"in another order": {
			append(rollout(exclude, ""), revisionOf(2, "1f0c", ""), revisionOf(3, "1f0c", exclude), revisionOf(1, "1f0c", exclude), hardened(t)),
			"revision 2 (ReplicaSet web-2)", "replicasets.apps/web-2", "--remove downscaler/exclude",
		},
		"beside an apply": {
			append(rollout(exclude+`, kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"selector": {"matchLabels": {"app": "x"}}, "template": {"metadata": {"labels": {"app": "x"}}}}}'`, "", "", "", exclude), chartLike(false)),
			"with kubectl replace, the last-applied configuration removes downscaler/exclude, which is \"true\", and is denied by ValidatingAdmissionPolicy guard-annotations-removals; with kubectl rollout undo, revision 2",
			"Before a rollback", "--remove downscaler/exclude",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, test.manifests...), "template-drift", test.evidence)
			if f.Subject.Name != "web" || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// noOldImage refuses the image of revision 2.
const noOldImage = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-old-image}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]}
  validations: [{expression: "!object.spec.template.spec.containers.exists(c, c.image.endsWith(':2'))"}]
`

func TestTemplateDriftByRollbackSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"an older one has drifted":    rollout(exclude, "", "", exclude, exclude),
		"there is no previous one":    rollout(exclude, "", ""),
		"refused for its image":       append(rollout(exclude, "", "", "", exclude), noOldImage, bindingOf("no-old-image", "[Deny]")),
		"paused":                      rollout(exclude, "\n  paused: true", "", "", exclude),
		"of a Deployment before":      append(rollout(exclude, ""), revisionOf(2, "old", ""), revisionOf(3, "1f0c", exclude)),
		"the same template":           append(rollout(exclude, ""), strings.Replace(revisionOf(2, "1f0c", ""), "web:2", "web:1", 1), revisionOf(3, "1f0c", exclude)),
		"its labels are others":       append(rollout(exclude, ""), strings.Replace(revisionOf(2, "1f0c", ""), "labels: {app: x,", "labels: {app: z,", 1), revisionOf(3, "1f0c", exclude)),
		"its revision is no number":   append(rollout(exclude, ""), strings.Replace(revisionOf(2, "1f0c", ""), `revision: "2"`, "revision: two", 1), revisionOf(3, "1f0c", exclude)),
		"nobody owns it":              append(rollout(exclude, ""), strings.Replace(revisionOf(2, "1f0c", ""), "controller: true", "controller: false", 1), revisionOf(3, "1f0c", exclude)),
		"the annotations are as ever": rollout(exclude, "", exclude, exclude, exclude),
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, hardened(t))...), "template-drift")
		})
	}
}

// What the ReplicaSets say is not known where they may not be listed.
func TestTemplateDriftUnread(t *testing.T) {
	inv := withoutReplicaSets{load(t, append(rollout(exclude, "", "", "", exclude), chartLike(false))...)}
	report, err := Run(context.Background(), simulatorOf(t, inv), Options{})
	if err != nil {
		t.Fatal(err)
	}
	silent(t, report, "template-drift")
	if len(report.Incomplete) != 1 || report.Incomplete[0].What != "replicasets.apps" {
		t.Errorf("incomplete %v", report.Incomplete)
	}
}

type withoutReplicaSets struct{ inventory.Inventory }

func (i withoutReplicaSets) Objects(ctx context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	if len(query.Kinds) != 1 || query.Kinds[0].Resource.Resource != "replicasets" {
		return i.Inventory.Objects(ctx, query)
	}
	return func(yield func(inventory.Object, error) bool) {
		forbidden := apierrors.NewForbidden(schema.GroupResource{Group: "apps", Resource: "replicasets"}, "", errors.New("not you"))
		yield(inventory.Object{}, &inventory.ListError{Kind: query.Kinds[0], Err: forbidden})
	}
}
