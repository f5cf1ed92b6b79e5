package audit

import (
	"net/url"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// What the downscaler's own webhook is known by. Its name is that of its configuration, too: no value of the chart changes it, and the program finds
// its configuration by it to renew the certificate there. The path is the only one that the program serves
// (cmd/admissioncontroller/main.go there).
const (
	downscalerWebhook     = "webhook.kube-downscaler.k8s"
	downscalerWebhookPath = "/validate-workloads"
)

// isDownscalerWebhook goes by the name. A configuration that was given another one is known by the path together with a service or host that is called
// after the downscaler: neither is enough for it, since others serve such a path, and other webhooks may stand beside the downscaler.
func isDownscalerWebhook(configuration string, w admissionregistrationv1.MutatingWebhook) bool {
	if configuration == downscalerWebhook || w.Name == downscalerWebhook {
		return true
	}
	host, path := servedAt(w.ClientConfig)
	return path == downscalerWebhookPath && strings.Contains(host, "downscaler")
}

// servedAt is the service's name, or the host of the URL, and the path.
func servedAt(c admissionregistrationv1.WebhookClientConfig) (host, path string) {
	if s := c.Service; s != nil {
		if s.Path != nil {
			path = *s.Path
		}
		return s.Name, path
	}
	if c.URL == nil {
		return "", ""
	}
	at, err := url.Parse(*c.URL)
	if err != nil {
		return "", ""
	}
	return at.Hostname(), at.Path
}

// ownNamespace is the one that a webhook runs in; "" where a URL leaves it open. Whoever writes workloads there may change the webhook itself, so that it is no
// leak that an object's name counts there.
func ownNamespace(c admissionregistrationv1.WebhookClientConfig) string {
	if c.Service == nil {
		return ""
	}
	return c.Service.Namespace
}
