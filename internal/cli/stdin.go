package cli

import (
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// standardInput is how standard input is named on the command line.
const standardInput = "-"

// pathFlag is a flag that names files to read.
type pathFlag struct {
	flag  string
	paths []string
}

// checkPaths refuses empty paths, URLs, and standard input where it would be read twice.
func checkPaths(flags ...pathFlag) error {
	var readers []string
	for _, f := range flags {
		for _, path := range f.paths {
			switch {
			case path == "":
				return usageErrorf("%s names no file", f.flag)
			case path == standardInput:
				readers = append(readers, f.flag)
			case strings.HasPrefix(path, "http://"), strings.HasPrefix(path, "https://"):
				return usageErrorf("%s %s: URLs are not read; download it, and name the file", f.flag, path)
			}
		}
	}
	if len(readers) > 1 {
		return usageErrorf("standard input can be read once: both %s - and %s - want it", readers[0], readers[1])
	}
	return nil
}

// sources are the files that paths stand for.
func sources(paths []string, stdin io.Reader) []inventory.FileSource {
	list := make([]inventory.FileSource, 0, len(paths))
	for _, path := range paths {
		source := inventory.FileSource{Path: path}
		if path == standardInput {
			source.Reader = stdin
		}
		list = append(list, source)
	}
	return list
}

// strictly has unknown fields refused.
func strictly(files []inventory.FileSource) []inventory.FileSource {
	for i := range files {
		files[i].Strict = true
	}
	return files
}

// announceStdin says that standard input is waited for, where that is a terminal.
func (f *outputFlags) announceStdin(stdin io.Reader, stderr io.Writer, flags ...pathFlag) {
	file, isFile := stdin.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return
	}
	for _, flag := range flags {
		if slices.Contains(flag.paths, standardInput) {
			f.remark(stderr, "%s - reads what you type, up to Ctrl-D", flag.flag)
		}
	}
}
