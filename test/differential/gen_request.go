package differential

import "slices"

// ways are how requests are made. kubectl takes long.
var ways = []Way{
	Create, Create, Create, Create, Create, Annotate, Annotate, Annotate, Annotate, Annotate, Annotate, Annotate,
	Replace, Replace, ServerSideApply, ServerSideApply, Apply, Delete, Delete, Delete,
}

// request returns a random request about one of the group's kinds.
func (g *generator) request() Request {
	r, s := g.requester(), g.subject()
	suffix := pick1(g, []string{"a", "a", "b"})
	way := evenly(g, "way", ways)
	if way == Delete && g.theme.written {
		way = Annotate
	}
	switch way {
	case Create:
		g.create(&r, s, suffix)
	case Annotate:
		g.annotate(&r, s, suffix, 3)
	case Replace:
		g.replace(&r, s, suffix)
	case ServerSideApply:
		g.serverSideApply(&r, s)
	case Apply:
		r.Way, r.Object = Apply, g.object(s, evenly(g, "applied", []string{"stored", "stored", "new"}), evenly(g, "applied in", []string{"a", "b", "b"}))
	case Delete:
		r.Way, r.Object = Delete, reference(g.object(s, "stored", suffix))
	}
	return r
}

// subresourceRequest returns a request through a subresource.
func (g *generator) subresourceRequest() Request {
	r := g.requester()
	g.annotate(&r, g.subjects[0], pick1(g, []string{"a", "b"}), 1)
	return r
}

// scaleRequest returns a request about the number of replicas.
func (g *generator) scaleRequest() Request {
	r := g.subresourceRequest()
	r.Subresource = "scale"
	return r
}

func (g *generator) requester() Request {
	r := Request{User: pick1(g, g.users), UID: placeholder}
	if g.chance(2) {
		r.Groups = some(g, g.groups)
	}
	if g.chance(3) {
		r.Extra = map[string][]string{pick1(g, []string{"scopes", "example.com/team"}): some(g, []string{"a", "b", "c"})}
	}
	return r
}

func (g *generator) create(r *Request, s subject, suffix string) {
	r.Way = Create
	r.Object = g.object(s, pick1(g, []string{"new", "other"}), suffix)
	if g.generates && g.chance(2) {
		metadata := r.Object["metadata"].(Object)
		metadata["generateName"] = nameOf(r.Object) + "-"
		delete(metadata, "name")
	}
}

// annotate changes annotations of a stored object, once in so many times through a subresource.
func (g *generator) annotate(r *Request, s subject, suffix string, subresource int) {
	r.Way = Annotate
	r.Object = reference(g.object(s, "stored", suffix))
	if len(s.Subresources) > 0 && !g.theme.written && g.chance(subresource) {
		r.Subresource = evenly(g, "subresource of "+s.kind(), s.Subresources)
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
		g.annotate(r, s, suffix, 3)
		return
	}
	r.Way = Replace
	r.Object = g.object(s, "stored", suffix)
	if slices.Contains(s.Subresources, "status") && !g.theme.written && g.chance(3) {
		r.Subresource = "status"
	}
}

// serverSideApply applies a whole object, or no more than metadata, where none was applied client-side: kubectl would then
// send more requests than one.
func (g *generator) serverSideApply(r *Request, s subject) {
	r.Way = ServerSideApply
	r.Object = g.object(s, pick1(g, []string{"stored", "new"}), "a")
	if nameOf(r.Object) != placeholder+"-a-new" && nameOf(r.Object) != "new" && g.chance(2) {
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
