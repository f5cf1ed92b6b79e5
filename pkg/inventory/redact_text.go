package inventory

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// text returns a text without secrets and notes if there were any.
func (r *redaction) text(text string, path fieldPath) string {
	if redacted := redactText(text); HoldsRedacted(redacted) {
		return r.gone(redacted, path)
	}
	return text
}

// lastApplied is text, but where the annotation is not JSON, such as one that was cut short, nothing of it is kept.
func (r *redaction) lastApplied(value any, path fieldPath) any {
	text, ok := value.(string)
	if !ok || text == "" {
		return value
	}
	if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return r.gone(Redacted, path)
	}
	return r.text(text, path)
}

// redactText takes out of a text what redact would take out of an object, where the text is JSON or YAML. JSON stays
// JSON; YAML, and what is packed, is replaced as a whole.
func redactText(text string) string {
	trimmed := strings.TrimSpace(text)
	switch {
	case len(trimmed) >= shortestPacked && packed.MatchString(trimmed):
		return Redacted
	case !suspect.MatchString(text):
		return text
	case strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "["):
		var content any
		if err := utiljson.Unmarshal([]byte(trimmed), &content); err == nil {
			return redactJSON(text, content)
		}
	}
	if strings.Contains(text, ":") && yamlHasSecrets(text) {
		return Redacted
	}
	return text
}

// suspect is what a text with secrets in it mentions at least.
var suspect = regexp.MustCompile(`(?i)env|secret|` + regexp.QuoteMeta(Redacted))

// packed is base64 that holds gzip (Helm's releases, copies of whole manifests) or a JSON object (tokens, too).
var packed = regexp.MustCompile(`^(H4sI|eyJ|ew[o0k])[A-Za-z0-9+/_=.\s-]*$`)

const shortestPacked = 32

// redactJSON writes the text anew if there are secrets in it. One that is not as kubectl writes it does not become so:
// whether an annotation changes when it is written again is the same as before.
func redactJSON(text string, content any) string {
	end := text[len(strings.TrimRight(text, "\n")):]
	plain, err := json.Marshal(content)
	if err != nil {
		return Redacted
	}
	r := &redaction{}
	content = r.value(content, nil)
	if len(r.paths) == 0 {
		return text
	}
	var redacted []byte
	if string(plain)+end == text {
		redacted, err = json.Marshal(content)
	} else {
		redacted, err = json.MarshalIndent(content, "", "  ")
	}
	if err != nil {
		return Redacted
	}
	return string(redacted) + end
}

// yamlHasSecrets looks into every document of a text that may be YAML, as far as it is.
func yamlHasSecrets(text string) bool {
	documents := yamlv3.NewDecoder(strings.NewReader(text))
	for {
		var node yamlv3.Node
		if documents.Decode(&node) != nil { // the end, or what is not YAML
			return false
		}
		var content any
		document, err := yamlv3.Marshal(&node)
		if err != nil || yaml.Unmarshal(document, &content) != nil {
			continue
		}
		if _, isText := content.(string); isText {
			continue
		}
		r := &redaction{}
		if r.value(content, nil); len(r.paths) > 0 {
			return true
		}
	}
}

// binary replaces those values of a map of base64 whose contents are packed, or texts with secrets.
func (r *redaction) binary(value any, path fieldPath) any {
	entries, ok := value.(map[string]any)
	if !ok {
		return r.value(value, path)
	}
	for key, entry := range entries {
		text, _ := entry.(string)
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			continue
		}
		if bytes.HasPrefix(content, gzipMagic) || HoldsRedacted(redactText(string(content))) {
			entries[key] = r.gone(redactedBytes, extend(path, key))
		}
	}
	return entries
}

var gzipMagic = []byte{0x1f, 0x8b}
