package controlplane

import (
	"context"
	"slices"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
)

// How long nothing must change before the controller is taken to be done.
const quiet = 300 * time.Millisecond

// aggregated returns the world's ClusterRoles after Kubernetes' own controller has filled them in.
func aggregated(t *testing.T, roles []*rbacv1.ClusterRole) []*rbacv1.ClusterRole {
	t.Helper()
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), klog.Logger{}))
	defer cancel()
	var objects []runtime.Object
	for _, role := range roles {
		objects = append(objects, role.DeepCopy())
	}
	client := fake.NewClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	controller := clusterroleaggregation.NewClusterRoleAggregation(factory.Rbac().V1().ClusterRoles(), client.RbacV1())
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	done := make(chan struct{})
	go func() {
		defer close(done)
		controller.Run(ctx, 1)
	}()
	settle(t, func() int { return len(client.Actions()) })
	filled, err := client.RbacV1().ClusterRoles().List(ctx, metav1.ListOptions{})
	must(t, err)
	cancel()
	<-done
	return inOrderOf(roles, filled.Items)
}

// settle waits until a count stays the same.
func settle(t *testing.T, count func() int) {
	t.Helper()
	last, since := count(), time.Now()
	for end := time.Now().Add(30 * time.Second); time.Since(since) < quiet; time.Sleep(20 * time.Millisecond) {
		if now := count(); now != last {
			last, since = now, time.Now()
		}
		if time.Now().After(end) {
			t.Fatal("the controller doesn't come to rest")
		}
	}
}

func inOrderOf(roles []*rbacv1.ClusterRole, filled []rbacv1.ClusterRole) []*rbacv1.ClusterRole {
	var ordered []*rbacv1.ClusterRole
	for _, role := range roles {
		i := slices.IndexFunc(filled, func(f rbacv1.ClusterRole) bool { return f.Name == role.Name })
		ordered = append(ordered, &filled[i])
	}
	return ordered
}
