package verify

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func TestAgrees(t *testing.T) {
	requester := request.NewRequester("dev", []string{"ops"}, "7", map[string][]string{"example.com/Team": {"a"}})
	r := newRig(t, objects, Options{Impersonate: &requester}, stores(`{"downscaler/exclude":"true","downscaler/uptime":"never","other":"x"}`), nil)
	got := r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true"))
	expect(t, got, Agrees, "")
	w := r.writes[0]
	if w.method != "PATCH" || w.path != "/apis/apps/v1/namespaces/team-a/deployments/web" || w.header.Get("Content-Type") != "application/merge-patch+json" ||
		w.body != `{"metadata":{"annotations":{"downscaler/exclude":"true"}}}` {
		t.Errorf("%+v", w)
	}
	if w.query.Get("dryRun") != "All" || w.query.Get("fieldManager") != "kubectl-annotate" {
		t.Errorf("%v", w.query)
	}
	for header, want := range map[string]string{
		"Impersonate-User": "dev", "Impersonate-Uid": "7", "Impersonate-Group": "ops", "Impersonate-Extra-Example.com%2fteam": "a",
	} {
		if values := w.header.Values(header); len(values) != 1 || values[0] != want {
			t.Errorf("%s: %v in %v", header, values, w.header)
		}
	}
	if len(got.Changes) != 1 || got.Changes[0].Key != "downscaler/exclude" || got.Server.Outcome != "Allowed" {
		t.Errorf("%+v", got)
	}
}

func TestAgreesOnAnyDenial(t *testing.T) {
	for _, policy := range []string{"one", "two"} {
		r := newRig(t, objects+denying("one", "Deny")+denying("two", "Deny"), Options{}, denies(policy), nil)
		got := r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true"))
		expect(t, got, Agrees, "")
		if r.writes[0].header.Get("Impersonate-User") != "" {
			t.Error("as-me impersonates")
		}
	}
}

// TestDisagrees: each thing that differs is found.
func TestDisagrees(t *testing.T) {
	guarded := objects + denying("one", "Deny")
	warned := objects + denying("one", "Warn")
	for _, c := range []struct {
		name, manifests, want string
		answer                http.HandlerFunc
	}{
		{"verdict, simulated blocked", guarded, "outcome status.message", stores(`{"downscaler/exclude":"true","downscaler/uptime":"never"}`)},
		{"verdict, simulated allowed", objects, "outcome status.message", denies("one")},
		{"message", guarded, "status.details status.message", denies("other")},
		{"code and reason", guarded, "status.code status.details status.message status.reason", func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, 403, metav1.StatusReasonForbidden, "no")
		}},
		{"an annotation that is not there", objects, "annotations[downscaler/exclude]", stores(`{"downscaler/uptime":"never"}`)},
		{"another value, and one more", objects, "annotations[downscaler/exclude] annotations[downscaler/x]", stores(`{"downscaler/exclude":"false","downscaler/uptime":"never","downscaler/x":""}`)},
		{"a warning that does not come", warned, "warnings", stores(`{"downscaler/exclude":"true","downscaler/uptime":"never"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.manifests, Options{}, c.answer, nil)
			got := r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true"))
			if got.Agreement != Disagrees || whats(got.Differences) != c.want {
				t.Errorf("%s: %s (%s), want %s", got.Agreement, whats(got.Differences), got.Why, c.want)
			}
			if len(got.Steps) == 0 && c.manifests != objects {
				t.Error("no steps to find the mistake by")
			}
		})
	}
}

func TestWarningsThatMayDiffer(t *testing.T) {
	text := "Validation failed for ValidatingAdmissionPolicy 'one' with binding 'one': says one"
	r := newRig(t, objects+denying("one", "Warn"), Options{}, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Add("Warning", `299 - "apps/v1 Deployment is old"`)
		w.Header().Add("Warning", `299 - "`+text+`"`)
		stores(`{"downscaler/exclude":"true","downscaler/uptime":"never"}`)(w, q)
	}, nil)
	expect(t, r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true")), Agrees, "")
	if long := text + strings.Repeat("x", 300); !sameWarning(long, long[:256]) || sameWarning(long, long[:255]) || sameWarning(text, text+"!") {
		t.Error("truncated warnings")
	}
}

func TestDeletion(t *testing.T) {
	r := newRig(t, objects, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Success"}`)
	}, nil)
	expect(t, r.verifier.Run(t.Context(), r.set(t, request.Options{Operation: admission.Delete})), Agrees, "")
	w := r.writes[0]
	if w.method != "DELETE" || w.query.Get("dryRun") != "All" || w.body != `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background","dryRun":["All"]}` {
		t.Errorf("%+v", w)
	}
}

// TestCreationOfWhatExists asks under another name what would be stored.
func TestCreationOfWhatExists(t *testing.T) {
	r := newRig(t, objects, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 409, metav1.StatusReasonAlreadyExists, `deployments.apps "web" already exists`)
	}, nil)
	got := r.verifier.Run(t.Context(), r.set(t, request.Options{Operation: admission.Create}, "exclude=true"))
	if len(r.writes) != 2 || !strings.Contains(r.writes[1].body, `"name":"web-dry-run"`) || got.Object.Name != "web" {
		t.Errorf("%d writes, %+v", len(r.writes), got)
	}
}

// changing is an inventory whose object is a new one each time it is read.
type changing struct {
	inventory.Inventory
	reads int
	limit int
}

// Get counts, and changes the object's version as long as its limit allows. The first read is the test's own.
func (c *changing) Get(ctx context.Context, kind inventory.Kind, namespace, name string) (inventory.Object, error) {
	object, err := c.Inventory.Get(ctx, kind, namespace, name)
	if c.reads++; c.reads > 1 && err == nil {
		object.Value = object.Value.DeepCopyObject()
		object.Meta().SetResourceVersion(strconv.Itoa(min(c.reads, c.limit+1)))
	}
	return object, err
}

func TestRace(t *testing.T) {
	for _, c := range []struct {
		limit, writes int
		want          Agreement
		why           string
	}{{0, 1, Disagrees, ""}, {1, 2, Agrees, ""}, {9, 2, NotAsked, "changes faster"}} {
		answers := 0
		r := newRig(t, objects, Options{}, func(w http.ResponseWriter, q *http.Request) {
			if answers++; answers == 1 || c.want == NotAsked {
				refuse(w, 409, metav1.StatusReasonConflict, "the object has been modified")
				return
			}
			stores(`{"downscaler/exclude":"true","downscaler/uptime":"never"}`)(w, q)
		}, nil)
		r.inv = &changing{Inventory: r.inv, limit: c.limit}
		got := r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true"))
		expect(t, got, c.want, c.why)
		if len(r.writes) != c.writes {
			t.Errorf("asked %d times, want %d", len(r.writes), c.writes)
		}
	}
}
