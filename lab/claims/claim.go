package claims

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Claim is one sentence about the game or the bots, with the figure behind it.
type Claim struct {
	Name      string      `toml:"-" json:"name"` // of its file, without .toml
	Statement string      `toml:"statement" json:"statement"`
	Commands  []string    `toml:"commands" json:"commands"` // in order; the figure is read from the output of the last one
	Seed      *uint64     `toml:"seed" json:"seed,omitempty"`
	Commit    string      `toml:"commit" json:"commit"` // of the code that was measured, 7 to 40 hexadecimal digits
	Machine   string      `toml:"machine" json:"machine"`
	Date      string      `toml:"date" json:"date"`             // of the measurement, such as 2026-11-29
	Cost      Duration    `toml:"cost" json:"cost"`             // of the commands on that machine, by the clock
	Timed     bool        `toml:"timed" json:"timed,omitempty"` // the figure depends on the speed of the machine
	Code      []string    `toml:"code" json:"code"`             // the files and folders of the repository that the figure depends on
	Figure    Measurement `toml:"figure" json:"figure"`
	Read      Reading     `toml:"read" json:"read"`
	Ratio     *Ratio      `toml:"ratio" json:"ratio,omitempty"`
	Condition Condition   `toml:"comparison" json:"comparison"`
	Artefact  *Artefact   `toml:"artefact" json:"artefact,omitempty"`
	Table     *Table      `toml:"table" json:"table,omitempty"`
	Family    *Family     `toml:"family" json:"family,omitempty"`
}

// Measurement is a measured number with its 95 % interval. An exact one has an interval of one point.
type Measurement struct {
	Value    float64  `toml:"value" json:"value"`
	Low      *float64 `toml:"low" json:"low,omitempty"` // nil for an exact figure
	High     *float64 `toml:"high" json:"high,omitempty"`
	Unit     string   `toml:"unit" json:"unit,omitempty"`         // a noun such as points, for people
	Percent  bool     `toml:"percent" json:"percent,omitempty"`   // the value is a share of 0 to 1, and people see percent
	Decimals int      `toml:"decimals" json:"decimals,omitempty"` // the number of decimals that people see
}

// Ends returns the ends of the interval.
func (f Measurement) Ends() (low, high float64) {
	if f.Low == nil || f.High == nil {
		return f.Value, f.Value
	}
	return *f.Low, *f.High
}

// with returns the figure with another value and interval, in the same unit.
func (f Measurement) with(value, low, high float64) Measurement {
	f.Value, f.Low, f.High = value, nil, nil
	if low != high {
		f.Low, f.High = &low, &high
	}
	return f
}

// String returns the figure as documents have it, without its unit: "393,281" or "2.64 [2.41, 2.90]".
func (f Measurement) String() string {
	low, high := f.Ends()
	if low == high {
		return f.number(f.Value)
	}
	return f.number(f.Value) + " [" + f.number(low) + ", " + f.number(high) + "]"
}

// number writes a number for people, with commas between groups of three digits, and an infinite number as a dash.
func (f Measurement) number(x float64) string { return f.rounded(x, f.Decimals) }

// Bound writes a bound of the figure for people, with all its decimals.
func (f Measurement) Bound(x float64) string { return f.rounded(x, -1) }

// rounded is number with that many decimals, or with as many as x has if decimals is -1.
func (f Measurement) rounded(x float64, decimals int) string {
	suffix := ""
	if f.Percent {
		x, suffix = 100*x, "%"
	}
	if math.IsInf(x, 0) {
		return "-"
	}
	// A share such as 51/80 is not exact in binary. The error must not decide how the share is rounded.
	text := strconv.FormatFloat(math.Round(x*1e9)/1e9, 'f', decimals, 64)
	digits, fraction, _ := strings.Cut(text, ".")
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if fraction != "" {
		digits += "." + fraction
	}
	return digits + suffix
}

// Reading finds the figure in the output of a command, by either JSON or Pattern.
type Reading struct {
	// JSON is a path such as goals.0.reached in an output in JSON. It leads to a number, or to an object with value,
	// low and high.
	JSON string `toml:"json" json:"json,omitempty"`
	// Pattern is a regular expression with one group, the number, or with three: value, low and high.
	Pattern string `toml:"pattern" json:"pattern,omitempty"`
}

// Ratio makes the figure a ratio: the number from the claim's commands, divided by the number from other commands. The
// two sides run in turn, and the interval is Student's t of the logarithms.
type Ratio struct {
	To   []string `toml:"to" json:"to"`     // the other commands
	Runs int      `toml:"runs" json:"runs"` // of either side, at least 3
}

// Condition is the bound that the figure has to meet for the claim to hold.
type Condition struct {
	Relation string  `toml:"relation" json:"relation"` // one of AtLeast, Below and Equal
	Bound    float64 `toml:"bound" json:"bound"`
	With     string  `toml:"with" json:"with"`     // the meaning of the bound, such as the value of another program
	Source   string  `toml:"source" json:"source"` // where the bound comes from
}

// Artefact is a file with the evidence.
type Artefact struct {
	File    string `toml:"file" json:"file"`                 // in lab/claims/artefacts, or in the archive
	SHA256  string `toml:"sha256" json:"sha256"`             // in hexadecimal digits
	Command string `toml:"command" json:"command"`           // makes the file
	Archive string `toml:"archive" json:"archive,omitempty"` // the folder of a release with the file; "" for one in lab/claims/artefacts
}

// Family is a group of comparisons that were tried together. With more comparisons, it is likelier that one of them
// seems to hold by chance. Therefore verdicts use p-values corrected by Holm's method (1979).
type Family struct {
	Name        string `toml:"name" json:"name"`
	Variants    int    `toml:"variants" json:"variants"` // comparisons that were tried, also those without a claim
	Exploration bool   `toml:"exploration" json:"exploration,omitempty"`
}

// Duration is a time that files have as text, such as 90s.
type Duration time.Duration

// UnmarshalText reads a text such as 1m30s.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}

// MarshalText writes a text such as 1m30s.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

func (d Duration) String() string { return time.Duration(d).String() }
