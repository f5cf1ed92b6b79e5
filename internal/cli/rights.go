package cli

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// readBesides is what audits, simulations and who-can read beside the guarded kinds and what makes pods. What else has to be read, such as
// the kinds of parameters, is known only once the policies can be.
var readBesides = []schema.GroupResource{
	{Resource: "serviceaccounts"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingwebhookconfigurations"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingwebhookconfigurations"},
	{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	{Group: "apps", Resource: "replicasets"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"},
	{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"},
	{Group: "rbac.authorization.k8s.io", Resource: "roles"},
}

const (
	readerRole   = "downscaler-compliance-reader"
	reviewerRole = "downscaler-compliance-reviewer"
)

// grants are the commands that give whoever reads the cluster every right that is needed to read it, and not only those found missing in
// this run: what lies behind them was not asked for yet. They are empty where none is missing.
func (f *stateFlags) grants(ctx context.Context) []string {
	missing := inventory.MissingRights(f.loaded)
	if len(missing) == 0 {
		return nil
	}
	var resources []string
	for _, resource := range f.read(missing) {
		resources = append(resources, resource.String())
	}
	slices.Sort(resources)
	who := f.readerArgument(ctx)
	return []string{
		fmt.Sprintf("kubectl create clusterrole %s --verb=get,list --resource=%s", readerRole, strings.Join(slices.Compact(resources), ",")),
		fmt.Sprintf("kubectl create clusterrole %s --verb=create --resource=subjectaccessreviews.authorization.k8s.io", reviewerRole),
		fmt.Sprintf("kubectl create clusterrolebinding %s --clusterrole=%[1]s %s", readerRole, who),
		fmt.Sprintf("kubectl create clusterrolebinding %s --clusterrole=%[1]s %s", reviewerRole, who),
	}
}

// read is everything that is read, as far as the server serves it, and what was found missing.
func (f *stateFlags) read(missing []inventory.Right) []schema.GroupResource {
	var resources []schema.GroupResource
	for _, right := range missing {
		resources = append(resources, right.Resource)
	}
	for _, kind := range audit.GuardedKinds(f.loaded.Kinds()) {
		resources = append(resources, kind.Resource.GroupResource())
	}
	served := map[schema.GroupResource]bool{}
	for _, kind := range f.loaded.Kinds().All() {
		served[kind.Resource.GroupResource()] = true
	}
	besides := slices.Clone(readBesides)
	for _, maker := range authorization.Makers() {
		besides = append(besides, schema.GroupResource{Group: maker.Group, Resource: maker.Resource})
	}
	for _, resource := range besides {
		if served[resource] {
			resources = append(resources, resource)
		}
	}
	return resources
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9@.:_-]+$`)

// readerArgument names whoever reads the cluster, as kubectl create clusterrolebinding takes it. Where that is not known, or would have to
// be quoted, it is left to the reader.
func (f *stateFlags) readerArgument(ctx context.Context) string {
	name := ""
	if config, err := f.cluster.config(); err == nil {
		if name = config.Impersonate.UserName; name == "" {
			me, err := whoami(ctx, config)
			if name = me.Username; err != nil {
				name = ""
			}
		}
	}
	if namespace, account, err := serviceaccount.SplitUsername(name); err == nil {
		return "--serviceaccount=" + namespace + ":" + account
	}
	if !plainName.MatchString(name) {
		name = ""
	}
	return "--user=" + cmp.Or(name, "NAME")
}
