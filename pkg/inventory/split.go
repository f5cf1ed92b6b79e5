package inventory

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"unicode/utf8"
)

// rawDocument is one YAML document's text, or the JSON values between two separators.
type rawDocument struct {
	Position
	text []byte
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// splitDocuments cuts a stream at its document separators. Documents that hold only comments
// are left out. One document at a time is kept.
func splitDocuments(ctx context.Context, name string, r io.Reader) iter.Seq2[rawDocument, error] {
	return func(yield func(rawDocument, error) bool) {
		s := splitter{file: name, reader: bufio.NewReaderSize(r, 64<<10), line: 1}
		for ctx.Err() == nil {
			document, err := s.next()
			switch {
			case err != nil && !errors.Is(err, io.EOF):
				yield(rawDocument{}, err)
				return
			case holdsNothing(document.text):
			default:
				s.count++
				document.Document = s.count
				if !yield(document, checkText(document)) {
					return
				}
			}
			if err != nil {
				return
			}
		}
		yield(rawDocument{}, ctx.Err())
	}
}

type splitter struct {
	file    string
	reader  *bufio.Reader
	line    int    // of the next byte
	midLine bool   // whether the next byte continues a line
	rest    []byte // what stood behind the last separator, on its line
	count   int
}

// next returns the text up to the next separator, and io.EOF with the last.
func (s *splitter) next() (rawDocument, error) {
	document := rawDocument{Position: Position{File: s.file, Line: s.line}, text: s.rest}
	if len(s.rest) > 0 && !s.midLine {
		document.Line--
	}
	s.rest = nil
	for {
		continues := s.midLine
		part, err := s.read()
		if err != nil && !errors.Is(err, io.EOF) {
			return document, err
		}
		if rest, found := cutSeparator(part); found && !continues {
			s.rest = bytes.Clone(rest)
			if len(rest) > 0 {
				return document, nil
			}
			return document, err
		}
		document.text = append(document.text, part...)
		if err != nil {
			return document, err
		}
	}
}

// read returns a line, or a part of one that is longer than the buffer.
func (s *splitter) read() ([]byte, error) {
	part, err := s.reader.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, readError(Position{File: s.file}.file(), err)
	}
	if s.line == 1 && !s.midLine {
		part = bytes.TrimPrefix(part, byteOrderMark)
	}
	if bytes.IndexByte(part, 0) >= 0 {
		return nil, inputErrorf(Position{File: s.file, Line: s.line}, "this is not text; a YAML or JSON manifest is expected")
	}
	s.midLine = !bytes.HasSuffix(part, []byte("\n"))
	if !s.midLine {
		s.line++
	}
	return part, err
}

// cutSeparator recognises "---" and "..." as YAML does: at the start of a line, followed by white space.
// It returns what follows on the line.
func cutSeparator(line []byte) ([]byte, bool) {
	for _, mark := range []string{"---", "..."} {
		rest, found := bytes.CutPrefix(line, []byte(mark))
		if found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0) {
			if len(bytes.TrimSpace(rest)) == 0 {
				return nil, true
			}
			return rest, true
		}
	}
	return nil, false
}

// holdsNothing says whether a document has only blank lines, comments and YAML directives.
func holdsNothing(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}

func checkText(document rawDocument) error {
	if !utf8.Valid(document.text) {
		return inputErrorf(document.Position, "this is not UTF-8 text; a YAML or JSON manifest is expected")
	}
	return nil
}
