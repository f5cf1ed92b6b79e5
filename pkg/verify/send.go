package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// dryRunParameter is the query parameter without which the API server would write.
const dryRunParameter = "dryRun"

// errNotDryRun is a mistake in this package.
var errNotDryRun = errors.New("refused to send a write that is no dry run")

// asDryRun is a request as a dry run. A deletion's options are read from its body alone, where it has one.
func asDryRun(w request.Wire) (request.Wire, error) {
	query := url.Values{}
	for key, values := range w.Query {
		query[key] = slices.Clone(values)
	}
	query.Set(dryRunParameter, metav1.DryRunAll)
	w.Query = query
	if w.Method != http.MethodDelete {
		return w, nil
	}
	options := metav1.DeleteOptions{}
	if err := json.Unmarshal(w.Body, &options); err != nil {
		return w, fmt.Errorf("the options of the deletion: %w", err)
	}
	options.DryRun = []string{metav1.DryRunAll}
	body, err := json.Marshal(options)
	w.Body = body
	return w, err
}

// send is the one place that sends a write to an API server. It refuses whatever is not marked as a dry run in each
// place that the server looks at.
func send(ctx context.Context, client rest.Interface, w request.Wire) (reply, error) {
	if !isDryRun(w) {
		return reply{}, errNotDryRun
	}
	r := client.Verb(w.Method).AbsPath(w.Path).SetHeader("Content-Type", w.ContentType).SetHeader("Accept", "application/json").Body(w.Body)
	for key, values := range w.Query {
		for _, value := range values {
			r.Param(key, value)
		}
	}
	if sent := r.URL().Query()[dryRunParameter]; !slices.Equal(sent, []string{metav1.DryRunAll}) {
		return reply{}, errNotDryRun
	}
	var got reply
	result := r.Do(ctx).StatusCode(&got.code)
	for _, warning := range result.Warnings() {
		got.warnings = append(got.warnings, warning.Text)
	}
	var err error
	got.body, err = result.Raw()
	if got.code != 0 && len(got.body) > 0 {
		return got, nil
	}
	return got, err
}

func isDryRun(w request.Wire) bool {
	if !slices.Equal(w.Query[dryRunParameter], []string{metav1.DryRunAll}) {
		return false
	}
	if w.Method != http.MethodDelete {
		return true
	}
	options := metav1.DeleteOptions{}
	return json.Unmarshal(w.Body, &options) == nil && slices.Equal(options.DryRun, []string{metav1.DryRunAll})
}
