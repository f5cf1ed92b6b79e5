package differential

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

//go:embed kinds.yaml
var kindsYAML []byte

// subject is a kind that requests are about.
type subject struct {
	Manifest     Object   `json:"manifest"`
	Subresources []string `json:"subresources"`
}

// subjects are those of kinds.yaml.
var subjects = readSubjects()

func readSubjects() []subject {
	var all []subject
	if err := yaml.UnmarshalStrict(kindsYAML, &all); err != nil {
		panic(err)
	}
	return all
}

func (s subject) kind() string { return textAt(s.Manifest, "kind") }

func (s subject) isNamespace() bool { return s.kind() == "Namespace" }

func (s subject) clusterScoped() bool { return s.isNamespace() || s.kind() == "Plan" }

// isCustom says whether the API server keeps objects of this kind without a Go type.
func (s subject) isCustom() bool {
	return s.isConvertible() || s.kind() == "Rollout" || s.kind() == "Plan"
}

// isConvertible says whether it has two versions that the plugin can convert.
func (s subject) isConvertible() bool { return s.kind() == "Stack" }

func (s subject) isRollout() bool { return s.kind() == "Rollout" }

func (s subject) isPlan() bool { return s.kind() == "Plan" }

func (s subject) isCustomWithStatus() bool { return s.isRollout() || s.isPlan() }

func (s subject) isAutoscaler() bool { return s.kind() == "HorizontalPodAutoscaler" }

func (s subject) hasScale() bool { return slices.Contains(s.Subresources, "scale") }

// namespaces adds the group's two namespaces, which differ in a label.
func (g *generator) namespaces() {
	for _, suffix := range []string{"a", "b"} {
		labels := Object{"group": placeholder, "team": suffix}
		if g.chance(2) {
			labels["example.com/tier"] = pick1(g, []string{"a", "b", "c"})
		}
		g.group.Objects = append(g.group.Objects, Object{
			"apiVersion": "v1", "kind": "Namespace",
			"metadata": Object{"name": placeholder + "-" + suffix, "labels": labels, "annotations": toObject(g.annotations())},
		})
	}
}

// chooseSubjects chooses up to three kinds. Two versions of an autoscaler are rarely together: only the API server
// converts between them.
func (g *generator) chooseSubjects(about func(subject) bool) {
	from := subjects
	if about != nil {
		from = slices.DeleteFunc(slices.Clone(subjects), func(s subject) bool { return !about(s) })
	}
	together := g.chance(20)
	for range 1 + g.IntN(3) {
		s := evenly(g, "subject", from)
		again := slices.ContainsFunc(g.subjects, func(chosen subject) bool { return chosen.kind() == s.kind() })
		if !again || together || !s.isAutoscaler() {
			g.subjects = append(g.subjects, s)
		}
	}
}

// subject returns one of the group's kinds, mostly the first.
func (g *generator) subject() subject {
	if g.chance(3) {
		return pick1(g, g.subjects)
	}
	return g.subjects[0]
}

// storeObjects adds an object of each kind to each namespace, for requests to change. Those of the second namespace were
// applied client-side once.
func (g *generator) storeObjects() {
	stored := map[string]bool{}
	for _, s := range g.subjects {
		if stored[s.kind()] || s.isNamespace() { // the namespaces are there already
			continue
		}
		stored[s.kind()] = true
		g.group.Objects = append(g.group.Objects, g.object(s, "stored", "a"), g.applied(g.object(s, "stored", "b")))
	}
}

// applied notes on an object what it was applied as: the same, with other annotations.
func (g *generator) applied(object Object) Object {
	last := clone(object)
	metadata := last["metadata"].(Object)
	metadata["annotations"] = toObject(g.annotations())
	content, err := json.Marshal(last)
	if err != nil {
		panic(err) // nothing but maps, lists and strings
	}
	annotations, _ := at(object, "metadata", "annotations").(Object)
	if annotations == nil {
		annotations = Object{}
		object["metadata"].(Object)["annotations"] = annotations
	}
	annotations[corev1.LastAppliedConfigAnnotation] = string(content) + "\n"
	return object
}

// object returns a new object. In the cluster's scope the suffix that else is the namespace's is the name's.
func (g *generator) object(s subject, name, suffix string) Object {
	object := clone(s.Manifest)
	metadata := Object{"name": name, "namespace": placeholder + "-" + suffix, "labels": g.objectLabels()}
	if s.clusterScoped() {
		delete(metadata, "namespace")
		metadata["name"] = fmt.Sprintf("%s-%s", placeholder, suffix)
		if name != "stored" {
			metadata["name"] = fmt.Sprintf("%s-%s-%s", placeholder, suffix, name)
		}
	}
	if annotations := g.annotations(); len(annotations) > 0 {
		metadata["annotations"] = toObject(annotations)
	}
	object["metadata"] = metadata
	return object
}

func clone(object Object) Object {
	var copied Object
	replaceIn(object, &copied, placeholder, placeholder)
	return copied
}

// storeParams adds parameters of each kind: none, one or two of them carry a label that selectors look for.
func (g *generator) storeParams() {
	for _, suffix := range []string{"a", "b"} {
		for i := range 2 {
			metadata := func(labels ...string) Object {
				return Object{
					"name": fmt.Sprintf("param%d", i), "namespace": placeholder + "-" + suffix,
					"labels": Object{"use": pick1(g, labels), "group": placeholder},
				}
			}
			data := Object{"key": g.key(), "limit": fmt.Sprint(g.IntN(10)), "message": "from " + suffix}
			g.group.Objects = append(g.group.Objects,
				Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata("x", "x", "y"), "data": data},
				Object{"apiVersion": "differential.example.com/v1", "kind": "Setting", "metadata": metadata("x", "x", "y"), "data": data})
		}
		g.group.Objects = append(g.group.Objects, Object{
			"apiVersion": "differential.example.com/v1", "kind": "ClusterSetting",
			"metadata": Object{"name": placeholder + "-" + suffix, "labels": Object{"group": placeholder, "use": pick1(g, []string{"x", "y"})}},
			"data":     Object{"key": g.key(), "limit": fmt.Sprint(g.IntN(10)), "message": "from cluster"},
		})
	}
}
