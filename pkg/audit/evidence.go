package audit

import (
	"regexp"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// command is what the plugin is called by.
const command = "kubectl downscaler-compliance"

// evidence is the command that makes an example's change again, in the ordinary user's name. A change that is only possible on a
// copy of the object can't be made by a command: then it is the audit of its namespace, which makes it. It goes past authorization, as the
// guards were tried: nobody gave the ordinary user a right.
func (v *view) evidence(e example, subresource string) string {
	return v.evidenceAs(OrdinaryUser(), e, subresource)
}

// evidenceAs is evidence in somebody else's name.
func (v *view) evidenceAs(who request.Requester, e example, subresource string) string {
	if e.onCopy() {
		return v.auditCommand(who, e)
	}
	args := append(append([]string{"simulate"}, asRequester(who)...), typeOf(e.kind)+"/"+e.object.Name)
	if e.object.Namespace != "" {
		args = append(args, "-n", e.object.Namespace)
	}
	if e.Column == ColumnCreate {
		args = append(args, "--operation", "create")
	}
	if subresource != "" {
		args = append(args, "--subresource", subresource)
	}
	for key, value := range e.Change.Set {
		args = append(args, "--set", key+"="+value)
	}
	for _, key := range e.Change.Remove {
		args = append(args, "--remove", key)
	}
	return commandLine(append(args, "--past-authorization"), v.flags)
}

func (v *view) auditCommand(who request.Requester, e example) string {
	namespace := e.object.Namespace
	if isNamespace(e.kind) {
		namespace = e.object.Name
	}
	args := []string{"audit", "-n", namespace, "-o", "wide"}
	if namespace == "" {
		args = []string{"audit", "-A", "-o", "wide"}
	}
	if !sameRequester(who, OrdinaryUser()) {
		as := asRequester(who)
		as[0] = "--" + as[0]
		args = append(args, as...)
	}
	return commandLine(args, v.flags)
}

// commandLine is a whole command, with the flags by which it finds the same state.
func commandLine(args, stateFlags []string) string {
	words := []string{command}
	for _, arg := range slices.Concat(args, stateFlags) {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// typeOf names a kind so that kubectl takes it for no other one.
func typeOf(kind inventory.Kind) string { return kind.Resource.GroupResource().String() }

var plainWord = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)

// quote makes one word of an argument for a POSIX shell.
func quote(arg string) string {
	if plainWord.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
