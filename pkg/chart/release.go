package chart

import "strings"

// chartName is the chart's own, from which it makes names.
const chartName = "go-kube-downscaler"

// maxName is where the chart cuts names off: that of a DNS label.
const maxName = 63

// Release is the Helm release that the values are for.
type Release struct{ Name, Namespace string }

// downscaler is the downscaler's service account, and webhook that of its webhook, by the chart's rules for names.
func (v *Values) downscaler(r Release) string {
	name := v.serviceAccount.name
	switch {
	case name != "":
	case v.serviceAccount.create:
		name = v.fullname(r)
	default:
		name = "default"
	}
	return serviceAccount(r.Namespace, name)
}

func (v *Values) webhook(r Release) string {
	return serviceAccount(r.Namespace, v.fullname(r)+"-webhook")
}

// fullname is what the chart calls its objects.
func (v *Values) fullname(r Release) string {
	name := v.nameOverride
	if name == "" {
		name = chartName
	}
	switch {
	case v.fullnameOverride != "":
		name = v.fullnameOverride
	case strings.Contains(r.Name, name):
		name = r.Name
	default:
		name = r.Name + "-" + name
	}
	if len(name) > maxName {
		name = name[:maxName]
	}
	return strings.TrimSuffix(name, "-")
}

func serviceAccount(namespace, name string) string {
	return "system:serviceaccount:" + namespace + ":" + name
}
