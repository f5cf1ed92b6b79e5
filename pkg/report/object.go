package report

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// noNamespace stands in tables for the namespace of objects that have none.
const noNamespace = "-"

// shortName is an object as people type it: deployment/web.
func shortName(ref simulate.ObjectRef) string {
	return escape(strings.ToLower(ref.Kind) + "/" + objectName(ref))
}

// fullName is an object as kubectl's -o name has it: deployment.apps/web.
func fullName(ref simulate.ObjectRef) string {
	kind := strings.ToLower(ref.Kind)
	if group := groupVersion(ref).Group; group != "" {
		kind += "." + group
	}
	return escape(kind + "/" + objectName(ref))
}

// located is an object with its namespace before it: team-a deployment/web.
func located(ref simulate.ObjectRef) string {
	if ref.Namespace == "" {
		return shortName(ref)
	}
	return escape(ref.Namespace) + " " + shortName(ref)
}

func objectName(ref simulate.ObjectRef) string {
	if ref.Name == "" && ref.GenerateName != "" {
		return ref.GenerateName + "<generated>"
	}
	return ref.Name
}

func namespaceCell(ref simulate.ObjectRef) string {
	if ref.Namespace == "" {
		return noNamespace
	}
	return escape(ref.Namespace)
}

// plural is the resource of a kind: deployments.
func plural(ref simulate.ObjectRef) string {
	resource, _ := meta.UnsafeGuessKindToResource(groupVersion(ref).WithKind(ref.Kind))
	return escape(resource.Resource)
}

// groupVersion tolerates an apiVersion that no API server would serve: its text is then the group.
func groupVersion(ref simulate.ObjectRef) schema.GroupVersion {
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return schema.GroupVersion{Group: ref.APIVersion}
	}
	return gv
}
