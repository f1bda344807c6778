package agenda

import (
	"fmt"
	"strings"
	"time"

	"versus2048/tournament"
)

// Every says when an event is repeated: at a fixed interval, or at a time of day on some days of the week. The zero
// Every means that the event is played once.
type Every struct {
	interval time.Duration // 0 for a time of day
	days     [7]bool       // by time.Weekday
	minute   int           // of the day
}

// ShortestInterval is the shortest interval between two events of a series.
const ShortestInterval = time.Second

// everyWanted describes the input of ParseEvery.
const everyWanted = `want a time such as 24h, or day@20:00, mon@20:00, sat,sun@14:30`

// weekdays are the names of the days, by time.Weekday.
var weekdays = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ParseEvery reads an interval of at least ShortestInterval, such as 24h or 90m, or days and a time
// of day, such as day@20:00, mon@20:00 or sat,sun@14:30. The empty text means once.
func ParseEvery(text string) (e Every, err error) {
	days, clock, timed := strings.Cut(text, "@")
	switch {
	case text == "":
		return e, nil
	case timed:
		err = e.parseTimeOfDay(days, clock)
	default:
		e.interval, err = time.ParseDuration(text)
		if err == nil && e.interval < ShortestInterval {
			err = fmt.Errorf("%v is less than %v", e.interval, ShortestInterval)
		}
	}
	if err != nil {
		return Every{}, fmt.Errorf("every %.40q: %w: %s", text, err, everyWanted)
	}
	return e, nil
}

func (e *Every) parseTimeOfDay(days, clock string) error {
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return fmt.Errorf("%.20q is no time of the day", clock)
	}
	e.minute = 60*at.Hour() + at.Minute()
	for day := range strings.SplitSeq(days, ",") {
		known := false
		for i, name := range weekdays {
			if day == name || day == "day" {
				e.days[i], known = true, true
			}
		}
		if !known {
			return fmt.Errorf("%.20q is no day", day)
		}
	}
	return nil
}

// Once reports whether the event is played once.
func (e Every) Once() bool { return e == Every{} }

// String returns a text for ParseEvery.
func (e Every) String() string {
	if e.Once() {
		return ""
	}
	if e.interval > 0 {
		return tournament.ShortDuration(e.interval)
	}
	var days []string
	for i := range weekdays { // the week begins on Monday
		if day := (i + 1) % 7; e.days[day] {
			days = append(days, weekdays[day])
		}
	}
	if len(days) == len(weekdays) {
		days = []string{"day"}
	}
	return fmt.Sprintf("%s@%02d:%02d", strings.Join(days, ","), e.minute/60, e.minute%60)
}

// MarshalText returns a text for ParseEvery.
func (e Every) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText parses a text as ParseEvery does.
func (e *Every) UnmarshalText(text []byte) (err error) {
	*e, err = ParseEvery(string(text))
	return err
}

// First returns the first time of a series that should begin as soon as possible: now, or the next of its times of day.
// Without a series it returns zero.
func (e Every) First(now time.Time) time.Time {
	if e.interval > 0 {
		return now
	}
	return e.after(now, now)
}

// after returns the first time of a series that is later than t, or zero without a series. begin is
// a time of the series.
func (e Every) after(begin, t time.Time) time.Time {
	if e.Once() {
		return time.Time{}
	}
	if e.interval > 0 {
		if t.Before(begin) {
			return begin
		}
		return begin.Add((t.Sub(begin)/e.interval + 1) * e.interval)
	}
	for day := 0; ; day++ {
		if next := e.on(t, day); !next.IsZero() && next.After(t) {
			return next
		}
	}
}

// latest returns the last time of a series that is not later than t. If t is before begin, a time of the series, latest
// returns begin. Without a series it returns zero.
func (e Every) latest(begin, t time.Time) time.Time {
	if e.Once() {
		return time.Time{}
	}
	if t.Before(begin) {
		return begin
	}
	if e.interval > 0 {
		return begin.Add(t.Sub(begin) / e.interval * e.interval)
	}
	for day := 0; ; day-- {
		last := e.on(t, day)
		if !last.IsZero() && !last.After(t) {
			return later(last, begin)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// on returns the event's time on the day that is the given number of days after t, in the time zone of t. It returns
// zero if the event is not played on that day of the week.
func (e Every) on(t time.Time, days int) time.Time {
	year, month, day := t.Date()
	noon := time.Date(year, month, day+days, 12, 0, 0, 0, t.Location())
	if !e.days[noon.Weekday()] {
		return time.Time{}
	}
	return local(noon, e.minute)
}

// local returns the time at which a minute of t's day begins, in the time zone of t. A minute that is skipped when the
// clocks go forward begins at the first moment after the gap. A minute that occurs twice when the clocks go back begins
// at its first occurrence. (time.Date promises neither.)
func local(t time.Time, minute int) time.Time {
	year, month, day := t.Date()
	at := time.Date(year, month, day, 0, minute, 0, 0, t.Location())
	wanted := time.Date(year, month, day, 0, minute, 0, 0, time.UTC)
	from, to := at.ZoneBounds()
	switch found := wall(at); {
	case found.Before(wanted): // at is before the gap
		return to
	case found.After(wanted):
		return from
	case from.IsZero():
		return at
	}
	_, offset := at.Zone()
	_, before := from.Add(-time.Second).Zone()
	if first := at.Add(time.Duration(offset-before) * time.Second); first.Before(from) && wall(first).Equal(wanted) {
		return first
	}
	return at
}

// wall returns the local time as if it were UTC.
func wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.In(time.UTC).Add(time.Duration(offset) * time.Second)
}

// startWanted describes the input of ParseStart.
const startWanted = "want 20:00, 2026-12-01 20:00 or 2026-12-01T20:00:00+01:00"

// ParseStart reads a time for a beginning: a time of RFC 3339, a date and a time (2026-12-01 20:00 or 2026-12-01T20:00)
// in the time zone of now, or a time of day, which stands for its next occurrence after now. It returns an error for
// any other text, for a time that is not after now, and for a time after lastYear.
func ParseStart(text string, now time.Time) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		at, err = parseLocal(text, now)
	}
	if err != nil {
		return at, fmt.Errorf("start at %.40q: %s", text, startWanted)
	}
	if !at.After(now) {
		return at, fmt.Errorf("start at %.40q: that is over, it is %s now", text, now.Format(time.RFC3339))
	}
	if at.UTC().Year() > lastYear {
		return at, fmt.Errorf("start at %.40q: the year %d is the last one, in UTC", text, lastYear)
	}
	return at.In(now.Location()), nil
}

// lastYear is the last year that RFC 3339 can express.
const lastYear = 9999

func parseLocal(text string, now time.Time) (time.Time, error) {
	if at, err := time.Parse("15:04", text); err == nil {
		daily := Every{days: [7]bool{true, true, true, true, true, true, true}, minute: 60*at.Hour() + at.Minute()}
		return daily.after(now, now), nil
	}
	at, err := time.Parse("2006-01-02 15:04", strings.Replace(text, "T", " ", 1))
	if err != nil {
		return at, err
	}
	noon := time.Date(at.Year(), at.Month(), at.Day(), 12, 0, 0, 0, now.Location())
	return local(noon, 60*at.Hour()+at.Minute()), nil
}
