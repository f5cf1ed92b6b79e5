package policy

import (
	"reflect"
	"slices"
	"testing"
)

func TestReadsOf(t *testing.T) {
	for expression, want := range map[string]Reads{
		`has(object.metadata.labels) && object.metadata.labels["team"] == "a"`:                       {Labels: true, Texts: []string{"team", "a"}},
		`object.metadata.?labels[?"team"].orValue("b") in ["c"]`:                                     {Labels: true, Texts: []string{"team", "b", "c"}},
		`has(object.metadata.annotations.skip)`:                                                      {Annotations: true, Texts: []string{"skip"}},
		`variables.labels.?guard.orValue("on") != "off"`:                                             {Texts: []string{"off", "guard", "on"}},
		`!object.metadata.name.startsWith("tmp-")`:                                                   {Name: true, Texts: []string{"tmp-"}},
		`request.userInfo.username != "a" && request.userInfo.groups.all(g, g != "b")`:               {},
		`request.operation == "CREATE" || object.metadata.annotations.exists(k, k.startsWith("c/"))`: {Annotations: true, Texts: []string{"c/"}},
		`{"d": oldObject.metadata.name}`:                                                             {Name: true, Texts: []string{"d"}},
		`(`:                                                                                          {},
	} {
		got := ReadsOf([]string{expression})
		sameTexts := len(got.Texts) == len(want.Texts)
		for _, text := range want.Texts {
			sameTexts = sameTexts && slices.Contains(got.Texts, text)
		}
		got.Texts, want.Texts = nil, nil
		if !sameTexts || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", expression, ReadsOf([]string{expression}))
		}
	}
}
