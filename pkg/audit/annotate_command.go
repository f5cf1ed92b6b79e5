package audit

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// annotateCommand is the kubectl command that changes an object's annotations; a change is KEY=VALUE, KEY- or a flag.
func annotateCommand(resource string, object simulate.ObjectRef, changes ...string) string {
	args := []string{"kubectl", "annotate", resource + "/" + object.Name}
	if object.Namespace != "" {
		args = append(args, "-n", object.Namespace)
	}
	args = append(args, changes...)
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = quote(arg)
	}
	return strings.Join(words, " ")
}
