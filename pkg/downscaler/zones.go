package downscaler

import (
	_ "embed"
	"strings"
	"time"
	_ "time/tzdata" // the downscaler's image has no other zones than these, and ours may have none
)

//go:embed zones.txt
var zoneNames string

// zones are the names in Go's own copy of the IANA database, which is what the downscaler's image
// has (cmd/kubedownscaler/main.go and build/kubedownscaler/Dockerfile). The database is in the
// public domain. The list only helps with case and with suggestions: time.LoadLocation decides.
var zones = strings.Fields(zoneNames)

// zoneNameFault finds out whether the downscaler knows a time zone. The machine this runs on must
// not matter: some have further names in subfolders, and some find a file in any case.
func zoneNameFault(name string) *fault {
	for i, r := range name {
		if !zoneLetter(r) {
			return faultAt(i, "a time zone's name has no %s in it", quoted(string(r)))
		}
	}
	system := strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/")
	if _, err := time.LoadLocation(name); err != nil || system || caseMistaken(name) {
		return faultAt(0, "%s is not a time zone of the IANA database", quoted(name))
	}
	return nil
}

func zoneLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/_+-", r)
}

// caseMistaken says whether a name is a zone's in another case.
func caseMistaken(name string) bool {
	if strings.EqualFold(name, "local") {
		return name != "Local"
	}
	for _, z := range zones {
		if strings.EqualFold(z, name) {
			return z != name
		}
	}
	return false
}

// nearestZone gives the zone that a name most likely stands for: the same in another case or with
// other separators, the one with that city, or one a typing mistake or two away. "" if none.
func nearestZone(name string) string {
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	if len(name) < 3 || len(name) > longestName {
		return ""
	}
	city := ""
	for _, z := range zones {
		if strings.EqualFold(z, name) {
			return z
		}
		if at := strings.LastIndex(z, "/"); at >= 0 && strings.EqualFold(z[at+1:], name) {
			city = z
		}
	}
	if city != "" {
		return city
	}
	return nearest(name, zones, min(2, len(name)/4))
}
