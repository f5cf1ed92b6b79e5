package differential

import "regexp"

// telling are texts of the API server's own that show a feature.
var telling = map[string]*regexp.Regexp{
	"cost limit of an expression":        regexp.MustCompile("actual cost limit exceeded|exceeds runtime cost limit"),
	"cost budget of a policy":            regexp.MustCompile("exceeds? (the )?.*cost budget|out of cost budget"),
	"runtime error":                      regexp.MustCompile("resulted in error"),
	"runtime error of a mutation":        regexp.MustCompile("denied request: (evaluation error|error (applying|evaluating)|.*no such key|.*jsonpatch)"),
	"ApplyConfiguration on a Scale":      regexp.MustCompile("no corresponding type for autoscaling/v1, Kind=Scale"),
	"failed expression":                  regexp.MustCompile("failed expression: "),
	"namespaced params, cluster's scope": regexp.MustCompile("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"),
	"paramKind that nobody serves":       regexp.MustCompile("failed to find resource referenced by paramKind"),
	"JSONPatch that spoils the object":   regexp.MustCompile(`Internal error occurred|metadata.labels: Invalid value: "not a label!|cannot unmarshal`),
	"validationActions Deny":             regexp.MustCompile("ValidatingAdmissionPolicy '.*' with binding '.*' denied request"),
	"validationActions Warn":             regexp.MustCompile("Validation failed for ValidatingAdmissionPolicy"),
	"validationActions Audit":            regexp.MustCompile(`"validationActions":\["Audit"\]`),
	"validationActions Warn and Audit":   regexp.MustCompile(`"validationActions":\["Warn","Audit"\]`),
	"validationActions Deny and Audit":   regexp.MustCompile(`"validationActions":\["Deny","Audit"\]`),
}
