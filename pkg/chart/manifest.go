package chart

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime"
)

// Manifest is an object with what there is to say about it.
type Manifest struct {
	Object runtime.Object
	// About stands before the object.
	About string
	// Comments stand before fields, by their paths, such as "spec.failurePolicy".
	Comments map[string]string
}

// write returns manifests as a YAML stream, ready to apply. apiVersions are by kind.
func write(manifests []Manifest, apiVersions map[string]string) ([]byte, error) {
	var out bytes.Buffer
	for i, m := range manifests {
		node, err := m.node(apiVersions)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		if err := encoder.Encode(node); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// node is the object as YAML, without what an API server writes, and with its comments.
func (m Manifest) node(apiVersions map[string]string) (*yaml.Node, error) {
	text, err := json.Marshal(m.Object)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	kind, _ := fields["kind"].(string)
	version, ok := apiVersions[kind]
	if !ok {
		return nil, fmt.Errorf("no API version is known for kind %q", kind)
	}
	fields["apiVersion"] = version
	delete(fields, "status")
	if metadata, ok := fields["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
	}
	node := ordered(fields)
	comment(node, "", m.Comments)
	node.HeadComment = asComment(m.About)
	return node, nil
}
