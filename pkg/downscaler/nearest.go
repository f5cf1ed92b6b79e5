package downscaler

import (
	"strings"
	"unicode/utf8"
)

// longestName bounds what is compared letter by letter: no known name comes near it, and the
// comparison takes time in the product of both lengths.
const longestName = 64

// renamed holds the names that the older downscaler in Python used and this one does not read.
var renamed = map[string]string{Prefix + "downtime-replicas": DownscaleReplicas}

// Nearest gives the known key that someone who wrote this one most likely meant, with the prefix, or
// "" if none is near. A key of the older Python downscaler gives its successor here. A known key is
// its own nearest.
func Nearest(key string) string {
	key = strings.ToLower(strings.ReplaceAll(Key(key), "_", "-"))
	if successor, ok := renamed[key]; ok {
		return successor
	}
	names := make([]string, len(annotations))
	for i, a := range annotations {
		names[i] = a.Key
	}
	_, name, _ := strings.Cut(key, "/")
	return nearest(key, names, len(name)/4+1)
}

// NearestOf gives the candidate that someone who wrote this word most likely meant, or "" if none is near.
func NearestOf(word string, candidates []string) string {
	return nearest(word, candidates, len(word)/4+1)
}

// nearest gives the candidate with the fewest typing mistakes between it and s, at most limit of
// them, or "". Case is no mistake, and the first of several equally near ones wins.
func nearest(s string, candidates []string, limit int) string {
	if len(s) > longestName || !utf8.ValidString(s) {
		return ""
	}
	s = strings.ToLower(s)
	best, found := limit+1, ""
	for _, c := range candidates {
		if d := distance(s, strings.ToLower(c)); d < best {
			best, found = d, c
		}
	}
	return found
}

// distance counts the letters to add, drop, replace or swap with their neighbour to turn a into b.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
