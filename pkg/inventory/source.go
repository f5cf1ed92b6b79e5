package inventory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

const standardInput = "-"

// FileSource names manifests to read.
type FileSource struct {
	// Path is a file or a folder. A folder's *.yaml, *.yml and *.json files are read, in the order of their names.
	Path string

	// Reader is read in place of a file where it is set. Path is then only what errors call it: "-" is
	// standard input.
	Reader io.Reader

	// Strict refuses fields that a built-in kind doesn't have, as kubectl apply does.
	Strict bool

	// Shallow leaves a folder's own folders out, as kubectl's -f does without -R.
	Shallow bool
}

// openFile is one file, opened when its turn comes.
type openFile struct {
	name   string
	reader io.Reader
	strict bool
	found  bool // in a folder, and not named itself
}

// openSources yields the files that sources name, opened, in order. A file is closed when the next is asked for.
func openSources(ctx context.Context, sources []FileSource) iter.Seq2[openFile, error] {
	return func(yield func(openFile, error) bool) {
		for _, source := range sources {
			if source.Reader != nil {
				if !yield(openFile{name: source.Path, reader: source.Reader, strict: source.Strict}, nil) {
					return
				}
				continue
			}
			if !openPath(ctx, source, yield) {
				return
			}
		}
	}
}

// openPath yields a path's files and says whether to go on.
func openPath(ctx context.Context, source FileSource, yield func(openFile, error) bool) bool {
	paths, err := filesUnder(ctx, source)
	if err != nil {
		yield(openFile{}, err)
		return false
	}
	for _, path := range paths {
		if !openOne(openFile{name: path, strict: source.Strict, found: path != source.Path}, yield) {
			return false
		}
	}
	return true
}

func openOne(one openFile, yield func(openFile, error) bool) (proceed bool) {
	file, err := os.Open(one.name)
	if err != nil {
		yield(openFile{}, readError(one.name, err))
		return false
	}
	one.reader = file
	proceed = yield(one, nil)
	if err := file.Close(); err != nil && proceed {
		return yield(openFile{}, readError(one.name, err))
	}
	return proceed
}

// filesUnder lists the files that a path stands for: itself, or what a folder holds.
func filesUnder(ctx context.Context, source FileSource) ([]string, error) {
	info, err := os.Stat(source.Path)
	if err != nil {
		return nil, readError(source.Path, err)
	}
	if !info.IsDir() {
		return []string{source.Path}, nil
	}
	var paths []string
	err = filepath.WalkDir(source.Path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return readError(path, err)
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && source.Shallow && path != source.Path:
			return filepath.SkipDir
		case !entry.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)):
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: no *.yaml, *.yml or *.json file in this folder", source.Path)
	}
	return paths, err
}

// readError puts a failure to read a file in one sentence that begins with the file's name.
func readError(path string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
