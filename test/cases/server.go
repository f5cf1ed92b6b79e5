package cases

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// server is the API server's side. It sends what kubectl sends, with the field managers of kubectl's commands.
type server struct {
	config    *rest.Config
	inventory inventory.Inventory // of the API server, for the kinds and the stored objects
}

// ask puts a request to the API server in the requester's name. The audit log has it under the given agent.
func (s *server) ask(ctx context.Context, r Request, agent string) (Answer, error) {
	var warned cluster.Warnings
	config := rest.CopyConfig(s.config)
	config.WarningHandler = &warned
	config.UserAgent = agent
	who := request.NewRequester(r.User, r.Groups, r.UID, r.Extra)
	config.Impersonate = rest.ImpersonationConfig{UserName: who.Username, Groups: who.Groups, UID: who.UID, Extra: who.Extra}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return Answer{}, err
	}
	stored, err := s.send(ctx, client, r)
	answer := Answer{Reply: reply.Reply{Warnings: warned.Texts}}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		denial := status.Status()
		answer.Status, answer.Verdict = &denial, Denied
		return answer, nil
	}
	if err == nil && stored != nil {
		answer.Stored = stored.Object
	}
	return answer, err
}

// send sends a request as kubectl does, and returns the object that is stored; nil for a deletion.
func (s *server) send(ctx context.Context, client dynamic.Interface, r Request) (*unstructured.Unstructured, error) {
	kind, name, err := kindOf(s.inventory, r)
	if err != nil {
		return nil, err
	}
	var resource dynamic.ResourceInterface = client.Resource(kind.Resource)
	if kind.Namespaced {
		resource = client.Resource(kind.Resource).Namespace(r.Namespace)
	}
	var dryRun, subresources []string
	if !r.Real {
		dryRun = []string{metav1.DryRunAll}
	}
	if r.Subresource != "" {
		subresources = []string{r.Subresource}
	}
	object := (&unstructured.Unstructured{Object: r.Send}).DeepCopy()
	switch {
	case r.Delete != "":
		policy := metav1.DeletePropagationBackground
		return nil, resource.Delete(ctx, name, metav1.DeleteOptions{DryRun: dryRun, PropagationPolicy: &policy})
	case r.Annotate != "":
		return resource.Patch(ctx, name, types.MergePatchType, mergePatch(r), metav1.PatchOptions{DryRun: dryRun, FieldManager: annotator(r)}, subresources...)
	case r.Via == request.ViaServerSideApply:
		return resource.Apply(ctx, name, object, metav1.ApplyOptions{DryRun: dryRun, FieldManager: "kubectl"}, subresources...)
	case r.Via == request.ViaReplace:
		stored, err := storedObject(ctx, s.inventory, r)
		if err != nil {
			return nil, err
		}
		object.SetResourceVersion(stored.Meta().GetResourceVersion())
		return resource.Update(ctx, object, metav1.UpdateOptions{DryRun: dryRun, FieldManager: "kubectl-replace", FieldValidation: metav1.FieldValidationStrict}, subresources...)
	}
	return resource.Create(ctx, object, metav1.CreateOptions{DryRun: dryRun, FieldManager: "kubectl-create", FieldValidation: metav1.FieldValidationStrict})
}

// annotator is the field manager of kubectl annotate, or of kubectl patch, which alone knows subresources.
func annotator(r Request) string {
	if r.Subresource == "" {
		return "kubectl-annotate"
	}
	return "kubectl-patch"
}

// mergePatch is the patch of kubectl annotate.
func mergePatch(r Request) []byte {
	annotations := Object{}
	for key, value := range r.Set {
		annotations[key] = value
	}
	for _, key := range r.Remove {
		annotations[key] = nil
	}
	return []byte(reply.JSON(Object{"metadata": Object{"annotations": annotations}}))
}
