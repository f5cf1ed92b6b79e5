package findings

import (
	"fmt"
	"strings"
	"testing"
)

// annotated is the Deployment carrier with some annotations in YAML's flow form.
func annotated(annotations string) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: carrier, namespace: NS, annotations: {%s}}
spec:
  selector: {matchLabels: {app: carrier}}
  template:
    metadata: {labels: {app: carrier}}
    spec: {containers: [{name: main, image: main}]}
`, annotations)
}

// storedIs says whether the API server holds an annotation of the carrier: it takes whatever is written.
func storedIs(key, value string) func(*testing.T, place) bool {
	return func(t *testing.T, p place) bool {
		t.Helper()
		path := "jsonpath={.metadata.annotations." + strings.ReplaceAll(key, ".", `\.`) + "}"
		return p.administrate(t, "", "get", "deployment/carrier", "-o", path) == value
	}
}

// printsAnnotation: what is wrong is stored already, so that no request shows it, and the audit prints it.
func printsAnnotation(key string) proof {
	return prints("downscaler-compliance audit", key+"=")
}

var annotationSituations = []situation{
	{
		rule: "unknown-annotation", subject: `Deployment NS carrier metadata.annotations["downscaler/exlude"]`, says: "Its field manager is test-setup, which wrote last at 20",
		leak: "Creating a Deployment with `downscaler/exlude`, which the downscaler does not read", mend: "the key `downscaler/exclude`",
		open: annotated(`downscaler/exlude: "true"`), closed: annotated(`downscaler/exclude: "true"`), settled: true,
		leaks: storedIs("downscaler/exlude", "true"), proof: printsAnnotation("downscaler/exlude"),
	},
	{
		rule: "invalid-annotation-value", subject: `Deployment NS carrier metadata.annotations["downscaler/uptime"]`,
		leak: "Creating a Deployment with `downscaler/uptime: Mon-Fri 8-18 UTC`", mend: "the value `Mon-Fri 08:00-18:00 UTC`",
		open: annotated(`downscaler/uptime: Mon-Fri 8-18 UTC`), closed: annotated(`downscaler/uptime: "Mon-Fri 08:00-18:00 UTC"`), settled: true,
		leaks: storedIs("downscaler/uptime", "Mon-Fri 8-18 UTC"), says: `The nearest valid value is "Mon-Fri 08:00-18:00 UTC".`, proof: printsAnnotation("downscaler/uptime"),
	},
	{
		rule: "incompatible-annotations", subject: "Deployment NS carrier", says: `downscaler/downtime "never" (its field manager is test-setup, which wrote last at 20`,
		leak: "Creating a Deployment with `downscaler/uptime` and `downscaler/downtime`", mend: "one of the two",
		open: annotated(`downscaler/uptime: always, downscaler/downtime: never`), closed: annotated(`downscaler/uptime: always`), settled: true,
		leaks: storedIs("downscaler/downtime", "never"), proof: printsAnnotation("downscaler/downtime"),
	},
	{
		rule: "expired-exclusion", subject: `Deployment NS carrier metadata.annotations["downscaler/exclude-until"]`, says: "which is past",
		leak: "Creating a Deployment with a `downscaler/exclude-until` of 2001", mend: "a time to come",
		open: annotated(`downscaler/exclude-until: "2001-01-01T00:00:00Z"`), closed: annotated(`downscaler/exclude-until: "9999-01-01T00:00:00Z"`), settled: true,
		leaks: storedIs("downscaler/exclude-until", "2001-01-01T00:00:00Z"), proof: printsAnnotation("downscaler/exclude-until"),
	},
}
