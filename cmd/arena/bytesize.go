package main

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a flag that takes a number of bytes, such as 512MiB or 4GiB.
type byteSize int

// byteUnits are the units that a size may have, the smallest first.
var byteUnits = []struct {
	name  string
	bytes int
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}

// Set reads the flag's value.
func (s *byteSize) Set(text string) error {
	for _, unit := range byteUnits {
		number, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		if n, err := strconv.ParseFloat(number, 64); err == nil && n > 0 && n < 1<<20 {
			*s = byteSize(n * float64(unit.bytes))
			return nil
		}
	}
	return fmt.Errorf("%q: want a number with KiB, MiB, GiB or TiB, such as 4GiB", text)
}

// String writes the size in the largest unit of which there is one.
func (s *byteSize) String() string {
	if s == nil {
		return ""
	}
	best := byteUnits[0]
	for _, unit := range byteUnits[1:] {
		if int(*s) >= unit.bytes {
			best = unit
		}
	}
	return strconv.FormatFloat(float64(*s)/float64(best.bytes), 'g', 4, 64) + best.name
}
