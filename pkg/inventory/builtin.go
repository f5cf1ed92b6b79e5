package inventory

import (
	_ "embed"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// builtinJSON is the version and the discovery of the newest API server known, without any custom resource.
// TestRecordBuiltin records it from a running one.
//
//go:embed builtin.json
var builtinJSON []byte

// servedKinds is what an API server says of itself.
type servedKinds struct {
	Server    Server       `json:"server"`
	Discovery servedGroups `json:"discovery"`

	// Unread are the versions of which it isn't known what they serve, and why.
	Unread map[string]string `json:"unreadVersions,omitempty"`
}

func newServedKinds(server Server, kinds *Kinds) servedKinds {
	unread := map[string]string{}
	for gv, why := range kinds.unread {
		unread[gv.String()] = why
	}
	return servedKinds{Server: server, Discovery: newServedGroups(kinds), Unread: unread}
}

// unreadVersions turns the kept form back into what Kinds has.
func (s servedKinds) unreadVersions() (map[schema.GroupVersion]string, error) {
	unread := map[schema.GroupVersion]string{}
	for version, why := range s.Unread {
		gv, err := schema.ParseGroupVersion(version)
		if err != nil {
			return nil, err
		}
		unread[gv] = why
	}
	return unread, nil
}

var builtin = sync.OnceValue(func() servedKinds {
	var served servedKinds
	if err := utiljson.Unmarshal(builtinJSON, &served); err != nil {
		panic(fmt.Sprintf("builtin.json, which is part of this program, can't be read: %v", err))
	}
	return served
})

// NewestVersion is the version of the newest API server known.
func NewestVersion() string { return builtin().Server.Version }
