package differential

import (
	"fmt"
	"slices"
	"strings"
)

// scope is what an expression may use.
type scope struct {
	object    string   // the object that the policy looks at
	hasParams bool     // params is there
	variables []string // of strings
}

// condition is a boolean expression, and the features that it uses.
type condition struct {
	expression string
	features   []string
}

// text returns an expression that is a string from the request, and the feature it uses.
func (g *generator) text(s scope) (expression, feature string) {
	sources := g.sources(s)
	if s.hasParams {
		param := func() (string, string) {
			return "params.data." + pick1(g, []string{"key", "limit", "message"}), "params"
		}
		sources = append(sources, param, param, param, param)
	}
	for _, name := range s.variables {
		sources = append(sources, slices.Repeat([]func() (string, string){func() (string, string) { return "variables." + name, "variables" }}, 4)...)
	}
	return evenly(g, "text", sources)()
}

// sources are what strings are taken from in every scope.
func (g *generator) sources(s scope) []func() (expression, feature string) {
	annotation := func() (string, string) { return g.annotationText(s.object), "annotations" }
	name := func() (string, string) { return s.object + ".metadata.?name.orValue('none')", "name" }
	if g.generates {
		name = annotation
	}
	return []func() (string, string){
		annotation, annotation, annotation, name,
		func() (string, string) { return "request.userInfo.username", "userInfo" },
		func() (string, string) { return "request.userInfo.groups[0]", "userInfo" },
		func() (string, string) {
			return fmt.Sprintf("request.userInfo.?extra[?%s].orValue(['none'])[0]", quote(pick1(g, []string{"scopes", "example.com/team"}))), "userInfo.extra"
		},
		func() (string, string) {
			return fmt.Sprintf("%s.metadata.?labels[?%s].orValue('none')", s.object, quote(pick1(g, g.labels))), "labels"
		},
		func() (string, string) {
			return "(namespaceObject == null ? 'none' : namespaceObject.metadata.labels['team'])", "namespaceObject"
		},
		func() (string, string) { return g.requestField(), "request fields" },
		func() (string, string) { return g.oldText(), "oldObject" },
	}
}

func (g *generator) annotationText(object string) string {
	key := quote(g.key())
	return pick1(g, []string{
		fmt.Sprintf("%s.metadata.?annotations[?%s].orValue(%s)", object, key, quote(g.value())),
		fmt.Sprintf("%s.metadata.?annotations[%s].orValue('none')", object, key),
		fmt.Sprintf("(has(%s.metadata.annotations) && %s in %s.metadata.annotations ? %s.metadata.annotations[%s] : 'none')", object, key, object, object, key),
	})
}

func (g *generator) oldText() string {
	return fmt.Sprintf("(oldObject == null ? 'none' : oldObject.metadata.?annotations[?%s].orValue('absent'))", quote(g.key()))
}

func (g *generator) requestField() string {
	return "request." + pick1(g, []string{
		"operation", "kind.kind", "kind.version", "resource.resource", "requestKind.version", "requestResource.group", "?subResource.orValue('none')",
		"?namespace.orValue('none')", "?requestSubResource.orValue('none')", "?options.?fieldManager.orValue('none')", "?options.kind.orValue('none')",
	})
}

// message returns a message that carries the marks of features, as text or as an expression. The features that
// the way of saying it uses are among the marks.
func (g *generator) message(s scope, features []string) (message, expression string) {
	plain := marks(features) + " not allowed"
	switch evenly(g, "message", []string{"text", "text", "format", "several lines", "fails", "empty", "too long", "none", "plain", "plain"}) {
	case "text":
		text, _ := g.text(s)
		return "", quote(mark("messageExpression")+marks(features)) + " + " + text
	case "format":
		return "", fmt.Sprintf("'%%s says %%s no to %%d' .format([%s, request.userInfo.username, size(request.userInfo.groups)])", quote(mark("messageExpression")+marks(features)))
	case "several lines":
		return plain + mark("messageExpression with several lines"), quote(marks(features) + "first line\nsecond line")
	case "fails":
		return plain + mark("messageExpression that fails"), fmt.Sprintf("string(%s.metadata.annotations['nobody/has-this'])", s.object)
	case "empty":
		return plain + mark("messageExpression that is empty"), pick1(g, []string{"''", "'  '", "'\\t'"})
	case "too long":
		return plain + mark("messageExpression that is too long"), "[1,2,3,4,5,6,7,8,9,10].map(i, '" + strings.Repeat("long ", 120) + "').join()"
	case "none":
		return "", ""
	}
	return plain, ""
}
