package differential

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// How a feature shows in an API server's answer.
const (
	denied  = "denied"
	warned  = "warned"
	audited = "audited"
	stored  = "stored"
	passed  = "passed"
	leftOut = "left out"
)

var columns = []string{denied, warned, audited, stored, passed, leftOut}

// Coverage counts what the API server did, by feature. Only requests that were compared count.
type Coverage map[string]map[string]int

func (c Coverage) count(feature, column string) {
	if c[feature] == nil {
		c[feature] = map[string]int{}
	}
	c[feature][column]++
}

// Add counts a round.
func (c Coverage) Add(round Round) {
	for _, trial := range round.Trials {
		if trial.NotSimulated != "" {
			continue
		}
		group := round.Groups[trial.Group]
		c.addTexts(trial.Server)
		c.addRequest(group.Requests[trial.Request], trial.Server)
		c.addPolicies(group, group.Requests[trial.Request], trial.Server)
	}
}

// marked finds what mark left.
var marked = regexp.MustCompile(`\{([a-zA-Z][a-zA-Z0-9 ,./'-]*)\}`)

// addTexts counts the features whose marks or words an answer holds, once each and where they are.
func (c Coverage) addTexts(answer Answer) {
	for column, text := range texts(answer) {
		seen := map[string]bool{}
		for _, match := range marked.FindAllStringSubmatch(text, -1) {
			seen[match[1]] = true
		}
		for feature, words := range telling {
			if words.MatchString(text) {
				seen[feature] = true
			}
		}
		for feature := range seen {
			c.count(feature, column)
		}
	}
}

// texts are the parts of an answer's transcript.
func texts(answer Answer) map[string]string {
	parts := map[string]string{
		warned:  Answer{Reply: reply.Reply{Warnings: answer.Warnings}}.transcript(),
		audited: Answer{Reply: reply.Reply{Audit: answer.Audit}}.transcript(),
		stored:  Answer{Annotations: answer.Annotations}.transcript(),
	}
	if answer.Status != nil {
		parts[denied] = answer.Status.Message
		if answer.Status.Details != nil {
			for _, cause := range answer.Status.Details.Causes {
				parts[denied] += "\n" + cause.Message
			}
		}
	}
	return parts
}

// addRequest counts what kind of request it was.
func (c Coverage) addRequest(r Request, answer Answer) {
	outcome := outcomeOf(answer)
	features := []string{"kind " + textAt(r.Object, "kind"), "way " + string(r.Way)}
	if (subject{Manifest: r.Object}).isAutoscaler() {
		features = append(features, textAt(r.Object, "apiVersion"))
	}
	if r.Subresource != "" {
		features = append(features, "subresource "+r.Subresource)
	}
	if r.Subresource == "status" && (subject{Manifest: r.Object}).isCustom() {
		features = append(features, "subresource status of a custom resource")
	}
	if textAt(r.Object, "metadata", "generateName") != "" {
		features = append(features, "generateName")
	}
	if strings.HasPrefix(r.User, "system:serviceaccount:") {
		features = append(features, "requester is a service account")
	}
	for _, feature := range features {
		c.count(feature, outcome)
	}
}

func outcomeOf(answer Answer) string {
	switch {
	case answer.Status != nil:
		return denied
	case len(answer.Warnings) > 0:
		return warned
	case len(answer.Audit) > 0:
		return audited
	case strings.Contains(Answer{Annotations: answer.Annotations}.transcript(), "{"):
		return stored
	}
	return passed
}

// least is how often a feature must show for a run to have covered it.
const least = 20

// Thin lists the features that show too rarely.
func (c Coverage) Thin() []string {
	names := map[string]bool{}
	for _, feature := range slices.Concat(expected(), slices.Collect(maps.Keys(c))) {
		names[feature] = true
	}
	var thin []string
	for _, feature := range slices.Sorted(maps.Keys(names)) {
		total := 0
		for _, n := range c[feature] {
			total += n
		}
		if total < least {
			thin = append(thin, fmt.Sprintf("%4d %s", total, feature))
		}
	}
	return thin
}

// Table prints the counts, a feature a line.
func (c Coverage) Table() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-52s", "what the API server did")
	for _, column := range columns {
		fmt.Fprintf(&text, "%9s", column)
	}
	for _, feature := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&text, "\n%-52s", feature)
		for _, column := range columns {
			fmt.Fprintf(&text, "%9d", c[feature][column])
		}
	}
	return text.String()
}
