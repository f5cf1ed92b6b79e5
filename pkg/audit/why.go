package audit

import (
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Why is the command that explains, clause by clause, why the guard lets a change of an object through: the first one that
// gets through, else one that does so by a subresource. It is empty where none does, or where the change needs an object
// with an annotation that this one does not carry. It goes past authorization, as the guards were tried. The object must be the report's as
// Run returned it.
func (r *Report) Why(o Object) string {
	if o.Resource == "" {
		return ""
	}
	for _, column := range examplesFirst {
		if change := changeOf(o, column); change != nil && !o.Guard.Of(column).Prevents() {
			return r.explaining(o, change)
		}
	}
	for _, bypass := range o.Bypasses() {
		for _, column := range examplesFirst {
			if change := changeOf(o, column); change != nil && slices.Contains(bypass.Columns, column) {
				return r.explaining(o, append([]string{"--subresource", bypass.Subresource}, change...))
			}
		}
	}
	return ""
}

// changeOf are the arguments that make one kind of change to an object, nil where no command can.
func changeOf(o Object, column Column) []string {
	var keys []string
	for _, a := range o.Annotations {
		keys = append(keys, a.Key)
	}
	switch fresh := freshKey(keys) + "=true"; {
	case column == ColumnCreate:
		return []string{"--operation", "create", "--set", fresh}
	case column == ColumnAdd:
		return []string{"--set", fresh}
	case len(keys) == 0:
		return nil
	case column == ColumnRemove:
		return []string{"--remove", keys[0]}
	}
	return []string{"--set", keys[0] + "=" + edit(keys[0], o.Annotations[0].Value).Set[keys[0]]}
}

func (r *Report) explaining(o Object, change []string) string {
	args := append([]string{"simulate"}, asRequester(r.Requester)...)
	args = append(args, o.Resource+"/"+o.Object.Name)
	if o.Object.Namespace != "" {
		args = append(args, "-n", o.Object.Namespace)
	}
	args = append(args, change...)
	return commandLine(append(args, "--past-authorization", "--explain"), r.StateFlags)
}

// asRequester are the arguments that name a requester. The groups that the API server adds are left out.
func asRequester(r request.Requester) []string {
	args := []string{"as-user", r.Username}
	added := request.NewRequester(r.Username, nil, "", nil).Groups
	for _, group := range r.Groups {
		if !slices.Contains(added, group) {
			args = append(args, "--user-group", group)
		}
	}
	if r.UID != "" {
		args = append(args, "--user-uid", r.UID)
	}
	return append(args, extraArgs(r)...)
}

func extraArgs(r request.Requester) []string {
	var args []string
	for _, key := range slices.Sorted(maps.Keys(r.Extra)) {
		for _, value := range r.Extra[key] {
			args = append(args, "--user-extra", key+"="+value)
		}
	}
	return args
}
