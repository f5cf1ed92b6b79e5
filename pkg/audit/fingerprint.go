package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"regexp"
)

var listPlace = regexp.MustCompile(`\[\d+\]`)

// Fingerprint tells findings apart from one run to the next. It is made of the rule, the severity and the subject, and of no
// sentence: how a finding is worded, how many objects it counts and which of them is its example don't matter. A finding that becomes
// graver is another one. Where Distinct says which item of a list it is about, that decides and not the item's place, so that an
// item put before it makes no other finding of it. Helm values are known by their file's name, wherever it lies.
func (f Finding) Fingerprint() string {
	subject := f.Subject
	if subject.Kind == ValuesKind {
		subject.Name = filepath.Base(subject.Name)
	}
	if f.Distinct != "" {
		subject.Field = listPlace.ReplaceAllString(subject.Field, "[]")
	}
	// A list of strings is encoded the same for ever, and nothing in one of them can be taken for the next.
	text, err := json.Marshal([]string{f.ID, string(f.Severity), subject.Kind, subject.Namespace, subject.Name, subject.Field, f.Distinct})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
