package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that says what a long run is reading. It is written over in place, at most ten times a
// second, and wiped before anything else is written. A nil one says nothing.
type progress struct {
	out   io.Writer
	width int // columns of the terminal
	now   func() time.Time

	mu    sync.Mutex
	last  time.Time // when it was written last
	shown int       // how many columns it has now
	over  bool
}

// everyTenth is how long a line stays at least.
const everyTenth = time.Second / 10

// newProgress is nil unless standard error is a terminal, and what goes to standard output is for people.
func (f *outputFlags) newProgress(stderr io.Writer, forPeople bool) *progress {
	file, isFile := stderr.(*os.File)
	if f.quiet || !forPeople || os.Getenv("TERM") == "dumb" || !isFile || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		width = 80 // what a terminal has that doesn't say
	}
	return &progress{out: file, width: width, now: time.Now}
}

// say writes the line, unless another one was written just now.
func (p *progress) say(text func() string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); !p.over && now.Sub(p.last) >= everyTenth {
		p.last = now
		p.write(text())
	}
}

// done wipes the line. Nothing is written after it.
func (p *progress) done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown > 0 {
		p.write("")
		fmt.Fprint(p.out, "\r")
	}
	p.over = true
}

// write replaces the line. One that is too long for the terminal would begin another, and could not be taken back.
func (p *progress) write(text string) {
	letters := []rune(oneLine(text))
	letters = letters[:min(len(letters), p.width-1)]
	fmt.Fprintf(p.out, "\r%s%s", string(letters), strings.Repeat(" ", max(p.shown-len(letters), 0)))
	p.shown = len(letters)
}

// thousands writes a number with its thousands set apart: 1,200.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
