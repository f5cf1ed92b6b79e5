package report

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
)

// comparisonRequesters is a table of whom the changes concern: how many requests each loses and gains. Those who lose and gain nothing are in it
// only if they are few, such as those named on the command line.
func comparisonRequesters(report *compare.Report, options Options) ([]byte, error) {
	var shown []compare.Requester
	for _, r := range ownFirst(report.Requesters) {
		if !r.Nobody && (r.Loses+r.Gains > 0 || len(report.Requesters) <= few) {
			shown = append(shown, r)
		}
	}
	rest := 0
	if !options.ShowAll && len(shown) > readable {
		rest, shown = len(shown)-readable, shown[:readable]
	}
	g := grid{headers: []string{"REQUESTER", "REQUESTS LOST", "GAINED", "MAY WRITE"}}
	for _, r := range shown {
		g.rows = append(g.rows, []string{requesterWords(r), fmt.Sprint(r.Loses), fmt.Sprint(r.Gains), mayWriteWords(r, report.Summary)})
	}
	data, err := g.render(options)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	data = append([]byte("\n"), data...)
	if rest > 0 {
		data = fmt.Appendf(data, "... and %s (--show-all)\n", count(rest, "more requester", "more requesters"))
	}
	return data, nil
}

// requesterWords name a requester, with the groups that the API server does not add by itself.
func requesterWords(r compare.Requester) string {
	words := escape(r.String())
	if r.Kind != "User" {
		return words
	}
	groups := slices.DeleteFunc(slices.Clone(r.Groups), func(group string) bool { return group == user.AllAuthenticated })
	if len(groups) == 0 {
		return words
	}
	return words + " in " + escape(firstOf(groups, few, ", "))
}

func mayWriteWords(r compare.Requester, summary compare.Summary) string {
	switch r.Objects {
	case 0:
		return "none of them: RBAC lets it write nothing"
	case summary.Objects:
		return "all of them"
	}
	return fmt.Sprintf("%d of %d", r.Objects, summary.Objects)
}

// ownFirst puts those last that every cluster has.
func ownFirst(list []compare.Requester) []compare.Requester {
	var own, builtIn []compare.Requester
	for _, r := range list {
		if r.Namespace == metav1.NamespaceSystem || strings.HasPrefix(r.Name, "system:") {
			builtIn = append(builtIn, r)
		} else {
			own = append(own, r)
		}
	}
	return slices.Concat(own, builtIn)
}
