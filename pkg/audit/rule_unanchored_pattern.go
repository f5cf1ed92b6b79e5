package audit

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// unanchoredPattern: a pattern of a party that the guard lets through matches other names as well, because it is open at an end or has a dot in it
// that matches any character. Such a name is made of the pattern and tried: it is a finding only if the guard lets it through while the
// ordinary user is stopped. What lets a whole crowd through is pattern-authorizes-everyone's.
var unanchoredPattern = rule{
	Rule: Rule{ID: "unanchored-pattern", Severity: High, Title: "A pattern of authorised names lets similar names through"},
	find: findUnanchoredPattern,
}

func findUnanchoredPattern(ctx context.Context, v *view) ([]Finding, error) {
	patterns, err := v.patterns(ctx)
	if err != nil {
		return nil, err
	}
	if err := v.assumeNobodyElse(ctx); err != nil {
		return nil, err
	}
	stops := map[policyName][]*stop{}
	var findings []Finding
	for _, p := range patterns {
		if _, everyone := p.crowd(); everyone {
			continue
		}
		if _, known := stops[p.policy.policyName]; !known {
			stops[p.policy.policyName] = v.telling(p.policy.policyName)
		}
		if finding, found := v.unanchoredFinding(ctx, p, stops[p.policy.policyName]); found {
			findings = append(findings, finding)
		}
	}
	return findings, nil
}

func (v *view) unanchoredFinding(ctx context.Context, p pattern, stops []*stop) (Finding, bool) {
	finding := Finding{Subject: p.subject(), Distinct: p.distinct(), Remedy: p.remedy()}
	var holes []string
	var tried string
	for _, made := range []iter.Seq[nearMiss]{openEnds(p.test), openDots(p.test)} {
		miss, passed, found := v.missThrough(ctx, p, made, stops)
		if !found {
			continue
		}
		holes = append(holes, fmt.Sprintf("%s, because %s", p.called(miss.name), miss.because))
		if finding.Evidence == "" {
			who, _ := p.requester(miss.name)
			finding.Evidence = v.evidenceAs(who, exampleOf(*passed), "")
			tried = fmt.Sprintf("It was tried: %s passes, and is prevented for an ordinary user.", exampleOf(*passed))
		}
	}
	finding.Message = fmt.Sprintf("%s also lets through %s. %s", p, strings.Join(holes, "; and "), tried)
	return finding, len(holes) > 0
}

// missThrough is the first of some names that gets through.
func (v *view) missThrough(ctx context.Context, p pattern, made iter.Seq[nearMiss], stops []*stop) (nearMiss, *tried, bool) {
	for miss := range made {
		who, ok := p.requester(miss.name)
		if !ok || ctx.Err() != nil {
			continue
		}
		if passed, through := v.letThroughAs(ctx, stops, who); through {
			return miss, passed, true
		}
	}
	return nearMiss{}, nil, false
}

// remedy writes the pattern as it is meant, as far as that can be told. Of a name's beginning or end it can't: it is that of names, and none itself.
func (p pattern) remedy() string {
	switch p.test.Match {
	case policy.MatchRegex:
		return remedyOf(p.test.Text)
	case policy.MatchPrefix:
		return wholeNames + ", or let the text end in a separator that no other name has there."
	case policy.MatchSuffix:
		return wholeNames + ", or let the text begin with a separator that no other name has there, as @ is before a domain."
	}
	return wholeNames + "."
}

const wholeNames = "Write the whole names that are meant, with == or in a list"
