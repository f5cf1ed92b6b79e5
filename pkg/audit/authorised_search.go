package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// authorised finds whom the guard lets through among the writers of a guarded object of each kind in each namespace. Who is a writer of
// several is tried once by the policies that guard them, and once more in an own namespace.
func (v *view) authorised(ctx context.Context, rbac *authorization.RBAC) (map[authorization.Subject]*authorised, error) {
	if v.parties != nil {
		return v.parties, nil
	}
	search := &search{view: v, rbac: rbac, joint: NewJoint(v.simulator.Policies(), rbac), found: map[authorization.Subject]*authorised{}, tried: map[string]bool{}}
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
	v.parties = search.found
	return v.parties, nil
}

// prevented are the changes of one object that the guard prevents for an ordinary user, one for each set of policies that prevent it.
type prevented struct {
	probe tried
	by    string
}

// guarded are the objects of which the most is prevented, one for each namespace, by namespace.
func (s *samples) guarded() []inventory.Object {
	var objects []inventory.Object
	for key, one := range s.best {
		if key.what == "guarded" {
			objects = append(objects, one.object)
		}
	}
	slices.SortFunc(objects, func(a, b inventory.Object) int { return Ref(a).Compare(Ref(b)) })
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
	joint *Joint
	found map[authorization.Subject]*authorised
	tried map[string]bool
}

// look tries the writers of one object, and then those who are somebody else together with one of them.
func (s *search) look(ctx context.Context, object inventory.Object, guard []prevented) error {
	writers, err := s.writers(ctx, object)
	if err != nil {
		return err
	}
	var subjects []authorization.Subject
	for _, writer := range writers {
		subjects = append(subjects, writer.Subject)
		if err := s.lookAs(ctx, object, guard, writer.Subject, writer.Subject.Requester(), nil); err != nil {
			return err
		}
	}
	for _, path := range s.joint.Paths(subjects, s.passes, s.view.made(object)...) {
		if err := s.lookAs(ctx, object, guard, path.To, path.Requester, &path.Path); err != nil {
			return err
		}
	}
	return nil
}

// passes says whether somebody gets through themselves, as far as was tried.
func (s *search) passes(who authorization.Subject) bool {
	return s.found[who] != nil && s.found[who].direct
}

// lookAs tries what is prevented on an object in the name of one requester: that of a subject, or of one who is somebody else as well.
func (s *search) lookAs(ctx context.Context, object inventory.Object, guard []prevented, who authorization.Subject, as request.Requester, joint *authorization.Path) error {
	for _, p := range guard {
		own := who.Namespace != "" && who.Namespace == object.Meta().GetNamespace()
		once := fmt.Sprint(who, as.Username, as.Groups, p.by, own)
		if joint != nil {
			once += fmt.Sprint(joint.From)
		}
		if s.tried[once] {
			continue
		}
		s.tried[once] = true
		s.try(ctx, who, as, object, p, joint)
		if ctx.Err() != nil {
			return ctx.Err()
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
func (s *search) try(ctx context.Context, who authorization.Subject, requester request.Requester, object inventory.Object, p prevented, joint *authorization.Path) {
	t := s.view.trier("")
	ordinary := p.probe
	probe := probeLike(p.probe.Probe, object)
	if Ref(object) != Ref(p.probe.Object) {
		ordinary = t.tryProbe(ctx, probe, &controls{trier: t, object: object})
	}
	as := *t
	as.requester = requester
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
	a.made = append(a.made, s.view.made(object)...)
	if joint == nil {
		a.direct = true
	} else {
		a.take(*joint)
	}
}

// made are the requests that write an object, where it matters to who may act as somebody else.
func (v *view) made(object inventory.Object) []authorizer.AttributesRecord {
	if !authorization.ImpersonatesConstrained(v.inventory.Server().Version) {
		return nil
	}
	return Writings(object, "")
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
