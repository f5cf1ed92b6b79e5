package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// changeFlags say what is done to an object.
type changeFlags struct {
	set, remove  []string
	operation    string
	subresource  string
	fieldManager string

	change request.Change
}

// The operations as --operation spells them.
var operations = []string{"create", "update", "delete"}

func (f *changeFlags) add(cmd *cobra.Command) {
	addFlags(cmd, "What is done to them", func(flags *pflag.FlagSet) {
		flags.StringArrayVar(&f.set, "set", nil, "Add or change an annotation, as `KEY=VALUE`; a key without a prefix gets downscaler/; repeatable")
		flags.StringArrayVar(&f.remove, "remove", nil, "Remove the annotation with this `KEY`; repeatable")
		flags.StringVar(&f.operation, "operation", "", "The operation, where it is not the natural one: create, update or delete")
		flags.StringVar(&f.subresource, "subresource", "", "The subresource that is written: status, finalize of a namespace, or scale, which needs no --set")
		flags.StringVar(&f.fieldManager, "field-manager", "", "The `NAME` that managed fields get, where it is not kubectl's own")
	})
}

func (f *changeFlags) complete() (err error) {
	f.change, err = request.ParseChange(f.set, f.remove)
	return err
}

// validate refuses a request that changes nothing. An object from a file may be the change itself, and so is scaling,
// which asks for no annotation.
func (f *changeFlags) validate(fromFile bool) error {
	if f.operation != "" && !slices.Contains(operations, f.operation) {
		return usageErrorf("--operation %s: there is no such operation; give %s", f.operation, strings.Join(operations, ", "))
	}
	if f.change.Empty() && !fromFile && f.operation != "create" && f.operation != "delete" && f.subresource != "scale" {
		return usageErrorf("nothing is to be changed: give --set KEY=VALUE, --remove KEY, -f FILE, --subresource scale or --operation delete")
	}
	if f.operation == "delete" && !f.change.Empty() {
		return usageErrorf("a deletion changes no annotations; leave out --set and --remove, or --operation delete")
	}
	return nil
}

func (f *changeFlags) options() request.Options {
	return request.Options{
		Operation:    admission.Operation(strings.ToUpper(f.operation)),
		Subresource:  f.subresource,
		FieldManager: f.fieldManager,
	}
}
