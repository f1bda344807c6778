package recipe

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"versus2048/internal/disk"
	"versus2048/internal/text/plain"
	"versus2048/rules"
	"versus2048/rules/record"
)

// drawnByDefault is the number of openings from a random source without a count.
const drawnByDefault = 500

// maxPlies is the largest number of plies that a random source may ask for.
const maxPlies = 100

// LoadOpenings returns the openings of a source. The source is the name of a file, or a text such as
// "random:plies=8,seed=1,count=100", which stands for positions from [DrawOpenings]. Each number may be
// left out: the defaults are 8, 1 and 500. There may be fewer positions than the count. The error
// names the mistake in the source, or the line or the game in the file.
func LoadOpenings(source string, v Variant) ([]rules.Position, error) {
	options, random := strings.CutPrefix(source, "random")
	if random && (options == "" || options[0] == ':') {
		return drawSource(strings.TrimPrefix(options, ":"), v)
	}
	file, _, err := disk.Open(source)
	if err != nil {
		return nil, fmt.Errorf("openings: %w (or want random:plies=8,seed=1)", err)
	}
	defer file.Close()
	positions, err := ReadOpenings(file, v)
	if err != nil {
		return nil, fmt.Errorf("openings %s: %w", source, err)
	}
	return positions, nil
}

// LoadDrawnOpenings is LoadOpenings without files: it accepts only random sources.
func LoadDrawnOpenings(source string, v Variant) ([]rules.Position, error) {
	if kind, _, _ := strings.Cut(source, ":"); kind != "random" {
		return nil, fmt.Errorf("openings %.40q: want random:plies=8,seed=1, or none; files are for arena event run", source)
	}
	return LoadOpenings(source, v)
}

func drawSource(options string, v Variant) ([]rules.Position, error) {
	values := map[string]uint64{"plies": 8, "seed": 1, "count": drawnByDefault}
	most := map[string]uint64{"plies": maxPlies, "seed": 1<<53 - 1, "count": 10_000}
	for option := range strings.SplitSeq(options, ",") {
		if options == "" {
			break
		}
		name, text, _ := strings.Cut(option, "=")
		value, err := strconv.ParseUint(text, 10, 64)
		if most[name] == 0 {
			return nil, fmt.Errorf("openings random: option %.40q: want plies=8, seed=1 or count=100", option)
		}
		least := uint64(1)
		if name == "seed" {
			least = 0
		}
		if err != nil || value < least || value > most[name] {
			return nil, fmt.Errorf("openings random: %.40q: want a number from %d to %d", option, least, most[name])
		}
		values[name] = value
	}
	drawn := DrawOpenings(v, int(values["plies"]), int(values["count"]), values["seed"])
	if len(drawn) == 0 {
		return nil, fmt.Errorf("openings random: every position drawn on %v with %d plies is mated or symmetric: want other plies", v.Size, values["plies"])
	}
	return drawn, nil
}

// maxFile is the length in bytes of the longest file that is read. It exceeds the longest list of
// openings of an event in any form, except for long records.
const maxFile = 64 << 20

// ReadOpenings reads openings in the package's file format. It returns r's error, and an error for a file of more than
// 64 MiB, for a file without openings, and for an opening that is not a position of the variant or has a mated
// defender. The error for an opening names its line, or its game in a file of records.
func ReadOpenings(r io.Reader, v Variant) ([]rules.Position, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("longer than %d bytes", maxFile)
	}
	if err != nil {
		return nil, err
	}
	text = plain.TrimBOM(text)
	read := v.readLines
	if bytes.HasPrefix(text, []byte("[")) || bytes.Contains(text, []byte("\n[")) { // tags of records
		read = v.readRecords
	}
	positions, err := read(string(text))
	if err == nil && len(positions) == 0 {
		err = errors.New("no opening: want positions such as 0,2/0,0 D 0 1, moves such as (1,2) N, or records")
	}
	return positions, err
}

func (v Variant) readLines(text string) (positions []rules.Position, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, ";")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		p, err := v.readLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		positions = append(positions, p)
	}
	return positions, nil
}

func (v Variant) readLine(line string) (rules.Position, error) {
	if strings.Contains(line, "/") {
		p, err := rules.ParsePosition(v.Rules, line)
		if err != nil {
			return p, err
		}
		return p, v.check(p)
	}
	game, err := record.Parse(fmt.Sprintf("[Rules %q]\n[Size %q]\n\n%s\n", v.Rules, v.Size, line))
	if wrong := (*record.Error)(nil); errors.As(err, &wrong) {
		err = wrong.Err // without the line number, since it counts the added tags
	}
	if err != nil {
		return rules.Position{}, err
	}
	return v.last(&game)
}

func (v Variant) readRecords(text string) (positions []rules.Position, err error) {
	records := record.NewReader(strings.NewReader(text))
	for {
		game, err := records.Read()
		if err == io.EOF {
			return positions, nil
		}
		var p rules.Position
		if err == nil {
			p, err = v.last(&game)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", len(positions)+1, err)
		}
		positions = append(positions, p)
	}
}

func (v Variant) last(r *record.Record) (rules.Position, error) {
	p, err := r.Replay()
	if err != nil {
		return p, err
	}
	return p, v.check(p)
}

// check returns the reason why a position cannot be an opening of the variant, or nil.
func (v Variant) check(p rules.Position) error {
	switch {
	case p.Rules() != v.Rules || p.Size() != v.Size:
		return fmt.Errorf("a position of %v %v: want one of %v %v", p.Rules(), p.Size(), v.Rules, v.Size)
	case p.Over():
		return fmt.Errorf("position %v: the defender is mated", p)
	}
	return nil
}

// WriteOpenings writes openings in the format of ReadOpenings, one position a line, below the comment, which may
// have several lines. It returns w's error.
func WriteOpenings(w io.Writer, positions []rules.Position, comment string) error {
	text := bufio.NewWriter(w)
	for line := range strings.Lines(comment) {
		fmt.Fprintf(text, "; %s\n", strings.TrimRight(line, "\r\n"))
	}
	for _, p := range positions {
		fmt.Fprintln(text, p)
	}
	return text.Flush()
}
