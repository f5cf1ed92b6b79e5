package authorization

import (
	"fmt"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// question puts what an authorizer is asked into an access review, which holds all of it.
func question(a authorizer.Attributes) authorizationv1.SubjectAccessReviewSpec {
	spec := authorizationv1.SubjectAccessReviewSpec{}
	if u := a.GetUser(); u != nil {
		spec.User, spec.UID, spec.Groups, spec.Extra = u.GetName(), u.GetUID(), u.GetGroups(), extraOf(u)
	}
	if !a.IsResourceRequest() {
		spec.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Path: a.GetPath(), Verb: a.GetVerb()}
		return spec
	}
	spec.ResourceAttributes = &authorizationv1.ResourceAttributes{
		Namespace: a.GetNamespace(), Verb: a.GetVerb(), Group: a.GetAPIGroup(), Version: a.GetAPIVersion(),
		Resource: a.GetResource(), Subresource: a.GetSubresource(), Name: a.GetName(),
	}
	addSelectors(spec.ResourceAttributes, a)
	return spec
}

func extraOf(u user.Info) map[string]authorizationv1.ExtraValue {
	if len(u.GetExtra()) == 0 {
		return nil
	}
	extra := map[string]authorizationv1.ExtraValue{}
	for key, values := range u.GetExtra() {
		extra[key] = values
	}
	return extra
}

// addSelectors adds a list request's selectors. Those that can't be read are left out, as an authorizer leaves
// them out: selectors only narrow what is asked.
func addSelectors(attributes *authorizationv1.ResourceAttributes, a authorizer.Attributes) {
	if requirements, _ := a.GetFieldSelector(); len(requirements) > 0 {
		attributes.FieldSelector = &authorizationv1.FieldSelectorAttributes{RawSelector: rawFields(requirements)}
	}
	if requirements, _ := a.GetLabelSelector(); len(requirements) > 0 {
		selector := labels.NewSelector().Add(requirements...)
		attributes.LabelSelector = &authorizationv1.LabelSelectorAttributes{RawSelector: selector.String()}
	}
}

// rawFields writes a field selector as a list request has it.
func rawFields(requirements fields.Requirements) string {
	var terms []string
	for _, r := range requirements {
		terms = append(terms, fmt.Sprintf("%s%s%s", r.Field, r.Operator, fields.EscapeValue(r.Value)))
	}
	return strings.Join(terms, ",")
}

// key tells questions apart.
func key(spec authorizationv1.SubjectAccessReviewSpec) (string, error) {
	text, err := utiljson.Marshal(spec)
	return string(text), err
}

// describe says what is asked, for people.
func describe(a authorizer.Attributes) string {
	who := "nobody"
	if a.GetUser() != nil {
		who = a.GetUser().GetName()
	}
	if !a.IsResourceRequest() {
		return fmt.Sprintf("whether %s may %s %s", who, a.GetVerb(), a.GetPath())
	}
	what := a.GetResource()
	if a.GetAPIGroup() != "" {
		what += "." + a.GetAPIGroup()
	}
	if a.GetSubresource() != "" {
		what += "/" + a.GetSubresource()
	}
	if a.GetNamespace() != "" {
		what += " in namespace " + a.GetNamespace()
	}
	return fmt.Sprintf("whether %s may %s %s", who, a.GetVerb(), what)
}
