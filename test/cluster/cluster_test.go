package cluster_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// server is shared by the tests that need one: each starts with its own names.
var server *cluster.Cluster

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	var err error
	server, err = cluster.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	return m.Run()
}

func TestStartSaysWhatItNeeds(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", "")
	_, err := cluster.Start()
	want := "KUBEBUILDER_ASSETS is not set: run `make test`, or set it to the folder of envtest's binaries"
	if err == nil || err.Error() != want {
		t.Errorf("Start without KUBEBUILDER_ASSETS: %v, want %s", err, want)
	}
}

func TestAddUser(t *testing.T) {
	user, err := server.AddUser("jane", "developers")
	if err != nil {
		t.Fatal(err)
	}
	fromFile, err := clientcmd.BuildConfigFromFlags("", user.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}

	for name, config := range map[string]*rest.Config{"config": user.Config, "kubeconfig": fromFile} {
		t.Run(name, func(t *testing.T) {
			review, err := clientFor(t, config).AuthenticationV1().SelfSubjectReviews().
				Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(review.Status.UserInfo.Username, review.Status.UserInfo.Groups); got != "jane[developers system:authenticated]" {
				t.Errorf("the API server takes the user for %s", got)
			}
		})
	}
}

func TestAuditEvents(t *testing.T) {
	config := server.As("audited")
	config.UserAgent = t.Name()
	_, err := clientFor(t, config).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err == nil {
		t.Error("a user without any role could list namespaces")
	}

	err = cluster.Eventually(t.Context(), func(context.Context) error {
		events, err := server.AuditEvents()
		if err != nil {
			return err
		}
		for _, event := range events {
			if event.UserAgent == t.Name() && event.User.Username == "admin" && event.ImpersonatedUser.Username == "audited" {
				return nil
			}
		}
		return fmt.Errorf("not among %d events", len(events))
	})
	if err != nil {
		t.Error(err)
	}
}

func clientFor(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
