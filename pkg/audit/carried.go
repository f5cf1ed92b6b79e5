package audit

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// carried is one annotation of one object, as the rules about values look at it.
type carried struct {
	Annotation
	row Object
}

// carried yields the annotations of all objects audited, but for those whose value a snapshot took out.
func (v *view) carried() iter.Seq[carried] {
	return func(yield func(carried) bool) {
		for _, row := range v.gathered.rows {
			for _, a := range row.Annotations {
				if !inventory.HoldsRedacted(a.Value) && !yield(carried{a, row}) {
					return
				}
			}
		}
	}
}

// finding is one about this annotation, without a message and a remedy.
func (v *view) finding(c carried) Finding {
	return Finding{
		Subject: Subject{
			Kind: c.row.Object.Kind, Namespace: c.row.Object.Namespace, Name: c.row.Object.Name,
			Field: inventory.FieldPath("metadata", "annotations", c.Key),
		},
		Evidence: v.valuesEvidence(c.row),
	}
}

// valuesEvidence is the audit of an object's namespace that prints the object's annotations and what is wrong with them.
func (v *view) valuesEvidence(row Object) string {
	namespace := row.Object.Namespace
	if row.isNamespace() {
		namespace = row.Object.Name
	}
	scope := []string{"-n", namespace}
	if namespace == "" {
		scope = []string{"-A"}
	}
	template := fmt.Sprintf(`go-template={{range .objects}}{{if and (eq .object.kind %q) (eq .object.name %q)}}{{range .annotations}}{{.key}}={{.value}}{{with .problem}}: {{.}}{{end}}{{"\n"}}{{end}}{{end}}{{end}}`,
		row.Object.Kind, row.Object.Name)
	return commandLine(append(append([]string{"audit"}, scope...), "-o", template), v.flags)
}

// groupKind is the object's kind.
func (o Object) groupKind() schema.GroupKind {
	return schema.FromAPIVersionAndKind(o.Object.APIVersion, o.Object.Kind).GroupKind()
}

func (o Object) isNamespace() bool { return o.groupKind() == downscaler.Namespace.GroupKind() }

// values are all annotations of the object.
func (o Object) values() map[string]string {
	values := map[string]string{}
	for _, a := range o.Annotations {
		values[a.Key] = a.Value
	}
	return values
}

// annotate is the command that changes the object's annotations; an argument is KEY=VALUE or KEY-.
func (o Object) annotate(changes ...string) string {
	return annotateCommand(o.Resource, o.Object, changes...)
}

// set is the command that gives the annotation another value.
func (c carried) set(value string) string {
	return c.row.annotate("--overwrite", c.Key+"="+value)
}

// remove is the command that removes the annotation.
func (c carried) remove() string { return c.row.annotate(c.Key + "-") }

// who names the annotation's field manager, as a sentence with a space before it; it is empty where managedFields don't tell.
func (c carried) who() string {
	if c.SetBy == "" {
		return ""
	}
	return " " + strings.ToUpper(c.manager()[:1]) + c.manager()[1:] + "."
}

// manager names the field manager and when it wrote last. It is no user: managedFields know none.
func (a Annotation) manager() string {
	if a.SetAt == "" {
		return "its field manager is " + a.SetBy
	}
	return "its field manager is " + a.SetBy + ", which wrote last at " + a.SetAt
}

// shown is a value in quotes, cut where it is long.
func shown(value string) string {
	const most = 200
	if len(value) <= most {
		return fmt.Sprintf("%q", value)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(value[cut]) {
		cut--
	}
	return strings.TrimSuffix(fmt.Sprintf("%q", value[:cut]), `"`) + `…"`
}
