package guard

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// posed is a question to both sides, with the answers that are right.
type posed struct {
	name      string
	requester request.Requester
	question  verify.Question
	// want are the outcomes that are right.
	want []simulate.Outcome
}

// prevented are the outcomes of a change that a guard stops: refused, or stored without it.
var prevented = []simulate.Outcome{simulate.Blocked, simulate.Altered}

// allowed is the outcome of a change that passes.
var allowed = []simulate.Outcome{simulate.Allowed}

// ask puts questions to the API server and to the library. Both must say the same, and that what is wanted.
func (f inForce) ask(t *testing.T, questions []posed) {
	t.Helper()
	if len(questions) == 0 {
		t.Fatal("there is nothing to ask")
	}
	type asking struct {
		batch *verify.Batch
		of    []posed
	}
	byRequester := map[string]*asking{}
	for _, q := range questions {
		who := q.requester.Username + " " + textOf(q.requester.Groups)
		if byRequester[who] == nil {
			verifier, err := verify.New(server.Admin.Config, f.simulator, verify.Options{Impersonate: &q.requester})
			if err != nil {
				t.Fatal(err)
			}
			byRequester[who] = &asking{batch: &verify.Batch{Verifier: verifier}}
		}
		a := byRequester[who]
		a.of = append(a.of, q)
		a.batch.Start(t.Context(), q.question)
	}
	for who, a := range byRequester {
		for i, r := range a.batch.Wait() {
			q := a.of[i]
			switch {
			case r.Agreement != verify.Agrees:
				t.Errorf("%s by %s: %s: %s, of %v", q.name, who, r.Agreement, r.Why, describe(r.Differences))
			case !slices.Contains(q.want, r.Server.Outcome):
				t.Errorf("%s by %s: %s, want one of %v; %+v", q.name, who, r.Server.Outcome, q.want, r.Server.Status)
			case r.Server.Outcome == simulate.Altered && !unchangedBy(r):
				t.Errorf("%s by %s is stored in part: %v", q.name, who, r.Server.Annotations)
			}
		}
	}
}

// unchangedBy says of a request whether what it would have changed is stored as it was before.
func unchangedBy(r verify.Result) bool {
	for _, c := range r.Changes {
		now, there := r.Server.Annotations[c.Key]
		if there != (c.Before != nil) || there && now != *c.Before {
			return false
		}
	}
	return true
}

func textOf(groups []string) string {
	text := ""
	for _, group := range groups {
		text += " " + group
	}
	return text
}

// get reads an object of the guard's namespace, or that namespace itself.
func (f inForce) get(t *testing.T, group, resource, name string) inventory.Object {
	t.Helper()
	kind, namespace := kindOf(t, f.inv, group, resource), f.namespace
	if !kind.Namespaced {
		namespace = ""
	}
	object, err := f.inv.Get(t.Context(), kind, namespace, name)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func kindOf(t *testing.T, inv inventory.Inventory, group, resource string) inventory.Kind {
	t.Helper()
	for _, kind := range inv.Kinds().All() {
		if kind.Resource.GroupResource() == (schema.GroupResource{Group: group, Resource: resource}) {
			return kind
		}
	}
	t.Fatalf("%s of %q are not served", resource, group)
	return inventory.Kind{}
}

// annotating is the request by which kubectl annotates.
func (f inForce) annotating(t *testing.T, who request.Requester, object inventory.Object, change request.Change, options request.Options) verify.Question {
	t.Helper()
	question, err := verify.AboutObject(f.inv, object, func(object inventory.Object) (request.Request, error) {
		return request.Annotate(who, object, change, options)
	})
	if err != nil {
		t.Fatal(err)
	}
	return question
}

// putting is a request that sends the whole object, as controllers do, with whatever change.
func (f inForce) putting(t *testing.T, who request.Requester, object inventory.Object, subresource string, change func(runtime.Object)) verify.Question {
	t.Helper()
	question, err := verify.AboutObject(f.inv, object, func(object inventory.Object) (request.Request, error) {
		r, err := request.Annotate(who, object, request.Change{}, request.Options{Subresource: subresource})
		if err == nil {
			r.Verb = "update"
			change(r.Proposed)
		}
		return r, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return question
}

// renamedTo is a copy of an object without annotations and under another name, to be created.
func renamedTo(object inventory.Object, name string) inventory.Object {
	object.Value = object.Value.DeepCopyObject()
	meta := object.Value.(metav1.Object)
	meta.SetName(name)
	meta.SetAnnotations(nil)
	if labels := meta.GetLabels(); labels["kubernetes.io/metadata.name"] != "" {
		labels["kubernetes.io/metadata.name"] = name
	}
	return object
}

func set(key, value string) request.Change {
	return request.Change{Set: map[string]string{key: value}}
}

func remove(key string) request.Change { return request.Change{Remove: []string{key}} }

func user(name string, groups ...string) request.Requester {
	return request.NewRequester(name, groups, "", nil)
}

func account(namespace, name string) request.Requester {
	return user("system:serviceaccount:" + namespace + ":" + name)
}

func describe(differences []verify.Difference) (texts []string) {
	for _, d := range differences {
		texts = append(texts, d.What)
	}
	return texts
}
