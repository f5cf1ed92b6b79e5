package downscaler

import (
	"errors"
	"testing"
)

func TestDescribe(t *testing.T) {
	for given, want := range map[string]string{
		"always":                            "always",
		"FALSE":                             "never",
		"Mon-Fri 08:00-20:00 Europe/Berlin": "Monday to Friday, 08:00 to 20:00, in the time zone Europe/Berlin",
		"Sat-Sun 00:00-24:00 UTC":           "on Saturday and Sunday, all day, in the time zone UTC",
		"Mon-Fri 20:00-08:00 UTC":           "Monday to Friday, 00:00 to 08:00 and 20:00 to 24:00, in the time zone UTC",
		"Mon-Tue 20:00-00:00 UTC":           "on Monday and Tuesday, 20:00 to 24:00, in the time zone UTC",
		"wed-wed 24:00-08:00 Local":         "on Wednesday, 00:00 to 08:00, in the downscaler's own local time",
		"Mon-Sun 00:00-24:59":               "every day, all day, in the downscaler's default time zone",
		"Tue-Mon 24:59-24:00":               "every day, all day, in the downscaler's default time zone",
		"Fri-Mon 08:00-09:30 UTC":           "Friday to Monday, 08:00 to 09:30, in the time zone UTC",
		"08:00-20:00 UTC":                   "on the days of the downscaler's default week frame, 08:00 to 20:00, in the time zone UTC",
		"Mon-Sun 00:00-00:00 UTC":           "never, since the times of day leave nothing between them",
		"24:00-24:30":                       "never, since the times of day leave nothing between them",
		"2024-07-29T08:30:00Z - 2024-07-29T16:00:00+02:00": "from 2024-07-29 08:30 UTC until 2024-07-29 16:00 UTC+02:00",
		"2024-07-29T08:30:00Z-2024-07-29T08:30:00Z":        "never, since it ends (2024-07-29 08:30 UTC) no later than it starts (2024-07-29 08:30 UTC)",
		"from 2024-07-29T08:30:01.5Z":                      "from 2024-07-29 08:30:01.5 UTC on",
		"until-2024-07-29T08:30:00-03:30":                  "until 2024-07-29 08:30 UTC-03:30",
		"never, from 2024-07-29T08:30:00Z":                 "never; from 2024-07-29 08:30 UTC on",
	} {
		got, err := Describe(given)
		if err != nil || got != want {
			t.Errorf("Describe(%q) = %q, %v; want %q", given, got, err, want)
		}
	}
}

func TestDescribeRefuses(t *testing.T) {
	_, err := Describe("never, Mon 08:00-20:00 UTC")
	p, ok := errors.AsType[*Problem](err)
	if !ok || p.At != 10 || p.Nearest != "never, Mon-Mon 08:00-20:00 UTC" || p.Key != "" || p.Effect != "" {
		t.Errorf("%+v", err)
	}
}
