package policy

import (
	"slices"
	"testing"
)

func TestReplaceText(t *testing.T) {
	for expression, want := range map[string]string{
		`!request.userInfo.username.matches("x")`: `!request.userInfo.username.matches("y")`,
		`has(object.metadata.annotations) && request.userInfo.?groups.orValue([]).exists(g, g in ['x', r'xx', """x"""])`: `has(object.metadata.annotations) && request.userInfo.?groups.orValue([]).exists(g, g in ["y", "xx", "y"])`,
		`object.metadata.labels["x"] == "a"`: `object.metadata.labels["y"] == "a"`,
	} {
		if got, replaced, err := ReplaceText(expression, "x", "y"); got != want || !replaced || err != nil {
			t.Errorf("%s: %s, %v, %v", expression, got, replaced, err)
		}
	}
	if got, replaced, err := ReplaceText(`true  || x == "z"`, "x", "y"); got != `true  || x == "z"` || replaced || err != nil {
		t.Errorf("%s, %v, %v", got, replaced, err)
	}
	if _, _, err := ReplaceText(`(`, "x", "y"); err == nil {
		t.Error("an expression that does not parse has no constants")
	}
}

func TestTexts(t *testing.T) {
	for expression, want := range map[string][]string{
		`request.name != "x" && !(request.name in ["y", 'x'])`: {"x", "y"},
		`object.metadata.labels["z"] == string(1)`:             {"z"},
		`(`: nil,
	} {
		if got := Texts(expression); !slices.Equal(got, want) {
			t.Errorf("%s: %q", expression, got)
		}
	}
}
