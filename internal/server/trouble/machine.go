package trouble

import (
	"fmt"
	"time"
)

// disk finds that the disk of the database has too little free space, or will be full within a day.
type disk struct {
	bound   int64    // Bounds.Free
	samples []sample // the oldest first
}

// sample is the number of bytes that were free at a time.
type sample struct {
	at   time.Duration // Snapshot.Elapsed
	free int64
}

// The trend covers the last hours, with a sample every few minutes. It needs at least an hour of samples.
const (
	sampleEvery = 5 * time.Minute
	trendOver   = 6 * time.Hour
	trendFrom   = time.Hour
	tooSoon     = 24 * time.Hour // a disk that is full sooner is a trouble
)

func (d *disk) symptoms(arena Snapshot) []Symptom {
	if arena.Disk == "" {
		return nil
	}
	d.sample(sample{arena.Elapsed, arena.Free})
	s := Symptom{Kind: DiskSpace, Subject: "the disk of " + arena.Disk}
	left, shrinks := d.left()
	switch {
	case arena.Free < d.bound:
		s.Bad = true
		s.Text = fmt.Sprintf("the disk of %s has %s free, and should have %s: make room, or move the database; once it is full, events fail", arena.Disk, size(arena.Free), size(d.bound))
	case shrinks && left < 2*tooSoon:
		s.Bad = left < tooSoon
		s.Text = fmt.Sprintf("the disk of %s has %s free, and at the rate of the last hours it is full in %v: make room, or find the program that fills it", arena.Disk, size(arena.Free), left.Round(time.Hour))
	case arena.Free < d.bound+d.bound/4:
		s.Text = fmt.Sprintf("the disk of %s has %s free, little more than the %s that it should have: make room, or move the database; once it is full, events fail", arena.Disk, size(arena.Free), size(d.bound))
	default:
		return nil
	}
	return []Symptom{s}
}

// sample remembers a sample if it is time for one.
func (d *disk) sample(s sample) {
	if n := len(d.samples); n > 0 && s.at-d.samples[n-1].at < sampleEvery {
		return
	}
	d.samples = append(d.samples, s)
	for s.at-d.samples[0].at > trendOver {
		d.samples = d.samples[1:]
	}
}

// left returns the time until the disk is full, at the slope of the line of least squares through the samples. shrinks
// is false if the free space does not decrease, or if there are too few samples.
func (d *disk) left() (left time.Duration, shrinks bool) {
	n := len(d.samples)
	if n == 0 || d.samples[n-1].at-d.samples[0].at < trendFrom {
		return 0, false
	}
	var at, free, product, square float64
	for _, s := range d.samples {
		at += s.at.Hours() / float64(n)
		free += float64(s.free) / float64(n)
	}
	for _, s := range d.samples {
		product += (s.at.Hours() - at) * (float64(s.free) - free)
		square += (s.at.Hours() - at) * (s.at.Hours() - at)
	}
	if product >= 0 {
		return 0, false
	}
	hours := float64(d.samples[n-1].free) * square / -product
	return time.Duration(min(hours, 1e6) * float64(time.Hour)), true
}

// size writes a number of bytes in MiB or GiB.
func size(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}

// jumps finds jumps of the machine's clock.
type jumps struct {
	before Snapshot
	last   time.Duration // Snapshot.Elapsed at the last jump
	jump   time.Duration // the size of this jump; 0 if there has been none
}

const (
	smallestJump = 2 * time.Second
	jumpMatters  = 10 * time.Minute // how long a jump remains a trouble
)

func (j *jumps) symptoms(arena Snapshot) []Symptom {
	before := j.before
	j.before = arena
	if before.Wall.IsZero() || arena.Wall.IsZero() {
		return nil
	}
	passed := time.Duration(arena.Wall.UnixNano() - before.Wall.UnixNano())
	jump := passed - (arena.Elapsed - before.Elapsed)
	jumped := jump.Abs() > smallestJump
	if jumped {
		j.last, j.jump = arena.Elapsed, jump
	}
	if j.jump == 0 || arena.Elapsed-j.last > jumpMatters {
		return nil
	}
	direction := "forward"
	if j.jump < 0 {
		direction = "back"
	}
	return []Symptom{{
		Kind: ClockJumped, Subject: "the machine's clock", Bad: jumped,
		Text: fmt.Sprintf("the machine's clock has jumped %s by %v: no bot is charged for that, but dates of games may be wrong; check that the machine does not sleep, and its time service (timedatectl)", direction, round(j.jump.Abs())),
	}}
}

// standstills finds out that the process often stands still.
type standstills struct{ states []standing }

// standing has Snapshot.Elapsed and Snapshot.Running of one snapshot.
type standing struct{ elapsed, running time.Duration }

// The process must not stand still for too large a share of the last minutes.
const (
	standsOver  = 5 * time.Minute
	standsFrom  = time.Minute // shorter times say nothing
	mostStill   = 0.05
	fairlyStill = 0.01
)

func (s *standstills) symptoms(arena Snapshot) []Symptom {
	now := standing{arena.Elapsed, arena.Running}
	s.states = append(s.states, now)
	for len(s.states) > 2 && now.elapsed-s.states[1].elapsed >= standsOver {
		s.states = s.states[1:]
	}
	elapsed := now.elapsed - s.states[0].elapsed
	still := elapsed - (now.running - s.states[0].running)
	share := float64(still) / float64(max(1, elapsed))
	if elapsed < standsFrom || share < fairlyStill {
		return nil
	}
	return []Symptom{{
		Kind: Standstill, Subject: "the arena's process", Bad: share >= mostStill,
		Text: fmt.Sprintf("the arena has stood still for %v of the last %v: no bot is charged for that, but games take longer; stop other programs on the machine, or give the arena a larger one", round(still), round(elapsed)),
	}}
}

// database finds a database that can no longer be used.
type database struct{}

func (database) symptoms(arena Snapshot) []Symptom {
	if arena.Database == nil {
		return nil
	}
	return []Symptom{{Kind: DatabaseLost, Subject: "the database", Bad: true, Text: arena.Database.Error()}}
}
