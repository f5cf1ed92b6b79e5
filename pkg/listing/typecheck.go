package listing

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// typeCheck has a policy checked by the API server's own checker, which on a cluster runs in the controller manager.
func (l *lister) typeCheck(ctx context.Context, s subject) TypeCheck {
	p, isValidating := s.object.(*admissionregistrationv1.ValidatingAdmissionPolicy)
	if !isValidating {
		return notChecked(s.kind, "the API server type-checks validating policies only")
	}
	if policy.Newer(l.inventory.Server().Version) {
		checked := notChecked(s.kind, "the server is newer than the newest version that this program knows")
		checked.Stored = storedIn(p)
		return checked
	}
	schemas := &schemaSource{ctx: ctx, inventory: l.inventory, asked: map[schema.GroupVersionKind]error{}}
	checker := &validating.TypeChecker{SchemaResolver: schemas, RestMapper: l.inventory.Kinds().Mapper()}
	found := TypeCheck{Stored: storedIn(p)}
	for _, w := range checker.Check(p) {
		found.Warnings = append(found.Warnings, Remark{Field: w.FieldRef, Message: schemas.withoutNumbers(w.Warning)})
	}
	l.sumUp(&found, p, schemas)
	return found
}

func notChecked(what, why string) TypeCheck {
	return TypeCheck{State: TypesNotChecked, NotChecked: []inventory.Gap{{What: what, Why: why}}}
}

// sumUp says what was checked and what was not.
func (l *lister) sumUp(found *TypeCheck, p *admissionregistrationv1.ValidatingAdmissionPolicy, schemas *schemaSource) {
	left := leftOut{checked: schemas.asked, kinds: l.inventory.Kinds()}
	found.Kinds, found.NotChecked = left.of(p)
	unread := schemas.unread()
	if unread != nil {
		l.incomplete("the type check of "+kindValidating+" "+p.Name, unread.Error())
	}
	switch {
	case len(found.Warnings) > 0:
		found.State = TypesWarned
	case unread != nil:
		found.State = TypesUnknown
	case len(found.Kinds) == 0:
		found.State = TypesNotChecked
	case len(found.NotChecked) > 0:
		found.State = TypesPartial
	default:
		found.State = TypesPassed
	}
	if server := l.inventory.Server(); server.Source == inventory.SourceFiles && len(found.Kinds) > 0 && !sameMinor(server.Version, inventory.NewestVersion()) {
		l.report.Assumptions = append(l.report.Assumptions, inventory.Gap{
			What: "type checks",
			Why:  fmt.Sprintf("they go by the built-in kinds' schemas of Kubernetes %s, and those of %s are not known", inventory.NewestVersion(), server.Version),
		})
	}
}

// storedIn is what the status holds.
func storedIn(p *admissionregistrationv1.ValidatingAdmissionPolicy) *StoredTypeCheck {
	if p.Status.TypeChecking == nil {
		return nil
	}
	stored := &StoredTypeCheck{Current: p.Status.ObservedGeneration == p.Generation}
	for _, w := range p.Status.TypeChecking.ExpressionWarnings {
		stored.Warnings = append(stored.Warnings, Remark{Field: w.FieldRef, Message: w.Warning})
	}
	return stored
}

// schemaSource gives the checker the inventory's schemas and remembers which it asked for, and what became of that.
type schemaSource struct {
	ctx       context.Context
	inventory inventory.Inventory
	asked     map[schema.GroupVersionKind]error
}

// ResolveSchema implements resolver.SchemaResolver.
func (s *schemaSource) ResolveSchema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	found, err := s.inventory.Schema(s.ctx, kind)
	s.asked[kind] = err
	if errors.As(err, new(*inventory.NoSchemaError)) {
		return nil, fmt.Errorf("%w: %w", resolver.ErrSchemaNotFound, err)
	}
	return found, err
}

// unread is why some schema is not known, other than that there is none.
func (s *schemaSource) unread() error {
	for _, kind := range inOrder(s.asked) {
		if err := s.asked[kind]; err != nil && !errors.As(err, new(*inventory.NoSchemaError)) {
			return err
		}
	}
	return nil
}

// withoutNumbers takes the numbers out that the checker puts behind a kind to make a type's name its own
// (k8s.io/apiserver, generateUniqueTypeName), and that differ from run to run.
func (s *schemaSource) withoutNumbers(warning string) string {
	for _, kind := range inOrder(s.asked) {
		warning = regexp.MustCompile(`\b`+regexp.QuoteMeta(kind.Kind)+`\d+\b`).ReplaceAllString(warning, kind.Kind)
	}
	return strings.TrimSpace(warning)
}
