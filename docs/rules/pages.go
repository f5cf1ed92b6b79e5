// Package rules holds the pages about the findings of an audit, one a rule.
package rules

import (
	"embed"
	"fmt"
	"regexp"
)

//go:embed *.md
var pages embed.FS

// repository is where the pages can be read in a browser.
const repository = "https://github.com/downscaler-compliance/kubectl-downscaler-compliance/blob/main/"

// Page is the page about a rule, in Markdown.
func Page(id string) (string, error) {
	text, err := pages.ReadFile(id + ".md")
	if err != nil {
		return "", fmt.Errorf("there is no page about the rule %q", id)
	}
	return string(text), nil
}

// URL is where the page about a rule can be read.
func URL(id string) string { return repository + "docs/rules/" + id + ".md" }

var link = regexp.MustCompile(`\]\((\.\./\.\./)?([a-zA-Z0-9_./-]+)\)`)

// Linked is a page whose links to other files lead into the repository, for readers who don't have it.
func Linked(page string) string {
	return link.ReplaceAllStringFunc(page, func(text string) string {
		parts := link.FindStringSubmatch(text)
		if parts[1] == "" {
			return "](" + repository + "docs/rules/" + parts[2] + ")"
		}
		return "](" + repository + parts[2] + ")"
	})
}
