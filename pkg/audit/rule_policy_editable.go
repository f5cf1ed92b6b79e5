package audit

import (
	"context"
)

// policyEditable: someone besides the cluster's administrators may write a policy of the guard, a binding of it or one of its parameters, as
// RBAC says, or can act as somebody who may. There is one finding for each RoleBinding or ClusterRoleBinding that lets them write policies or
// bindings, one for each way to act as somebody who may, and one for each binding whose parameters others may write. It is silent where nothing is enforced that could be switched off.
var policyEditable = rule{
	Rule: Rule{ID: policyEditableID, Severity: High, Title: "Someone besides the cluster's administrators may change the guard itself"},
	find: findPolicyEditable,
}

const policyEditableID = "policy-editable"

func findPolicyEditable(ctx context.Context, v *view) ([]Finding, error) {
	enforced, err := v.enforcedGuards(ctx)
	if err != nil || len(enforced) == 0 {
		return nil, err
	}
	rbac, err := v.rbac(ctx)
	if rbac == nil {
		return nil, err
	}
	administrators := rbac.Administrators()
	var findings []Finding
	parts := guardParts(enforced)
	for _, e := range editorsOf(rbac, administrators, parts) {
		findings = append(findings, e.finding(ctx, v))
	}
	byPath, err := v.editorPaths(ctx, rbac, parts)
	if err != nil {
		return nil, err
	}
	findings = append(findings, byPath...)
	for _, p := range enforced {
		for _, b := range p.bindings {
			params, gaps, err := paramParts(ctx, v.inventory, p, b, v.objectNamespaces())
			if err != nil {
				return nil, err
			}
			for _, gap := range gaps {
				v.gathered.incomplete[gap] = true
			}
			if editors := editorsOf(rbac, administrators, params); len(editors) > 0 {
				findings = append(findings, v.paramFinding(ctx, p, b, editors))
			}
		}
	}
	return findings, nil
}
