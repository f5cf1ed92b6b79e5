package downscaler

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestTimespansTaken(t *testing.T) {
	for _, value := range []string{
		"Mon-Fri 08:00-20:00 Europe/Berlin", "mon-FRI 08:00-20:00 UTC", "Fri-Mon 20:00-08:00 UTC", "Mon-Mon 00:00-24:00 UTC",
		"08:00-20:00", "08:00-20:00 Asia/Tokyo", "Mon-Fri 08:00-20:00", "00:00-00:00", "24:00-08:00", "00:00-24:59", "24:59-24:00 UTC",
		"Mon-Fri  08:00-20:00\tUTC", "Mon-Fri\n08:00-20:00\r\nUTC", "\u00a0Mon-Fri 08:00-20:00 UTC\v",
		"08:00-20:00 Etc/GMT-5", "08:00-20:00 Etc/GMT+5", "08:00-20:00 NZ-CHAT", "08:00-20:00 EST5EDT", "08:00-20:00 Local", "08:00-20:00 NZ",
		"2024-07-29T08:30:00Z-2024-07-29T16:00:00+02:00", "2024-07-29T08:30:00Z - 2024-07-29T16:00:00+02:00",
		"2024-07-29T08:30:00-02:00-2024-07-29T16:00:00-02:00", "2024-07-29T08:30:00.25+02:00   -\t2024-07-29T16:00:00Z",
		"2024-07-29T08:30:00Z -  2024-07-28T16:00:00Z", "2024-07-29T8:30:00Z-2024-07-29T9:00:00Z",
		"from 2024-07-29T08:30:00Z", "from-2024-07-29T08:30:00Z", "from2024-07-29T08:30:00Z", "from - 2024-07-29T08:30:00-02:00",
		"until 2024-07-29T08:30:00+02:00", "until-2024-07-29T08:30:00Z", "until\n2024-07-29T08:30:00Z",
		"always", "Always", "TRUE", "never", "nEver", "false", " true ",
		"always,never", "Sat-Sun 00:00-24:00 UTC, Mon-Fri 20:00-08:00 UTC", "never , from 2024-07-29T08:30:00Z\n,08:00-09:00",
	} {
		for _, a := range Keys() {
			if a.Form == Timespans {
				if err := Check(a.Key, value, schema.GroupKind{}); err != nil {
					t.Errorf("%s=%q: %v", a.Key, value, err)
				}
			}
		}
	}
}

func TestTimespansRefused(t *testing.T) {
	for _, row := range []struct {
		value   string
		at      int
		text    string // a part of it
		nearest string
	}{
		{"", 0, "empty", ""},
		{"  ", 0, "empty", ""},
		{",", 0, "missing beside the comma", ""},
		{"always,", 7, "missing beside the comma", "always"},
		{"always, ,never", 7, "missing beside the comma", "always, never"},
		{"1", 1, "time of day", "true"},
		{"yes", 0, `"yes" is not the start`, "true"},
		{"off", 0, "not the start", "false"},
		{"weekend", 0, "not the start", ""},
		{"Mon", 3, "Mon-Mon", ""},
		{"Mon 08:00-20:00 UTC", 3, "Mon-Mon", "Mon-Mon 08:00-20:00 UTC"},
		{"Monday-Friday 08:00-20:00 UTC", 3, "three letters", "Mon-Fri 08:00-20:00 UTC"},
		{"Mon-Foo 08:00-20:00", 4, "weekday is expected", ""},
		{"Mon-", 4, "weekday is expected", ""},
		{"Mon-Fri", 7, "a time of day are expected", ""},
		{"Mon-Fri\u00a008:00-20:00", 7, "a space", ""},
		{"Mon - Fri 08:00-20:00", 3, "range", "Mon-Fri 08:00-20:00"},
		{"Mon-Fri 8:00-20:00 UTC", 9, "two digits", "Mon-Fri 08:00-20:00 UTC"},
		{"Mon-Fri 8-20 UTC", 9, "two digits", "Mon-Fri 08:00-20:00 UTC"},
		{"08:00 - 20:00", 5, "right here", "08:00-20:00"},
		{"08:00–20:00", 5, "right here", "08:00-20:00"},
		{"08:00", 5, "second time of day", ""},
		{"08:00-", 6, "too early", ""},
		{"08:00-20:0", 10, "too early", ""},
		{"08.00-20.00", 2, "colon", "08:00-20:00"},
		{"25:00-20:00", 0, "00 to 24", ""},
		{"08:00-20:60", 9, "00 to 59", ""},
		{"08:00-20:00:00", 11, "only a space", "08:00-20:00"},
		{"08:00-20:00,25:00-26:00", 12, "00 to 24", ""},
		{"never, Mon-Fri 08:00-20:00 europe/berlin", 27, "not a time zone", "never, Mon-Fri 08:00-20:00 Europe/Berlin"},
		{"08:00-20:00 Berlin", 12, "not a time zone", "08:00-20:00 Europe/Berlin"},
		{"08:00-20:00 Europe/Berln", 12, "not a time zone", "08:00-20:00 Europe/Berlin"},
		{"08:00-20:00 America/New York", 23, `no " " in it`, "08:00-20:00 America/New_York"},
		{"08:00-20:00 CEST", 12, "not a time zone", "08:00-20:00 CET"},
		{"08:00-20:00 local", 12, "not a time zone", ""},
		{"08:00-20:00 posix/Europe/Berlin", 12, "not a time zone", ""},
		{"08:00-20:00 Europe", 12, "not a time zone", ""},
		{"08:00-20:00 ../UTC", 12, `no "." in it`, ""},
		{"From 2024-07-29T08:30:00Z", 0, `"From"`, "from 2024-07-29T08:30:00Z"},
		{"from", 4, "time is missing", ""},
		{"until - ", 7, "time is missing", ""},
		{"until 2024-07-29", 16, "too early", "until 2024-07-29T00:00:00Z"},
		{"until 2024-07-29 18:00", 16, `"T" is expected`, "until 2024-07-29T18:00:00Z"},
		{"till 2024-07-29", 0, "not the start", "until 2024-07-29T00:00:00Z"},
		{"2024-07-29T08:30:00Z", 20, "second time is missing", ""},
		{"2024-07-29T08:30:00Z-", 21, "second time is missing", ""},
		{"2024-07-29T08:30:00Z - ", 22, "second time is missing", ""},
		{"2024-07-29T08:30:00Z\t- 2024-07-29T16:00:00Z", 20, "follow the Z", "2024-07-29T08:30:00Z - 2024-07-29T16:00:00Z"},
		{"2024-07-29T08:30:00 - 2024-07-29T16:00:00", 19, "no zone", "2024-07-29T08:30:00Z - 2024-07-29T16:00:00Z"},
		{"2024-07-29T08:30:00Z - 2024-02-30T16:00:00Z", 31, "day goes from 01 to 29", ""},
		{"2024-07-29T08:30:00Z - 2024-07-30T16:00:00+0200", 42, "like +02:00", "2024-07-29T08:30:00Z - 2024-07-30T16:00:00+02:00"},
		{"2024-07-29 - 2024-07-30", 10, "too early", "2024-07-29T00:00:00Z - 2024-07-30T00:00:00Z"},
		{"2024-07-29T08:30:00,5Z-2024-07-29T16:00:00Z", 19, "no zone", ""},
		{"\xff", 0, "not the start", ""},
		{strings.Repeat("x", 400), 0, "…", ""},
	} {
		err := Check(Downtime, row.value, schema.GroupKind{})
		p, ok := errors.AsType[*Problem](err)
		if !ok {
			t.Errorf("%q is taken", row.value)
			continue
		}
		if p.At != row.at || !strings.Contains(p.Text, row.text) || p.Nearest != row.nearest || p.Key != Downtime || p.Effect != SkipsObject {
			t.Errorf("%q: %d %q %q, want %d %q %q", row.value, p.At, p.Text, p.Nearest, row.at, row.text, row.nearest)
		}
	}
}

func TestZones(t *testing.T) {
	for _, name := range zones {
		if f := zoneNameFault(name); f != nil {
			t.Errorf("%s: %s", name, f.text)
		}
	}
}
