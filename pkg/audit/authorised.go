package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// authorised is somebody who may make changes by roles and bindings, and whom the guard lets make some that it prevents for an
// ordinary user.
type authorised struct {
	subject authorization.Subject
	// passes are the changes, told apart by the policies that prevent them for others, each with an example.
	passes map[string]example
	// made are the requests of these examples.
	made []authorizer.AttributesRecord
}

// shown is the first of the examples.
func (a *authorised) shown() example {
	var least *example
	for _, key := range slices.Sorted(maps.Keys(a.passes)) {
		e := a.passes[key]
		least = lesser(least, &e)
	}
	return *least
}

// gainsOver says whether somebody could do more as this one than as themselves.
func (a *authorised) gainsOver(other *authorised) bool {
	if other == nil {
		return true
	}
	for key := range a.passes {
		if _, both := other.passes[key]; !both {
			return true
		}
	}
	return false
}

// prevented are the changes of one object that the guard prevents for an ordinary user, one for each set of policies that prevent it.
type prevented struct {
	probe tried
	by    string
}

// authorised finds whom the guard lets through among the writers of a guarded object of each kind in each namespace. Who is a writer of
// several is tried once by the policies that guard them, and once more in an own namespace.
func (v *view) authorised(ctx context.Context, rbac *authorization.RBAC) (map[authorization.Subject]*authorised, error) {
	search := &search{view: v, rbac: rbac, found: map[authorization.Subject]*authorised{}, tried: map[string]bool{}}
	for _, t := range v.kinds {
		objects := v.sampleOf(t.kind).guarded()
		if len(objects) == 0 {
			continue
		}
		guard := v.preventedOn(ctx, objects[0])
		for _, object := range objects {
			if err := search.look(ctx, object, guard); err != nil {
				return nil, err
			}
		}
	}
	return search.found, nil
}

// guarded are the objects of which the most is prevented, one for each namespace, by namespace.
func (s *samples) guarded() []inventory.Object {
	var objects []inventory.Object
	for key, one := range s.best {
		if key.what == "guarded" {
			objects = append(objects, one.object)
		}
	}
	slices.SortFunc(objects, func(a, b inventory.Object) int { return compareRefs(Ref(a), Ref(b)) })
	return objects
}

func (v *view) preventedOn(ctx context.Context, object inventory.Object) []prevented {
	var list []prevented
	seen := map[string]bool{}
	for _, t := range v.trier("").try(ctx, object) {
		by := fmt.Sprint(policiesOf(t.acting))
		if t.Column != ColumnCreate && t.protection.Prevents() && !seen[by] {
			seen[by] = true
			list = append(list, prevented{t, by})
		}
	}
	return list
}

// search is the search for those whom the guard lets through.
type search struct {
	view  *view
	rbac  *authorization.RBAC
	found map[authorization.Subject]*authorised
	tried map[string]bool
}

// look tries the writers of one object.
func (s *search) look(ctx context.Context, object inventory.Object, guard []prevented) error {
	writers, err := s.writers(ctx, object)
	if err != nil {
		return err
	}
	for _, writer := range writers {
		for _, p := range guard {
			once := fmt.Sprint(writer.Subject, p.by, writer.Subject.Namespace != "" && writer.Subject.Namespace == object.Meta().GetNamespace())
			if s.tried[once] {
				continue
			}
			s.tried[once] = true
			s.try(ctx, writer.Subject, object, p)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// writers reads the service accounts only where some of them may be among the writers as members of a group.
func (s *search) writers(ctx context.Context, object inventory.Object) ([]authorization.Grant, error) {
	writers := Writers(s.rbac, nil, object, "")
	if !slices.ContainsFunc(writers, func(w authorization.Grant) bool { return HasAccounts(w.Subject) }) {
		return writers, nil
	}
	accounts, err := s.view.accounts(ctx)
	if err != nil {
		return nil, err
	}
	return Writers(s.rbac, accounts, object, ""), nil
}

// try makes a change that an ordinary user can't make on an object, as somebody else.
func (s *search) try(ctx context.Context, who authorization.Subject, object inventory.Object, p prevented) {
	t := s.view.trier("")
	ordinary := p.probe
	probe := probeLike(p.probe.Probe, object)
	if Ref(object) != Ref(p.probe.Object) {
		ordinary = t.tryProbe(ctx, probe, &controls{trier: t, object: object})
	}
	as := *t
	as.requester = who.Requester()
	one := as.tryProbe(ctx, probe, &controls{trier: &as, object: object})
	for _, gap := range one.gaps(object, "") {
		s.view.gathered.incomplete[inventory.Gap{What: fmt.Sprintf("whether the guard lets %s through, and who can act as them", who), Why: cmp.Or(gap.Why, gap.What)}] = true
	}
	if !ordinary.protection.Prevents() || !passes(one.protection) {
		return
	}
	if s.found[who] == nil {
		s.found[who] = &authorised{subject: who, passes: map[string]example{}}
	}
	a := s.found[who]
	a.passes[p.by] = exampleOf(one)
	if authorization.ImpersonatesConstrained(s.view.inventory.Server().Version) {
		a.made = append(a.made, Writings(object, "")...)
	}
}

// probeLike is the same change of another object, of the same key if that object has such a probe.
func probeLike(like Probe, object inventory.Object) Probe {
	probes := Probes(object)
	at := slices.IndexFunc(probes, func(p Probe) bool { return p.Column == like.Column && p.Key == like.Key })
	if at < 0 {
		at = slices.IndexFunc(probes, func(p Probe) bool { return p.Column == like.Column }) // each object has one of each column
	}
	return probes[at]
}

func compareSubjects(a, b authorization.Subject) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
