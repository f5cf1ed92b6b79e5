package inventory

import (
	"regexp"
	"strings"
)

// environmentName is what fields with environment variables are called: env, envs, extraEnv, envVars, extra_env_vars, environment,
// podEnvironmentVariables and the like.
var environmentName = regexp.MustCompile(`(?i)(env|envs|env[_-]?vars?|environment|environment[_-]?(var|variable)s?)$`)

func isEnvironment(key string) bool { return environmentName.MatchString(key) }

// environment takes the values out of a field that holds environment variables: a list of name and value as
// containers have it, a list of texts NAME=VALUE, or a map from names to values. A single text, such as the label
// env, is no environment.
func (r *redaction) environment(value any, path fieldPath) any {
	switch v := value.(type) {
	case map[string]any:
		r.environmentMap(v, path)
	case []any:
		for i, item := range v {
			v[i] = r.variable(item, extend(path, i))
		}
	case string:
		return r.text(v, path)
	}
	return value
}

// variable is one item of a list of environment variables.
func (r *redaction) variable(item any, path fieldPath) any {
	switch v := item.(type) {
	case map[string]any:
		_, named := v["name"]
		value, found := v["value"]
		if !named && !found {
			r.environmentMap(v, path)
			return v
		}
		if value != nil {
			v["value"] = r.gone(Redacted, extend(path, "value"))
		}
		r.fields(v, path)
	case string:
		if name, _, found := strings.Cut(v, "="); found {
			return r.gone(name+"="+Redacted, path)
		}
		return r.text(v, path)
	}
	return item
}

// environmentMap is a map from names to values. What only refers to a value stays, and so do switches.
func (r *redaction) environmentMap(variables map[string]any, path fieldPath) {
	for name, value := range variables {
		at := extend(path, name)
		switch v := value.(type) {
		case nil, bool:
		case map[string]any:
			if !isReference(name) {
				r.environmentMap(v, at)
			}
		case []any:
			r.environment(v, at)
		default:
			variables[name] = r.gone(Redacted, at)
		}
	}
}

func isReference(field string) bool {
	return strings.HasSuffix(field, "From") || strings.HasSuffix(field, "Ref")
}
