package audit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func TestRunReport(t *testing.T) {
	report := auditOf(t, chartLike(false)[0], teamA, deployment("team-a", "web", `downscaler/uptime: never-ever, downscaler/exlude: "true"`), nightly)
	if report.Kind != "AuditReport" || report.Requester.Username != OrdinaryUser().Username || !slices.Equal(report.Requester.Groups, []string{"system:authenticated"}) {
		t.Errorf("head: %+v", report)
	}
	var order []string
	for _, o := range report.Objects {
		order = append(order, o.Object.Namespace+"/"+o.Object.Kind)
	}
	if want := []string{"/Namespace", "team-a/CronJob", "team-a/Deployment"}; !slices.Equal(order, want) {
		t.Errorf("order %v", order)
	}
	if s := report.Summary; s.Objects != 3 || s.Annotated != 1 || s.Guarded != (Guarded{Partial: 3}) || len(s.Findings) != 5 {
		t.Errorf("summary %+v", s)
	}
	annotations := web(t, report).Annotations
	if len(annotations) != 2 || annotations[0].Valid || annotations[1].Valid || annotations[1].Problem == "" || annotations[1].Key != "downscaler/uptime" {
		t.Errorf("annotations %+v", annotations)
	}
}

func TestNothingToAudit(t *testing.T) {
	report := auditWith(t, Options{Query: inventory.Query{Selector: labels.SelectorFromSet(labels.Set{"no": "such"})}}, teamA)
	if report.Objects == nil || report.Findings == nil || report.Incomplete == nil || report.Assumptions == nil || len(report.Findings) != 0 {
		t.Errorf("%+v", report)
	}
}

func TestOneNamespace(t *testing.T) {
	objects := []any{chartLike(false), teamA, deployment("team-a", "web", ""), deployment("team-b", "api", "")}
	for name, test := range map[string]struct {
		namespace           string
		objects, incomplete int
	}{
		"with its manifest":    {"team-a", 2, 0},
		"without its manifest": {"team-b", 1, 1}, // whether it exists decides the creation
		"that does not exist":  {"team-x", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditWith(t, Options{Query: inventory.Query{Namespace: test.namespace}}, objects...)
			if len(report.Objects) != test.objects || len(report.Incomplete) != test.incomplete {
				t.Errorf("objects %v, incomplete %v", report.Objects, report.Incomplete)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	report := auditOf(t, teamA, deployment("team-a", "web", `downscaler/uptime: always, downscaler/downtime: nonsense, downscaler/exclude: "true"`))
	for _, a := range web(t, report).Annotations {
		conflict := strings.Contains(a.Problem, "can't be used together")
		if conflict != (a.Key != "downscaler/exclude") || a.Valid == conflict {
			t.Errorf("%+v", a)
		}
	}
}

func TestFlaws(t *testing.T) {
	for annotations, want := range map[string]Flaw{
		`downscaler/uptime: always`:                               "",
		`downscaler/exlude: "true"`:                               FlawUnknownKey,
		`downscaler/uptime: sometimes`:                            FlawInvalid,
		`downscaler/downtime: always, downscaler/uptime: never`:   FlawIncompatible,
		`downscaler/downtime: whenever, downscaler/uptime: never`: FlawInvalid,
		`downscaler/exclude-until: "2026-04-30T23:59:59Z"`:        FlawExpired,
		`downscaler/exclude-until: "2026-05-30T23:59:59Z"`:        "",
	} {
		t.Run(annotations, func(t *testing.T) {
			a := web(t, auditWith(t, Options{Now: may}, teamA, deployment("team-a", "web", annotations))).Annotations[0]
			if a.Flaw != want || a.Valid != (want == "" || want == FlawExpired) || (a.Problem == "") != (want == "") {
				t.Errorf("%+v", a)
			}
		})
	}
}

func TestServedAs(t *testing.T) {
	served := inventory.NewKinds([]*restmapper.APIGroupResources{{
		Group:              metav1.APIGroup{Name: "apps", Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "apps/v2", Version: "v2"}}},
		VersionedResources: map[string][]metav1.APIResource{"v2": {{Name: "deployments", Kind: "Deployment", Namespaced: true}}},
	}})
	if kinds := GuardedKinds(served); len(kinds) != 1 || kinds[0].Resource.Version != "v2" {
		t.Errorf("%v", kinds)
	}
}

func TestManagedFields(t *testing.T) {
	managed := `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: team-a
  uid: 1f0c
  resourceVersion: "7"
  annotations: {downscaler/exclude: "true", downscaler/uptime: always}
  managedFields:
  - {manager: old, operation: Update, apiVersion: apps/v1, time: "2026-11-01T09:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {"f:downscaler/exclude": {}}}}}
  - {manager: kubectl-annotate, operation: Update, apiVersion: apps/v1, time: "2026-11-01T12:00:00+02:00", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {"f:downscaler/exclude": {}}}}}
  - {manager: other, operation: Apply, apiVersion: apps/v1, time: "2026-12-01T10:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {"f:downscaler/exclude-until": {}}}}}
`
	got := web(t, auditOf(t, teamA, managed)).Annotations
	if len(got) != 2 || got[0].SetBy != "kubectl-annotate" || got[0].SetAt != "2026-11-01T10:00:00Z" || got[1].SetBy != "" || got[1].SetAt != "" || got[0].Meaning != "always" {
		t.Errorf("%+v", got)
	}
}

func TestAsSomeoneElse(t *testing.T) {
	exempt := guard{name: "g", resources: everyResource, exempt: "^ops$"}
	ops := request.NewRequester("ops", nil, "", nil)
	report := auditWith(t, Options{Requester: ops}, exempt, teamA, deployment("team-a", "web", ""))
	if got := web(t, report).Guard; got != (Guard{allowed, allowed, allowed, allowed}) {
		t.Errorf("guard %+v", got)
	}
	silent(t, report, "no-policy")
	silent(t, report, "kind-not-covered")
	one(t, report, "removal-not-prevented")
}

// partial is an inventory that can't list everything.
type partial struct {
	inventory.Inventory
	failing string
	err     error
}

func (p partial) Objects(ctx context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	return func(yield func(inventory.Object, error) bool) {
		for object, err := range p.Inventory.Objects(ctx, query) {
			if object.Kind.Resource.Resource != p.failing && !yield(object, err) {
				return
			}
		}
		for _, kind := range query.Kinds {
			if kind.Resource.Resource == p.failing {
				yield(inventory.Object{}, &inventory.ListError{Kind: kind, Err: p.err})
			}
		}
	}
}

func TestKindThatCanNotBeListed(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Group: "batch", Resource: "cronjobs"}, "", errors.New("not you"))
	inv := partial{load(t, chartLike(false), teamA, deployment("team-a", "web", ""), nightly), "cronjobs", forbidden}
	report, err := Run(context.Background(), simulatorOf(t, inv), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Objects) != 2 || !reflect.DeepEqual(report.Incomplete, []inventory.Gap{{What: "cronjobs.batch", Why: forbidden.Error()}}) {
		t.Errorf("objects %v, incomplete %v", report.Objects, report.Incomplete)
	}
}

// endless never stops yielding.
type endless struct{ inventory.Inventory }

func (e endless) Objects(ctx context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	return func(yield func(inventory.Object, error) bool) {
		for {
			for object, err := range e.Inventory.Objects(context.WithoutCancel(ctx), query) {
				if !yield(object, err) {
					return
				}
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := Run(ctx, simulatorOf(t, endless{load(t, chartLike(false), teamA, deployment("team-a", "web", ""))}), Options{})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 2*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestSameReportEachTime(t *testing.T) {
	var manifests []any
	for i := range 40 {
		manifests = append(manifests, deployment(fmt.Sprintf("team-%d", i%3), fmt.Sprintf("web-%d", i), ""))
	}
	manifests = append(manifests, chartLike(true)[0], guard{name: "noting", resources: everyResource, actions: "[Warn]", removals: true}, requireLabels)
	first := auditWith(t, Options{Concurrency: 1}, manifests...)
	for range 3 {
		if again := auditWith(t, Options{Concurrency: 8}, manifests...); !reflect.DeepEqual(first, again) {
			t.Fatalf("differs:\n%+v\n%+v", first, again)
		}
	}
}

func TestGuardedKinds(t *testing.T) {
	kinds := GuardedKinds(load(t, teamA).Kinds())
	var resources []string
	for _, k := range kinds {
		resources = append(resources, typeOf(k))
	}
	if len(resources) != 20 || !slices.Contains(resources, "namespaces") || !slices.Contains(resources, "services") {
		t.Errorf("%d: %v", len(resources), resources)
	}
}

func BenchmarkAudit1000(b *testing.B) {
	manifests := []any{chartLike(false), teamA}
	for i := range 1000 {
		manifests = append(manifests, deployment("team-a", fmt.Sprintf("web-%04d", i), ""))
	}
	simulator := simulatorOf(b, load(b, manifests...))
	b.ReportAllocs()
	for b.Loop() {
		report, err := Run(context.Background(), simulator, Options{})
		if err != nil || report.Summary.Guarded.Full != 1001 {
			b.Fatal(err, report.Summary)
		}
	}
}
