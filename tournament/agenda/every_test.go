package agenda

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// zone returns a time zone.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return location
}

// at reads a time of RFC 3339.
func at(t testing.TB, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

func TestParseEvery(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "24h": "24h", "24h0m0s": "24h", "90m": "1h30m", "1s": "1s", "100s": "1m40s",
		"day@20:00": "day@20:00", "day@00:00": "day@00:00", "sun@14:30": "sun@14:30", "sun,sat@7:05": "sat,sun@07:05",
		"mon,mon@23:59": "mon@23:59", "sun,mon,tue,wed,thu,fri,sat@20:00": "day@20:00",
	} {
		e, err := ParseEvery(text)
		if err != nil || e.String() != want {
			t.Errorf("%q is read as %q, error %v: want %q", text, e, err, want)
		}
		if again, err := ParseEvery(e.String()); err != nil || again != e {
			t.Errorf("%q is read as %v, error %v", e, again, err)
		}
	}
	for _, text := range []string{"0", "24", "1ms", "-24h", "day", "@20:00", "day@", "day@24:00", "day@20", "Day@20:00", "mon,@20:00", "monday@20:00", "day@20:00:00"} {
		if e, err := ParseEvery(text); err == nil {
			t.Errorf("%q is read as %q: want an error", text, e)
		}
	}
}

func FuzzParseEvery(f *testing.F) {
	f.Add("24h")
	f.Add("sat,sun@14:30")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseEvery(text)
		if err != nil {
			return
		}
		if again, err := ParseEvery(e.String()); err != nil || again != e {
			t.Errorf("%q is read as %v, which is read as %v, error %v", text, e, again, err)
		}
		if now := time.Unix(0, 0); !e.Once() && !e.after(now, now).After(now) {
			t.Errorf("%q: the next time is not later", text)
		}
	})
}

func TestParseStart(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	now := time.Date(2026, time.November, 30, 21, 0, 0, 0, berlin)
	for text, want := range map[string]string{
		"20:00":                     "2026-12-01T20:00:00+01:00",
		"21:00":                     "2026-12-01T21:00:00+01:00", // the next one, not now
		"21:01":                     "2026-11-30T21:01:00+01:00",
		"2026-12-01 20:00":          "2026-12-01T20:00:00+01:00",
		"2026-12-01T20:00":          "2026-12-01T20:00:00+01:00",
		"2027-07-01 20:00":          "2027-07-01T20:00:00+02:00",
		"2027-03-28 02:30":          "2027-03-28T03:00:00+02:00", // this time is left out
		"2027-10-31 02:30":          "2027-10-31T02:30:00+02:00", // this time is there twice
		"2026-12-01T20:00:00Z":      "2026-12-01T21:00:00+01:00",
		"2026-12-01T20:00:30-05:00": "2026-12-02T02:00:30+01:00",
	} {
		got, err := ParseStart(text, now)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q is %s, error %v: want %s", text, got.Format(time.RFC3339), err, want)
		}
	}
	for _, text := range []string{"", "now", "25:00", "2026-11-30 20:59", "2026-11-30T20:00:00Z", "2026-02-30 20:00", "20:00 tomorrow", "9999-12-31T23:30:00-05:00"} {
		if got, err := ParseStart(text, now); err == nil {
			t.Errorf("%q is %s: want an error", text, got)
		}
	}
}

// naive returns the first minute later than t that has the local time of e. It tries all minutes.
func naive(e Every, t time.Time) time.Time {
	for m := t.Truncate(time.Minute).Add(time.Minute); ; m = m.Add(time.Minute) {
		if e.days[m.Weekday()] && 60*m.Hour()+m.Minute() == e.minute {
			return m
		}
	}
}

// Where the clocks are not changed, the next time is the first minute that has the wanted time of the day.
func TestTimesOfDay(t *testing.T) {
	for _, name := range []string{"UTC", "Asia/Tokyo", "Asia/Kathmandu"} {
		now := time.Date(2026, time.February, 26, 22, 17, 3, 4, zone(t, name))
		for _, text := range []string{"day@20:00", "day@22:17", "day@22:18", "mon@00:00", "sat,sun@23:59", "thu@22:17"} {
			e, err := ParseEvery(text)
			if err != nil {
				t.Fatal(err)
			}
			begin := now.Add(-1000 * time.Hour)
			for moment, n := now, 0; n < 5; n++ {
				next := e.after(begin, moment)
				if want := naive(e, moment); !next.Equal(want) {
					t.Fatalf("%s: after %s comes %s, want %s", text, moment, next, want)
				}
				if last := e.latest(begin, next.Add(time.Minute)); !last.Equal(next) {
					t.Fatalf("%s: the last one before %s is %s", text, next.Add(time.Minute), last)
				}
				moment = next
			}
		}
	}
}

// Each day has exactly one time, even when the clocks go forward or back: there are 365 in a year,
// all at the wanted time except on the day without that time.
func TestOneTimeADay(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "UTC"} {
		for _, text := range []string{"day@00:00", "day@00:30", "day@01:30", "day@02:00", "day@02:15", "day@02:30", "day@03:00", "day@23:30"} {
			e, err := ParseEvery(text)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Date(2025, time.December, 31, 23, 59, 0, 0, zone(t, name))
			end := time.Date(2026, time.December, 31, 23, 59, 0, 0, begin.Location())
			days, odd := 0, 0
			for moment := e.after(begin, begin); !moment.After(end); moment = e.after(begin, moment) {
				if days++; 60*moment.Hour()+moment.Minute() != e.minute {
					odd++
				}
				if moment.YearDay() != days {
					t.Fatalf("%s in %s: time %d of the year is %s", text, name, days, moment)
				}
			}
			if days != 365 || odd > 1 {
				t.Errorf("%s in %s: %d times in a year, %d at another time of the day", text, name, days, odd)
			}
		}
	}
}

func TestIntervals(t *testing.T) {
	begin := at(t, "2026-12-01T20:00:00Z")
	e, err := ParseEvery("24h")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ now, latest, after string }{
		{"2026-11-30T00:00:00Z", "2026-12-01T20:00:00Z", "2026-12-01T20:00:00Z"},
		{"2026-12-01T20:00:00Z", "2026-12-01T20:00:00Z", "2026-12-02T20:00:00Z"},
		{"2026-12-05T19:59:59Z", "2026-12-04T20:00:00Z", "2026-12-05T20:00:00Z"},
		{"2026-12-05T20:00:00Z", "2026-12-05T20:00:00Z", "2026-12-06T20:00:00Z"},
	} {
		now := at(t, c.now)
		if got := e.latest(begin, now); !got.Equal(at(t, c.latest)) {
			t.Errorf("at %s the last one was at %s, want %s", c.now, got, c.latest)
		}
		if got := e.after(begin, now); !got.Equal(at(t, c.after)) {
			t.Errorf("at %s the next one is at %s, want %s", c.now, got, c.after)
		}
	}
}
