package inventory

import (
	"encoding/json"
	"strings"
)

// managedFields takes the values out that name items of sets and of lists with keys: most entries hold the
// names of fields only.
func (r *redaction) managedFields(value any, path fieldPath) any {
	entries, ok := value.([]any)
	if !ok {
		return value
	}
	for i, entry := range entries {
		fields, ok := entry.(map[string]any)
		if !ok {
			continue
		}
		set := &ownedFields{}
		fields["fieldsV1"] = set.without(fields["fieldsV1"], false)
		if set.changed {
			r.gone("", append(extend(path, i), "fieldsV1"))
		}
	}
	return entries
}

// ownedFields is one fieldsV1 on the way.
type ownedFields struct{ changed bool }

// without returns owned fields, of which names such as v:"PASSWORD=x" are redacted below an environment.
func (o *ownedFields) without(value any, environment bool) any {
	fields, ok := value.(map[string]any)
	if !ok {
		return value
	}
	clean := make(map[string]any, len(fields))
	for name, below := range fields {
		kind, text, _ := strings.Cut(name, ":")
		switch {
		case kind == "f":
			clean[name] = o.without(below, environment || isEnvironment(text))
		case environment && (kind == "v" || kind == "k"):
			clean[kind+":"+o.item(text)] = o.without(below, true)
		default:
			clean[name] = o.without(below, environment)
		}
	}
	return clean
}

// item redacts the JSON by which an item of an environment is named, as the item itself is.
func (o *ownedFields) item(text string) string {
	var item any
	if json.Unmarshal([]byte(text), &item) != nil {
		return text
	}
	r := &redaction{}
	item = r.variable(item, nil)
	redacted, err := json.Marshal(item)
	if len(r.paths) == 0 || err != nil {
		return text
	}
	o.changed = true
	return string(redacted)
}
