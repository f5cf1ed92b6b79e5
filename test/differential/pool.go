package differential

// pool is what names, keys and values are taken from. It is small, so that what one expression sets another
// one looks for.
type pool struct {
	keys, labels, values, users, groups []string
}

var samples = pool{
	keys:   []string{"downscaler/exclude", "downscaler/uptime", "downscaler/downscale-replicas", "example.com/team", "plain"},
	labels: []string{"team", "example.com/tier"},
	values: []string{
		"true", "false", "8", "-3", "1.5", "500m", "1Gi", "25%",
		"Mon-Fri 08:00-20:00 Europe/Berlin", "2026-01-02T03:04:05Z", "1h30m",
		"https://user@example.com:8443/a/b?c=d&c=e", "10.1.2.3", "::1", "10.1.0.0/16", "1.2.3", "v2.0.0-rc.1", "a,b,c", "c,b,a,a",
		"Überstunden ☃", "", "two\nlines", "team-a", "Team A", "aGVsbG8=",
	},
	users:  []string{"dev", "user1", "user1x", "xuser1y", "admin@example.com", "system:serviceaccount:kube-system:downscaler", "system:serviceaccount:GROUP-a:default"},
	groups: []string{"devs", "ops", "non-devs-guests", "system:nodes"},
}

func (g *generator) key() string   { return pick1(g, g.keys) }
func (g *generator) value() string { return pick1(g, g.values) }

// annotations returns random annotations; often none.
func (g *generator) annotations() map[string]string {
	annotations := map[string]string{}
	for range g.IntN(4) {
		annotations[g.key()] = g.value()
	}
	return annotations
}

// objectLabels returns random labels, mostly with the group's.
func (g *generator) objectLabels() Object {
	labels := Object{}
	if g.theme.written || !g.chance(8) {
		labels["group"] = placeholder
	}
	for _, key := range g.labels {
		if g.chance(2) {
			labels[key] = pick1(g, []string{"a", "b", "c"})
		}
	}
	return labels
}

func toObject(values map[string]string) Object {
	object := Object{}
	for key, value := range values {
		object[key] = value
	}
	return object
}
