package cli_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli"
)

// TestDocumentedCommands runs every command of a ```console block in the README and in docs/, and compares what is printed with what the
// page shows. The commands of a page run one after the other in a folder of their own, in which examples/ lies; "> FILE" at the end of a line
// keeps standard output. Run with -update to write what they print into the pages.
func TestDocumentedCommands(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{filepath.Join(root, "README.md")}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	ran := 0
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			documented, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := os.Symlink(filepath.Join(root, "examples"), "examples"); err != nil {
				t.Fatal(err)
			}
			printed, commands := rerun(t, string(documented))
			ran += commands
			switch {
			case printed == string(documented):
			case *update:
				if err := os.WriteFile(page, []byte(printed), 0o600); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("what the commands print has changed; look at it, and run with -update:\n%s", firstDifference(string(documented), printed))
			}
		})
	}
	if ran == 0 {
		t.Error("no page has a command")
	}
}

// rerun returns a page with what its commands print now.
func rerun(t *testing.T, page string) (printed string, commands int) {
	t.Helper()
	var b strings.Builder
	inside := false
	for line := range strings.Lines(page) {
		text := strings.TrimRight(line, "\n")
		switch {
		case text == "```console":
			inside = true
		case inside && text == "```":
			inside = false
		case inside && strings.HasPrefix(text, "$ "):
			commands++
			b.WriteString(line)
			b.WriteString(outputOf(t, text[2:]))
			continue
		case inside:
			continue // an old output
		}
		b.WriteString(line)
	}
	return b.String(), commands
}

// outputOf runs a command as a shell would, and returns what stands below it on the page: what it prints, and an exit code other than 0.
func outputOf(t *testing.T, command string) string {
	t.Helper()
	words := strings.Fields(command)
	if len(words) < 2 || words[0] != "kubectl" || words[1] != "downscaler-compliance" || strings.ContainsAny(command, `'"|$`) {
		t.Fatalf("this can't be run: %s", command)
	}
	args, file := words[2:], ""
	if n := len(args); n > 1 && args[n-2] == ">" {
		args, file = args[:n-2], args[n-1]
	}
	var stdout, stderr bytes.Buffer
	code := cli.Run(genericiooptions.IOStreams{In: strings.NewReader(""), Out: &stdout, ErrOut: &stderr}, args)
	out := stdout.String()
	if file != "" {
		if err := os.WriteFile(file, stdout.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out = ""
	}
	out += stderr.String()
	if code != 0 {
		out += fmt.Sprintf("exit code %d\n", code)
	}
	return out
}

func firstDifference(want, got string) string {
	wanted, printed := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(printed)) {
		if wanted[i] != printed[i] {
			return fmt.Sprintf("line %d\n-%s\n+%s", i+1, wanted[i], printed[i])
		}
	}
	return "one of them is longer"
}
