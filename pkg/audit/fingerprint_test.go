package audit

import "testing"

func TestFingerprint(t *testing.T) {
	base := Finding{
		ID: "unanchored-pattern", Severity: High, Message: "12 objects.", Evidence: "a command", Remedy: "Do it.",
		Subject: Subject{Kind: "ValidatingAdmissionPolicy", Name: "guard", Field: "spec.matchConditions[2]"},
	}
	// It never changes: files that people keep have it in them.
	if got := base.Fingerprint(); got != "6e1a5d72e4ca4db8295fac543d763f18" {
		t.Error(got)
	}
	change := func(f func(*Finding)) string {
		other := base
		f(&other)
		return other.Fingerprint()
	}
	if change(func(f *Finding) { f.Message, f.Evidence, f.Remedy = "13 objects.", "another", "Do that." }) != base.Fingerprint() {
		t.Error("another wording makes another finding")
	}
	seen := map[string]bool{base.Fingerprint(): true}
	for what, other := range map[string]string{
		"id":        change(func(f *Finding) { f.ID = "no-policy" }),
		"severity":  change(func(f *Finding) { f.Severity = Critical }),
		"kind":      change(func(f *Finding) { f.Subject.Kind = "MutatingAdmissionPolicy" }),
		"namespace": change(func(f *Finding) { f.Subject.Namespace = "guard" }),
		"name":      change(func(f *Finding) { f.Subject.Name = "guard2" }),
		"field":     change(func(f *Finding) { f.Subject.Field = "spec.matchConditions[3]" }),
		"distinct":  change(func(f *Finding) { f.Distinct = "dev" }),
		"another":   change(func(f *Finding) { f.Distinct = "ops" }),
		"no field":  change(func(f *Finding) { f.Subject.Name, f.Subject.Field = "guardspec.matchConditions[2]", "" }),
		"values":    change(func(f *Finding) { f.Subject.Kind = ValuesKind }),
	} {
		if seen[other] {
			t.Errorf("another %s makes no other finding", what)
		}
		seen[other] = true
	}
	// A pattern is the same wherever in its list it stands, and values are the same wherever their file lies.
	at := func(field, file string) string {
		return change(func(f *Finding) { f.Distinct, f.Subject = "dev", Subject{Kind: ValuesKind, Name: file, Field: field} })
	}
	if at("authorizedUsersRegex[0]", "values.yaml") != at("authorizedUsersRegex[12]", "/srv/deploy/values.yaml") {
		t.Error("another place makes another finding")
	}
}
