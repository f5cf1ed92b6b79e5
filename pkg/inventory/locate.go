package inventory

// Locator is an inventory that knows where in files its objects stand.
type Locator interface {
	// Locate returns where an object stands. It is not found where no file has it, and where files have two of this kind's name
	// from different groups.
	Locate(kind, namespace, name string) (Position, bool)
}

// Locate asks an inventory where an object stands, if it can tell.
func Locate(inventory Inventory, kind, namespace, name string) (Position, bool) {
	locator, can := inventory.(Locator)
	if !can {
		return Position{}, false
	}
	return locator.Locate(kind, namespace, name)
}

// Locate implements Locator. It goes through all objects: it is meant for a few questions.
func (f *files) Locate(kind, namespace, name string) (Position, bool) {
	var found *fileObject
	for key, object := range f.byKey {
		if key.kind.Kind != kind || key.namespace != namespace || key.name != name {
			continue
		}
		if found != nil {
			return Position{}, false
		}
		found = object
	}
	if found == nil {
		return Position{}, false
	}
	return found.Position, true
}
