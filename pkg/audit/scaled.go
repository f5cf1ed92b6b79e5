package audit

import (
	"context"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// scaledKinds are the kinds that some downscaler scales, if one was found, and the further keys that it reads times of deployment from.
type scaledKinds struct {
	found    bool
	ids      []string
	timeKeys []string
}

func (s *scaledKinds) merge(other scaledKinds) {
	s.found = s.found || other.found
	s.ids = append(s.ids, other.ids...)
	s.timeKeys = append(s.timeKeys, other.timeKeys...)
}

// lookForDownscaler reads the arguments of a Deployment that runs the downscaler.
func (g *gathered) lookForDownscaler(object inventory.Object) {
	deployment, ok := object.Value.(*appsv1.Deployment)
	if !ok || slices.ContainsFunc(object.Redacted, func(path string) bool { return strings.Contains(path, ".args") }) {
		return
	}
	for _, c := range deployment.Spec.Template.Spec.Containers {
		if isDownscaler(c) {
			args := append(slices.Clone(c.Command), c.Args...)
			g.scaled.merge(scaledKinds{found: true, ids: includedResources(args), timeKeys: argumentsOf(args, deploymentTimeAnnotation)})
		}
	}
}

// isDownscaler goes by the image's name: gokubedownscaler, whatever the registry and the tag.
func isDownscaler(c corev1.Container) bool {
	name := c.Image[strings.LastIndex(c.Image, "/")+1:]
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, ":")
	return strings.EqualFold(name, "gokubedownscaler")
}

// The downscaler's flags that matter here (internal/pkg/util/config.go there).
const (
	includeResources         = "-include-resources"
	deploymentTimeAnnotation = "-deployment-time-annotation"
)

// argumentsOf are the values that the arguments give a flag. Like Go's flags it may have one dash or two, and the value behind "=" or as
// the next argument.
func argumentsOf(args []string, flag string) []string {
	var values []string
	for i, arg := range args {
		name, value, inline := strings.Cut(arg, "=")
		if name != flag && name != "-"+flag {
			continue
		}
		if !inline && i+1 < len(args) {
			value = args[i+1]
		}
		values = append(values, value)
	}
	return values
}

// includedResources are the ids that the arguments name, else the downscaler's default.
func includedResources(args []string) []string {
	if values := argumentsOf(args, includeResources); len(values) > 0 {
		return strings.Split(values[0], ",")
	}
	var ids []string
	for _, k := range downscaler.Kinds() {
		if k.Default {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// scaledResources are the resources that the downscaler is known to scale; known is false where nothing says so. In an
// audit of a part the downscaler is looked for in all namespaces, since what it scales does not depend on what is
// audited. Where Deployments may not be listed, or not all of them, those that were read count.
func (v *view) scaledResources(ctx context.Context) (resources map[schema.GroupResource]bool, known bool) {
	ids := v.scaled
	if len(ids) == 0 {
		found := v.downscalers(ctx)
		if !found.found {
			return nil, false
		}
		ids = found.ids
	}
	resources = map[schema.GroupResource]bool{}
	for _, id := range ids {
		if kind, found := downscaler.KindByID(id); found {
			resources[kind.Resource.GroupResource()] = true
		}
	}
	return resources, true
}

// downscalers are what all downscalers scale.
func (v *view) downscalers(ctx context.Context) scaledKinds {
	if v.whole {
		return v.gathered.scaled
	}
	deployments, served := servedAs(v.inventory.Kinds(), appsv1.SchemeGroupVersion.WithResource("deployments"))
	if !served {
		return v.gathered.scaled
	}
	everywhere := newGathered()
	for object, err := range v.inventory.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{deployments}}) {
		if err != nil {
			everywhere.scaled.merge(v.gathered.scaled)
			break
		}
		everywhere.lookForDownscaler(object)
	}
	return everywhere.scaled
}
