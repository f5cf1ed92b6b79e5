package listing

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// compile compiles what a cluster has as what is stored there, and manifests and what is proposed as what is still to be stored, which takes less.
func (l *lister) compile(s subject, origin Origin) (Compile, error) {
	server := l.inventory.Server()
	use := policy.Stored
	if server.Assumed || origin == Proposed {
		use = policy.New
	}
	errs, err := compileErrors(s, use, server.Version)
	if err != nil {
		return Compile{}, fmt.Errorf("compiling %s %s: %w", s.kind, s.object.GetName(), err)
	}
	found := Compile{State: Compiles}
	for _, e := range errs {
		found.State = DoesNotCompile
		found.Errors = append(found.Errors, Remark{Field: e.Field, Message: e.Message})
	}
	if len(errs) > 0 && policy.Newer(server.Version) {
		found.State = CompileUnknown
		l.incomplete(fmt.Sprintf("whether %s %s compiles", s.kind, s.object.GetName()),
			"the server "+server.Version+" is newer than the newest version that this program knows, and that one rejects "+errs[0].Field)
	}
	return found, nil
}

func compileErrors(s subject, use policy.Use, server string) ([]policy.CompileError, error) {
	switch object := s.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return policy.CompileErrors(object, use, server)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return policy.MutatingCompileErrors(object, use, server)
	}
	return nil, nil
}
