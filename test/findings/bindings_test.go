package findings

import "testing"

var addition = []string{"deploy/web", "-n", "NS", "--set", "exclude=true"}

func TestBindingDoesNotDeny(t *testing.T) {
	situation{
		rule: "binding-does-not-deny", subject: "guard",
		open: guard{actions: "[Warn]"}.String(), closed: guard{}.String(), ask: addition,
	}.try(t)
}
