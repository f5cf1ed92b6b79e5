package cli

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// screen is the line that a terminal shows, and every state that it was in after a write.
type screen struct {
	cells  []rune
	column int
	lines  []string
}

func (s *screen) Write(data []byte) (int, error) {
	for _, r := range string(data) {
		switch {
		case r == '\r':
			s.column = 0
		case s.column < len(s.cells):
			s.cells[s.column] = r
			s.column++
		default:
			s.cells = append(s.cells, r)
			s.column++
		}
	}
	s.lines = append(s.lines, strings.TrimRight(string(s.cells), " "))
	return len(data), nil
}

// clock is moved by hand.
type clock struct{ time time.Time }

func (c *clock) now() time.Time { return c.time }

func onScreen(width int) (*progress, *screen, *clock) {
	s, c := &screen{}, &clock{time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)}
	return &progress{out: s, width: width, now: c.now}, s, c
}

func says(text string) func() string { return func() string { return text } }

func TestProgress(t *testing.T) {
	p, s, c := onScreen(20)
	p.say(says("a line that is long enough"))
	p.say(says("too soon"))
	c.time = c.time.Add(everyTenth - 1)
	p.say(says("too soon as well"))
	c.time = c.time.Add(1)
	p.say(says("short\x1b[2J\n"))
	c.time = c.time.Add(everyTenth)
	p.say(says("last"))
	p.done()
	c.time = c.time.Add(time.Hour)
	p.say(says("after the end"))
	p.done()
	want := []string{"a line that is long", `short\x1b[2J`, "last", "", ""} // the last but one is wiped, the last at its start
	if !slices.Equal(s.lines, want) || s.column != 0 {
		t.Errorf("%q, at column %d", s.lines, s.column)
	}
}

func TestNoProgress(t *testing.T) {
	var none *progress
	none.say(func() string { t.Error("asked"); return "" })
	none.done()
	p, s, _ := onScreen(80)
	p.done()
	if len(s.lines) > 0 {
		t.Errorf("%q", s.lines)
	}
	// Neither a pipe nor a file is a terminal, whatever else holds.
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	t.Setenv("TERM", "xterm")
	if p := (&outputFlags{}).newProgress(writer, true); p != nil {
		t.Error("a pipe gets progress")
	}
	if p := (&outputFlags{}).newProgress(&bytes.Buffer{}, true); p != nil {
		t.Error("a buffer gets progress")
	}
}

// kindsOf is an inventory with so many objects of each kind.
type kindsOf struct {
	inventory.Inventory
	objects map[string]int
}

func (k kindsOf) Objects(_ context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	return func(yield func(inventory.Object, error) bool) {
		for _, kind := range query.Kinds {
			for range k.objects[kind.Resource.Resource] {
				if !yield(inventory.Object{Kind: kind}, nil) {
					return
				}
			}
		}
		yield(inventory.Object{}, errors.New("a list that can't be read"))
	}
}

func TestReading(t *testing.T) {
	kind := func(group, resource string) inventory.Kind {
		return inventory.Kind{Resource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}}
	}
	query := inventory.Query{Kinds: []inventory.Kind{kind("", "services"), kind("apps", "deployments"), kind("batch", "jobs")}}
	inner := kindsOf{objects: map[string]int{"deployments": 1200, "jobs": 1}}
	p, s, c := onScreen(80)
	r := &reading{Inventory: inner, progress: p}
	read, failed := 0, 0
	for _, err := range r.Objects(t.Context(), query) {
		if c.time = c.time.Add(everyTenth / 10); read == 1198 || read == 1199 {
			c.time = c.time.Add(everyTenth)
		}
		if err != nil {
			failed++
			continue
		}
		read++
	}
	if read != 1201 || failed != 1 {
		t.Errorf("%d objects, %d errors", read, failed)
	}
	if len(s.lines) > 1201/10+3 {
		t.Errorf("%d lines in %d tenths", len(s.lines), 120)
	}
	for _, want := range []string{"reading deployments.apps: 1 object; 2 of 3 kinds", "reading deployments.apps: 1,200 objects; 2 of 3 kinds", "reading jobs.batch: 1 object; 3 of 3 kinds"} {
		if !slices.Contains(s.lines, want) {
			t.Errorf("never said %q, but %q", want, s.lines[len(s.lines)-3:])
		}
	}
	// A snapshot reads a kind at a time, and says itself which one of how many.
	c.time = c.time.Add(time.Second)
	r.kind(34, 75)
	for _, err := range r.Objects(t.Context(), inventory.Query{Kinds: query.Kinds[2:]}) {
		if err != nil {
			break
		}
	}
	if got := s.lines[len(s.lines)-1]; got != "reading jobs.batch: 1 object; 34 of 75 kinds" {
		t.Error(got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
