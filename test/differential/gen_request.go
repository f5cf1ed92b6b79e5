package differential

import "slices"

// request returns a random request about one of the group's kinds.
func (g *generator) request() Request {
	s := g.subject()
	r := Request{User: pick1(g, g.users), UID: placeholder}
	if g.chance(2) {
		r.Groups = some(g, g.groups)
	}
	if g.chance(3) {
		r.Extra = map[string][]string{pick1(g, []string{"scopes", "example.com/team"}): some(g, []string{"a", "b", "c"})}
	}
	suffix := pick1(g, []string{"a", "a", "b"})
	switch n := g.IntN(20); {
	case n < 6:
		g.create(&r, s, suffix)
	case n < 14:
		g.annotate(&r, s, suffix)
	case n < 16:
		g.replace(&r, s, suffix)
	case n < 18:
		g.apply(&r, s, suffix)
	default:
		r.Way, r.Object = Delete, reference(g.object(s, "stored", suffix))
	}
	return r
}

func (g *generator) create(r *Request, s subject, suffix string) {
	r.Way = Create
	r.Object = g.object(s, pick1(g, []string{"new", "other"}), suffix)
	if g.chance(4) {
		metadata := r.Object["metadata"].(Object)
		metadata["generateName"] = nameOf(r.Object) + "-"
		delete(metadata, "name")
	}
}

// annotate changes annotations of a stored object, also through a subresource.
func (g *generator) annotate(r *Request, s subject, suffix string) {
	r.Way = Annotate
	r.Object = reference(g.object(s, "stored", suffix))
	if len(s.Subresources) > 0 && g.chance(3) {
		r.Subresource = pick1(g, s.Subresources)
	}
	r.Set = g.annotations()
	for _, key := range g.keys {
		if _, set := r.Set[key]; !set && g.chance(3) {
			r.Remove = append(r.Remove, key)
		}
	}
}

// replace sends a whole object, or through status only a status.
func (g *generator) replace(r *Request, s subject, suffix string) {
	if s.kind() == "Job" { // whose selector the API server makes and then wants back
		g.annotate(r, s, suffix)
		return
	}
	r.Way = Replace
	r.Object = g.object(s, "stored", suffix)
	if slices.Contains(s.Subresources, "status") && g.chance(3) {
		r.Subresource = "status"
	}
}

// apply is a server-side apply of a whole object, or of no more than metadata.
func (g *generator) apply(r *Request, s subject, suffix string) {
	r.Way = ServerSideApply
	r.Object = g.object(s, pick1(g, []string{"stored", "new"}), suffix)
	if nameOf(r.Object) != "new" && g.chance(2) {
		delete(r.Object, "spec")
	}
}

// reference keeps of an object what names it.
func reference(object Object) Object {
	metadata := Object{"name": nameOf(object)}
	if namespace := namespaceOf(object); namespace != "" {
		metadata["namespace"] = namespace
	}
	return Object{"apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": metadata}
}
