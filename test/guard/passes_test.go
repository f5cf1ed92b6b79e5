package guard

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// passing is a request that no guard may stop.
type passing struct {
	name string
	who  request.Requester
	of   builtin
	sub  string
	// An annotation is changed, or the whole object sent with something else changed.
	annotate request.Change
	put      func(runtime.Object)
}

// TestGuardLetsWorkPass: under the hardened guard the downscaler, controllers and tenants do what they do without it.
func TestGuardLetsWorkPass(t *testing.T) {
	var guards []rendered
	for _, mode := range []string{"validating", "mutating"} {
		guards = append(guards, render(t, "pass-"+mode, inMode(leaky["kinds"], mode), true))
	}
	forced := force(t, func(namespace string) string { return builtinObjects(namespace) + "---\n" + deletable(namespace) }, guards...)
	for name, f := range forced {
		t.Run(name, func(t *testing.T) {
			questions := slices.Concat(f.creations(t), f.deletions(t), f.applies(t))
			for _, p := range slices.Concat(byDownscaler(), byControllers(), byTenants()) {
				of := p.of.name
				if p.of.resource == "namespaces" {
					of = f.namespace
				}
				object := f.get(t, p.of.group, p.of.resource, of)
				question := f.annotating(t, p.who, object, p.annotate, request.Options{Subresource: p.sub})
				if p.put != nil {
					question = f.putting(t, p.who, object, p.sub, p.put)
				}
				questions = append(questions, posed{p.name + " of " + p.of.resource + "/" + p.sub, p.who, question, allowed})
			}
			f.ask(t, questions)
		})
	}
}

// byDownscaler are the bookkeeping of the downscaler and of its webhook.
func byDownscaler() []passing {
	var all []passing
	for _, who := range []request.Requester{
		account(releaseNamespace, releaseName+"-go-kube-downscaler"), account(releaseNamespace, releaseName+"-go-kube-downscaler-webhook"),
	} {
		for _, of := range append([]builtin{{"", "namespaces", ""}}, builtins...) {
			all = append(all,
				passing{name: "keeping the replicas", who: who, of: of, annotate: set("downscaler/original-replicas", "3")},
				passing{name: "forgetting an annotation", who: who, of: of, annotate: remove("downscaler/uptime")},
			)
		}
		all = append(all, passing{name: "scaling down", who: who, of: builtins[0], put: func(object runtime.Object) {
			deployment := object.(*appsv1.Deployment)
			deployment.Annotations["downscaler/original-replicas"] = "3"
			deployment.Spec.Replicas = new(int32)
		}})
	}
	return all
}

// byControllers are the updates by which controllers keep a status, a scale, and what is copied.
func byControllers() []passing {
	of := map[string]builtin{"replicasets": {"apps", "replicasets", "annotated"}, "namespaces": {"", "namespaces", ""}}
	for _, b := range builtins {
		of[b.resource] = b
	}
	system := func(name string) request.Requester { return account("kube-system", name) }
	all := []passing{
		{name: "copying annotations", who: system("deployment-controller"), of: of["replicasets"], annotate: set("downscaler/exclude", "false")},
		{name: "copying all but an annotation", who: system("deployment-controller"), of: of["replicasets"], annotate: remove("downscaler/exclude")},
		{name: "copying annotations", who: user("system:kube-controller-manager"), of: of["replicasets"], annotate: set("downscaler/exclude", "false")},
		{name: "scaling", who: system("horizontal-pod-autoscaler"), of: of["deployments"], sub: "scale", put: func(object runtime.Object) {
			object.(*autoscalingv1.Scale).Spec.Replicas = 5
		}},
		{name: "finalizing", who: system("namespace-controller"), of: of["namespaces"], sub: "finalize", put: func(object runtime.Object) {
			object.(*corev1.Namespace).Spec.Finalizers = nil
		}},
		{name: "noting a revision", who: system("deployment-controller"), of: of["deployments"], annotate: set("deployment.kubernetes.io/revision", "2")},
	}
	for resource, status := range map[string]struct {
		who request.Requester
		put func(runtime.Object)
	}{
		"deployments":  {system("deployment-controller"), func(o runtime.Object) { o.(*appsv1.Deployment).Status.ObservedGeneration = 1 }},
		"statefulsets": {system("statefulset-controller"), func(o runtime.Object) { o.(*appsv1.StatefulSet).Status.ObservedGeneration = 1 }},
		"daemonsets":   {system("daemon-set-controller"), func(o runtime.Object) { o.(*appsv1.DaemonSet).Status.ObservedGeneration = 1 }},
		"replicasets":  {system("replicaset-controller"), func(o runtime.Object) { o.(*appsv1.ReplicaSet).Status.ObservedGeneration = 1 }},
		"jobs":         {system("job-controller"), func(o runtime.Object) { o.(*batchv1.Job).Status.Ready = new(int32) }},
		"cronjobs":     {system("cronjob-controller"), func(o runtime.Object) { o.(*batchv1.CronJob).Status.LastScheduleTime = &metav1.Time{} }},
		"horizontalpodautoscalers": {system("horizontal-pod-autoscaler"), func(o runtime.Object) {
			o.(*autoscalingv2.HorizontalPodAutoscaler).Status.DesiredReplicas = 2
		}},
		"poddisruptionbudgets": {system("disruption-controller"), func(o runtime.Object) { o.(*policyv1.PodDisruptionBudget).Status.ExpectedPods = 1 }},
		"services": {system("service-controller"), func(o runtime.Object) {
			o.(*corev1.Service).Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", LastTransitionTime: metav1.Unix(1, 0)}}
		}},
		"ingresses": {account("ingress-nginx", "ingress-nginx"), func(o runtime.Object) {
			o.(*networkingv1.Ingress).Status.LoadBalancer.Ingress = []networkingv1.IngressLoadBalancerIngress{{IP: "192.0.2.1"}}
		}},
		"namespaces": {system("namespace-controller"), func(o runtime.Object) {
			o.(*corev1.Namespace).Status.Conditions = []corev1.NamespaceCondition{{Type: corev1.NamespaceContentRemaining, Status: corev1.ConditionFalse}}
		}},
	} {
		all = append(all, passing{name: "keeping the status", who: status.who, of: of[resource], sub: "status", put: status.put})
	}
	return all
}

// byTenants are changes of annotated objects that leave the guarded annotations alone.
func byTenants() []passing {
	dev, deployment := user("dev"), builtins[0]
	all := []passing{
		{name: "setting the image", who: dev, of: deployment, put: func(o runtime.Object) { o.(*appsv1.Deployment).Spec.Template.Spec.Containers[0].Image = "web:2" }},
		{name: "restarting", who: dev, of: deployment, put: func(o runtime.Object) {
			o.(*appsv1.Deployment).Spec.Template.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": "2026-01-02T03:04:05Z"}
		}},
		{name: "scaling", who: dev, of: deployment, sub: "scale", put: func(o runtime.Object) { o.(*autoscalingv1.Scale).Spec.Replicas = 1 }},
	}
	for _, of := range append([]builtin{{"", "namespaces", ""}, {"apps", "replicasets", "annotated"}}, builtins...) {
		all = append(all,
			passing{name: "annotating otherwise", who: dev, of: of, annotate: set("example.com/owner", "b")},
			passing{name: "removing another annotation", who: dev, of: of, annotate: remove("example.com/owner")},
			passing{name: "annotating otherwise", who: dev, of: of, sub: "status", annotate: set("example.com/owner", "b")},
			passing{name: "relabelling", who: dev, of: of, put: func(o runtime.Object) {
				meta := o.(metav1.Object)
				labels := map[string]string{"team": "a"}
				for key, value := range meta.GetLabels() {
					labels[key] = value
				}
				meta.SetLabels(labels)
			}},
		)
	}
	return all
}
