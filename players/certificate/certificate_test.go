package certificate_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"versus2048/players/certificate"
	"versus2048/rules"
)

var size = rules.Size{Width: 3, Height: 2}

// list returns positions in order. They need not prove anything here.
func list(h certificate.Header) []certificate.Covered {
	var all []certificate.Covered
	for _, b := range []rules.Board{0, 0x1, 0x10, 0x2, 0x10001} {
		c := certificate.Covered{Board: b.Canonical(h.Size), Gain: h.Score - b.Potential()}
		if h.Claimant == rules.Attacker {
			c.Move = rules.Place(6, h.Rules.Fours())
		}
		all = append(all, c)
	}
	return all
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
			h := certificate.Header{Rules: r, Size: size, Claimant: side, Score: 400}
			t.Run(h.String(), func(t *testing.T) { testRoundTrip(t, h, list(h)) })
		}
	}
}

func testRoundTrip(t *testing.T, h certificate.Header, list []certificate.Covered) {
	file := write(t, h, list)
	r, err := certificate.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if r.Header() != h {
		t.Errorf("the header is %v, want %v", r.Header(), h)
	}
	for i, want := range list {
		if got, err := r.Next(); err != nil || got != want {
			t.Fatalf("position %d is %+v, %v, want %+v", i, got, err, want)
		}
	}
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("after the end: %v, want EOF", err)
		}
	}
	for i := range file {
		damaged := bytes.Clone(file)
		damaged[i] ^= 4
		if err := readAll(damaged); err == nil {
			t.Errorf("with byte %d changed it is read", i)
		}
		var format *certificate.FormatError
		if err := readAll(file[:i]); !errors.As(err, &format) {
			t.Errorf("cut after %d bytes: %v, want a FormatError", i, err)
		}
	}
}

// At each place where a file cannot be read, the error reports that, and not a damaged file.
func TestUnreadableFile(t *testing.T) {
	h := certificate.Header{Rules: rules.GPCC2016, Size: size, Claimant: rules.Attacker, Score: 400}
	file := write(t, h, list(h))
	for i := range file {
		r, err := certificate.NewReader(io.MultiReader(bytes.NewReader(file[:i]), iotest.ErrReader(syscall.EIO)))
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("after %d bytes: %v", i, err)
		}
	}
}

// A number of more than 64 bits is damage, in a certificate and in a layer. So is a step after which the code of a board
// has more than 64 bits, and a gain above MostScore.
func TestNumberTooLarge(t *testing.T) {
	h := certificate.Header{Rules: rules.GPCC2016, Size: size, Claimant: rules.Attacker, Score: 400}
	line, _, _ := strings.Cut(string(write(t, h, list(h))), "\n")
	const longest = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" // 2^64-1
	for _, c := range []struct{ positions, layer string }{
		{strings.Repeat("\xff", 10), strings.Repeat("\xff", 10)},
		{strings.Repeat("\xff", 9) + "\x02", strings.Repeat("\xff", 9) + "\x02"},
		{"\x01\x64\x00" + longest + "\x01\x00", "\x02\x01" + longest + "\x00"},
		{"\x01" + string(binary.AppendUvarint(nil, 1<<62+100)) + "\x00", "\x02" + longest + "\x01\x00"},
	} {
		_, layer := certificate.NewLayerReader(strings.NewReader(c.layer), size, 0).Next()
		for name, err := range map[string]error{"certificate": readAll([]byte(line + "\n" + c.positions)), "layer": layer} {
			if format := (*certificate.FormatError)(nil); !errors.As(err, &format) || !strings.Contains(err.Error(), "want at most") && !strings.Contains(err.Error(), "64 bits") {
				t.Errorf("%s of %+q: %v, want a FormatError", name, c, err)
			}
		}
	}
}

// The layers of a file end with the file.
func TestBytesAfterLayers(t *testing.T) {
	var file bytes.Buffer
	w, err := certificate.NewLayerWriter(&file, size, "")
	if err == nil {
		err = errors.Join(w.Write(certificate.Layer{Sum: 2, Boards: []rules.Board{1}}), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for more, want := range map[string]string{"": "EOF", "\x00": "bytes follow"} {
		r := certificate.NewLayerReader(strings.NewReader(file.String()+more), size, 0)
		_, err := r.Next()
		if err == nil {
			_, err = r.Next()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q after the layers: %v, want %q", more, err, want)
		}
	}
}

func write(t *testing.T, h certificate.Header, list []certificate.Covered) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := certificate.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func readAll(file []byte) error {
	r, err := certificate.NewReader(bytes.NewReader(file))
	for err == nil {
		_, err = r.Next()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func TestWriterRefuses(t *testing.T) {
	h := certificate.Header{Rules: rules.GPCC2015, Size: size, Claimant: rules.Defender, Score: 400}
	first := certificate.Covered{Board: 0, Gain: 400}
	one := certificate.Covered{Board: rules.Board(1).Canonical(size), Gain: 400}
	for _, test := range []struct {
		name string
		list []certificate.Covered
		want string
	}{
		{"no start", []certificate.Covered{one}, "want the empty board"},
		{"twice", []certificate.Covered{first, one, one}, "not in order"},
		{"a smaller sum", []certificate.Covered{first, one, first}, "not in order"},
		{"another symmetry", []certificate.Covered{first, {Board: 0x20000, Gain: 396}}, "smallest of its symmetries"},
		{"no gain", []certificate.Covered{{Board: 0}}, "gain 0"},
		{"another gain", []certificate.Covered{{Board: 0, Gain: 396}}, "the rest of the score"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, err := certificate.NewWriter(io.Discard, h)
			for _, c := range test.list {
				if err == nil {
					err = w.Write(c)
				}
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", "no first line"},
		{"hello\n", "does not begin"},
		{"versus2048 certificate 1 gpcc2016 3x2 below\n", "want the rules"},
		{"versus2048 certificate 1 gpcc2017 3x2 below 4\n", "gpcc2017"},
		{"versus2048 certificate 1 gpcc2016 9x2 below 4\n", "9x2"},
		{"versus2048 certificate 1 gpcc2016 3x2 above 4\n", "at-least or below"},
		{"versus2048 certificate 1 gpcc2016 3x2 below x\n", "want a number"},
		{"versus2048 certificate 1 gpcc2016 3x2 below 0\n", "score 0"},
		{"versus2048 certificate 1 solo 3x2 below 4\n", "no attacker"},
	} {
		var format *certificate.FormatError
		if _, err := certificate.NewReader(strings.NewReader(test.line)); !errors.As(err, &format) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want a FormatError with %q", test.line, err, test.want)
		}
	}
}

// The error for another file shows the first line of a certificate from coarse boards, not the format of that line.
func TestOtherFirstLineOfCoarseCertificate(t *testing.T) {
	_, _, err := certificate.NewCoarseReader(strings.NewReader("hello\n"))
	var format *certificate.FormatError
	if want := "gpcc2016 3x3 large 16 prevents 256"; !errors.As(err, &format) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want a FormatError with %q", err, want)
	}
}
