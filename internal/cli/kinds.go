package cli

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// resolveType finds the kinds that a TYPE argument means: one, or several where it is a category such as "all".
func resolveType(kinds *inventory.Kinds, argument string) ([]inventory.Kind, error) {
	if members := categoryKinds(kinds, argument); len(members) > 0 {
		return members, nil
	}
	kind, err := kinds.Resolve(argument)
	if err != nil {
		return nil, asUsage(err)
	}
	return []inventory.Kind{kind}, nil
}

func categoryKinds(kinds *inventory.Kinds, category string) []inventory.Kind {
	var members []inventory.Kind
	for _, group := range kinds.Groups() {
		version := group.Group.PreferredVersion
		for _, resource := range group.VersionedResources[version.Version] {
			isMember := func(kind inventory.Kind) bool {
				return kind.Resource.GroupVersion().String() == version.GroupVersion && kind.Resource.Resource == resource.Name
			}
			if i := slices.IndexFunc(kinds.All(), isMember); i >= 0 && slices.Contains(resource.Categories, category) {
				members = append(members, kinds.All()[i])
			}
		}
	}
	return members
}
