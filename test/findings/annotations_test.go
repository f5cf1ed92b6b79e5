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
func storedIs(key, value string) func(*testing.T, string) bool {
	return func(t *testing.T, namespace string) bool {
		t.Helper()
		path := "jsonpath={.metadata.annotations." + strings.ReplaceAll(key, ".", `\.`) + "}"
		return administrate(t, namespace, "", "get", "deployment/carrier", "-o", path) == value
	}
}

func TestUnknownAnnotation(t *testing.T) {
	situation{
		rule: "unknown-annotation", subject: `Deployment NS carrier metadata.annotations["downscaler/exlude"]`,
		open: annotated(`downscaler/exlude: "true"`), closed: annotated(`downscaler/exclude: "true"`),
		leaks: storedIs("downscaler/exlude", "true"), says: "It was set by test-setup at 20",
	}.try(t)
}

func TestInvalidAnnotationValue(t *testing.T) {
	situation{
		rule: "invalid-annotation-value", subject: `Deployment NS carrier metadata.annotations["downscaler/uptime"]`,
		open: annotated(`downscaler/uptime: Mon-Fri 8-18 UTC`), closed: annotated(`downscaler/uptime: "Mon-Fri 08:00-18:00 UTC"`),
		leaks: storedIs("downscaler/uptime", "Mon-Fri 8-18 UTC"), says: `The nearest valid value is "Mon-Fri 08:00-18:00 UTC".`,
	}.try(t)
}

func TestIncompatibleAnnotations(t *testing.T) {
	situation{
		rule: "incompatible-annotations", subject: "Deployment NS carrier",
		open: annotated(`downscaler/uptime: always, downscaler/downtime: never`), closed: annotated(`downscaler/uptime: always`),
		leaks: storedIs("downscaler/downtime", "never"), says: `downscaler/downtime "never" (set by test-setup at 20`,
	}.try(t)
}

func TestExpiredExclusion(t *testing.T) {
	situation{
		rule: "expired-exclusion", subject: `Deployment NS carrier metadata.annotations["downscaler/exclude-until"]`,
		open: annotated(`downscaler/exclude-until: "2001-01-01T00:00:00Z"`), closed: annotated(`downscaler/exclude-until: "9999-01-01T00:00:00Z"`),
		leaks: storedIs("downscaler/exclude-until", "2001-01-01T00:00:00Z"), says: "which is past",
	}.try(t)
}
