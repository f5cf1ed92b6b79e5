package cli

import (
	"io"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// standardInput is how standard input is named on the command line.
const standardInput = "-"

// pathFlag is a flag that names files to read.
type pathFlag struct {
	flag  string
	paths []string
}

// checkPaths refuses empty paths, and standard input where it would be read twice.
func checkPaths(flags ...pathFlag) error {
	var readers []string
	for _, f := range flags {
		for _, path := range f.paths {
			switch path {
			case "":
				return usageErrorf("%s names no file", f.flag)
			case standardInput:
				readers = append(readers, f.flag)
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
