package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// manifestFlags name objects that are sent from files.
type manifestFlags struct {
	files     []string
	kustomize string
	recursive bool
	via       string

	way request.Via
}

func (f *manifestFlags) add(cmd *cobra.Command) {
	addFlags(cmd, "Objects from files, as they would be sent", func(flags *pflag.FlagSet) {
		flags.StringSliceVarP(&f.files, "filename", "f", nil, "Send the objects in this `FILE` or folder, or - for standard input, one after the other: a simulated Namespace is there for those behind it; repeatable")
		flags.StringVarP(&f.kustomize, "kustomize", "k", "", "Send the objects of the kustomization in this `DIR`")
		flags.BoolVarP(&f.recursive, "recursive", "R", false, "Look into the folders in a folder of --filename, too")
		flags.StringVar(&f.via, "via", string(request.ViaApply), fmt.Sprintf("How they are sent: %s, %s, %s or %s", request.ViaApply, request.ViaServerSideApply, request.ViaReplace, request.ViaCreate))
	})
}

func (f *manifestFlags) given() bool { return len(f.files) > 0 || f.kustomize != "" }

func (f *manifestFlags) kustomizations() []string {
	if f.kustomize == "" {
		return nil
	}
	return []string{f.kustomize}
}

func (f *manifestFlags) complete() (err error) {
	f.way, err = request.ParseVia(f.via)
	return err
}

func (f *manifestFlags) validate(cmd *cobra.Command) error {
	switch {
	case len(f.files) > 0 && f.kustomize != "":
		return usageErrorf("only one of -f or -k can be specified")
	case f.recursive && len(f.files) == 0:
		return usageErrorf("-R says how folders of -f are read; give it with -f")
	case cmd.Flags().Changed("via") && !f.given():
		return usageErrorf("--via says how the objects of -f or -k are sent; give one of them with it")
	}
	return nil
}

// documents yields the objects that -f or -k name.
func (f *manifestFlags) documents(ctx context.Context, stdin io.Reader) iter.Seq2[inventory.Document, error] {
	if f.kustomize != "" {
		return f.kustomized(ctx)
	}
	files := sources(f.files, stdin)
	for i := range files {
		files[i].Shallow = !f.recursive
	}
	return someDocument(inventory.Documents(ctx, files...))
}

// kustomized are the objects that a kustomization builds, as "kubectl apply -k" would send them.
func (f *manifestFlags) kustomized(ctx context.Context) iter.Seq2[inventory.Document, error] {
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy // Namespaces and CustomResourceDefinitions first, as kubectl has it
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), f.kustomize)
	if err != nil {
		return failed(fmt.Errorf("-k %s: %w", f.kustomize, err))
	}
	text, err := built.AsYaml()
	if err != nil {
		return failed(fmt.Errorf("-k %s: %w", f.kustomize, err))
	}
	return someDocument(inventory.Documents(ctx, inventory.FileSource{Path: f.kustomize, Reader: bytes.NewReader(text)}))
}

func failed(err error) iter.Seq2[inventory.Document, error] {
	return func(yield func(inventory.Document, error) bool) { yield(inventory.Document{}, err) }
}

// someDocument adds an error where there is no document at all.
func someDocument(documents iter.Seq2[inventory.Document, error]) iter.Seq2[inventory.Document, error] {
	return func(yield func(inventory.Document, error) bool) {
		empty := true
		for document, err := range documents {
			empty = false
			if !yield(document, err) {
				return
			}
		}
		if empty {
			yield(inventory.Document{}, inventory.ErrNoObjects)
		}
	}
}

// checkPlace refuses an object of another namespace than the one asked for, as kubectl does.
func (s scope) checkPlace(document inventory.Document) error {
	namespace := document.Object.GetNamespace()
	if s.asked && namespace != "" && namespace != s.namespace {
		return usageErrorf("%s: the namespace from the provided object %q does not match the namespace %q; you must pass '--namespace=%s' to perform this operation",
			document.Position, namespace, s.namespace, namespace)
	}
	return nil
}

// describeDocument is an object from a file in words.
func describeDocument(document inventory.Document) string {
	return fmt.Sprintf("%s %s (%s)", document.Object.GetKind(), cmp.Or(document.Object.GetName(), document.Object.GetGenerateName()), document.Position)
}

func selects(selector labels.Selector, document inventory.Document) bool {
	return selector == nil || selector.Matches(labels.Set(document.Object.GetLabels()))
}
