package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// handful is how many results are all shown, also those that need no attention.
const handful = 10

// attention is the order in which outcomes are shown: what needs attention first.
var attention = []simulate.Outcome{simulate.Blocked, simulate.Unknown, simulate.Altered, simulate.Allowed}

var outcomeColors = map[simulate.Outcome]color{
	simulate.Blocked: red,
	simulate.Unknown: magenta,
	simulate.Altered: yellow,
	simulate.Allowed: green,
}

// simulationStyle is how much of everything a table shows.
type simulationStyle struct {
	Options
	valueLimit   int  // characters of an annotation's value
	messageLimit int  // characters of a policy's message
	reasons      int  // reasons beside one outcome
	origins      bool // the policies have columns of their own
}

func outcomeWord(outcome simulate.Outcome, options Options) string {
	return options.paint(outcomeColors[outcome], escape(strings.ToLower(string(outcome))))
}

func operationWord(result simulate.Result) string { return escape(strings.ToLower(result.Operation)) }

// shownResults are the results that the table has rows for; rest counts the others, all allowed.
func shownResults(report *simulate.Report, options Options) (shown []simulate.Result, rest int) {
	all := options.ShowAll || len(report.Results) <= handful
	for _, result := range report.Results {
		if all || result.Outcome != simulate.Allowed {
			shown = append(shown, result)
		}
	}
	slices.SortStableFunc(shown, func(a, b simulate.Result) int {
		return slices.Index(attention, a.Outcome) - slices.Index(attention, b.Outcome)
	})
	return shown, len(report.Results) - len(shown)
}

// shownAnnotations are the annotations that a request or a policy touches, nil for a request that
// touches none: it has a row, too.
func shownAnnotations(result simulate.Result) []*simulate.Annotation {
	if neverMerged(result) {
		return []*simulate.Annotation{nil}
	}
	var shown []*simulate.Annotation
	for i, a := range result.Annotations {
		asked := a.Change != simulate.Unchanged && a.Change != simulate.None
		met := a.Effect != simulate.EffectKept && a.Effect != simulate.EffectUnknown
		if asked || met {
			shown = append(shown, &result.Annotations[i])
		}
	}
	if shown == nil {
		return []*simulate.Annotation{nil}
	}
	return shown
}
