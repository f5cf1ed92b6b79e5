package differential

import "regexp"

// telling are texts of the API server's own that show a feature.
var telling = map[string]*regexp.Regexp{
	"cost limit of an expression":        regexp.MustCompile("actual cost limit exceeded|exceeds runtime cost limit"),
	"cost budget of a policy":            regexp.MustCompile("exceeds? (the )?.*cost budget|out of cost budget"),
	"runtime error":                      regexp.MustCompile("resulted in error"),
	"runtime error of a mutation":        regexp.MustCompile("denied request: (evaluation error|error (applying|evaluating)|.*no such key|.*jsonpatch)"),
	"failed expression":                  regexp.MustCompile("failed expression: "),
	"parameterNotFoundAction Deny":       regexp.MustCompile("no params found for policy binding with `Deny` parameterNotFoundAction"),
	"namespaced params, cluster's scope": regexp.MustCompile("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"),
	"paramKind that nobody serves":       regexp.MustCompile("failed to find resource referenced by paramKind"),
	"audit annotation that fails":        regexp.MustCompile("valueExpression .* resulted in error"),
	"per-namespace params a":             regexp.MustCompile("from a"),
	"per-namespace params b":             regexp.MustCompile("from b"),
	"validationActions Audit":            regexp.MustCompile(`"validationActions":\["Audit"\]`),
	"validationActions Warn and Audit":   regexp.MustCompile(`"validationActions":\["Warn","Audit"\]`),
	"validationActions Deny and Audit":   regexp.MustCompile(`"validationActions":\["Deny","Audit"\]`),
}
