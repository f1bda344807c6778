package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"versus2048/internal/testkit"
	"versus2048/lab/proof/check"
	"versus2048/lab/retrograde"
	"versus2048/players/certificate"
	"versus2048/players/exact"
	"versus2048/rules"
)

// solved makes the list that proves a claim from the exact values: of the moves that keep
// the claim, the first. It returns nil if the table says that the claim is wrong.
func solved(t *testing.T, table *exact.Table, h certificate.Header) []certificate.Covered {
	t.Helper()
	gain := func(b rules.Board) int {
		points, ok := table.Gain(b)
		if !ok {
			t.Fatalf("board %x is not in the table", uint64(b))
		}
		return int(points)
	}
	goal := (h.Score + 3) / 4 * 4
	keeps := func(b rules.Board, g int) bool { return (gain(b) >= g) == (h.Claimant == rules.Defender) }
	if !keeps(0, goal) {
		return nil
	}
	needs := map[int]map[rules.Board]int{0: {0: goal}}
	need := func(b rules.Board, g int) {
		if needs[b.Sum()] == nil {
			needs[b.Sum()] = map[rules.Board]int{}
		}
		old, ok := needs[b.Sum()][b]
		if !ok || (g > old) == (h.Claimant == rules.Defender) {
			needs[b.Sum()][b] = g
		}
	}
	m := maker{h, needs, keeps, need}
	var list []certificate.Covered
	for sum := 0; len(needs) > 0; sum += 2 {
		for _, b := range slices.Sorted(maps.Keys(needs[sum])) {
			list = append(list, certificate.Covered{Board: b, Gain: needs[sum][b], Move: m.expand(b, needs[sum][b])})
		}
		delete(needs, sum)
	}
	return list
}

// A maker makes a list, sum by sum.
type maker struct {
	header certificate.Header
	needs  map[int]map[rules.Board]int // by sum: the gains that boards are needed for
	keeps  func(rules.Board, int) bool // whether the table says that the claimant succeeds
	need   func(rules.Board, int)
}

// A rest is the result of a slide: the board, and the gain that is left there.
type rest struct {
	board rules.Board
	gain  int
}

// expand adds the positions that a position rests on, and returns the attacker's move.
func (m maker) expand(b rules.Board, gain int) (best rules.Move) {
	var follow []rest
	found := false
	for i := range 16 {
		for k := 1; k <= 2 && b.Empty(m.header.Size)>>(4*i)&1 == 1 && (k == 1 || m.header.Rules.Fours()); k++ {
			rests := m.slides(b.With(i, k), gain)
			switch {
			case m.header.Claimant == rules.Defender:
				m.needOne(rests)
			case m.holds(rests) && (!found || m.missing(rests) < m.missing(follow)):
				best, follow, found = rules.Place(i, k == 2), rests, true
			}
		}
	}
	for _, r := range follow {
		m.need(r.board, r.gain)
	}
	return best
}

func (m maker) slides(placed rules.Board, gain int) (rests []rest) {
	for _, d := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
		if after := placed.Slide(m.header.Size, d); after != placed {
			rests = append(rests, rest{after.Canonical(m.header.Size), gain - after.Potential() + placed.Potential()})
		}
	}
	return rests
}

// needOne needs one of the positions: one that is needed already, if there is one.
func (m maker) needOne(rests []rest) {
	for _, r := range rests {
		if r.gain <= 0 || m.missing([]rest{r}) == 0 {
			return
		}
	}
	for _, r := range rests {
		if m.keeps(r.board, r.gain) {
			m.need(r.board, r.gain)
			return
		}
	}
}

func (m maker) holds(rests []rest) bool {
	return !slices.ContainsFunc(rests, func(r rest) bool { return r.gain <= 0 || !m.keeps(r.board, r.gain) })
}

// missing counts the positions that are not needed yet.
func (m maker) missing(rests []rest) (n int) {
	for _, r := range rests {
		have, ok := m.needs[r.board.Sum()][r.board]
		if !ok || have != r.gain && (have > r.gain) != (m.header.Claimant == rules.Defender) {
			n++
		}
	}
	return n
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

// Both sides have a certificate at the value: for at least the value, and for below the value plus 4.
func TestClaimsAtTheValue(t *testing.T) {
	for _, board := range testkit.Shortened(t, []struct {
		size  rules.Size
		rules []rules.Ruleset
	}{
		{rules.Size{Width: 2, Height: 2}, []rules.Ruleset{rules.GPCC2015, rules.GPCC2016}},
		{rules.Size{Width: 3, Height: 2}, []rules.Ruleset{rules.GPCC2015, rules.GPCC2016}},
		{rules.Size{Width: 4, Height: 2}, []rules.Ruleset{rules.GPCC2016}},
	}, 2) {
		for _, r := range board.rules {
			solution, err := retrograde.Solve(t.Context(), r, board.size, nil)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := solution.Gain(0)
			for _, h := range []certificate.Header{
				{Rules: r, Size: board.size, Claimant: rules.Defender, Score: int(value)},
				{Rules: r, Size: board.size, Claimant: rules.Defender, Score: int(value) - 4},
				{Rules: r, Size: board.size, Claimant: rules.Attacker, Score: int(value) + 4},
				{Rules: r, Size: board.size, Claimant: rules.Attacker, Score: int(value) + 8},
			} {
				t.Run(h.String(), func(t *testing.T) { testCertificate(t, solution.Table, h) })
			}
		}
	}
}

func testCertificate(t *testing.T, table *exact.Table, h certificate.Header) {
	list := solved(t, table, h)
	file := write(t, h, list)
	result, err := check.File(t.Context(), bytes.NewReader(file), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Positions != len(list) || len(list) == 0 {
		t.Errorf("%d positions were checked, want %d", result.Positions, len(list))
	}
	t.Logf("%d positions, %d bytes", len(list), len(file))
	testMissing(t, h, list)
	testWrong(t, h, list)
	testDamaged(t, file)
}

// The parts of a check have the positions of the whole check, and a fault is found by the part that has its sum alone.
func TestParts(t *testing.T) {
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2016, rules.Size{Width: 3, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claimant, score := range map[rules.Side]int{rules.Defender: 40, rules.Attacker: 44} {
		h := certificate.Header{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Claimant: claimant, Score: score}
		list := solved(t, solution.Table, h)
		file := write(t, h, list)
		part := func(low, high int) (check.Result, error) {
			return check.Part(t.Context(), bytes.NewReader(file), 2, low, high, nil)
		}
		whole, err := check.File(t.Context(), bytes.NewReader(file), 2, nil)
		if err != nil || whole.Checked != len(list) || whole.High != 0 {
			t.Fatalf("%v: %+v, error %v: want all %d positions", h, whole, err, len(list))
		}
		upper, err := part(8, math.MaxInt)
		lower, wrong := part(0, 6)
		if err != nil || wrong != nil || upper.Checked+lower.Checked != len(list) || upper.Checked == 0 || lower.Checked == 0 {
			t.Errorf("%v: %d and %d positions, errors %v and %v: want %d together", h, upper.Checked, lower.Checked, err, wrong, len(list))
		}
		if upper.Low != 8 || upper.High != whole.Sum || lower.High != 6 || lower.Positions != len(list) {
			t.Errorf("%v: parts %+v and %+v of %+v", h, upper, lower, whole)
		}
		if _, err := part(whole.Sum+2, math.MaxInt); !errors.Is(err, check.ErrPart) {
			t.Errorf("%v: sums above all: error %v", h, err)
		}
		file = write(t, h, slices.DeleteFunc(list, func(c certificate.Covered) bool { return c.Board.Sum() == whole.Sum }))
		if _, err := part(whole.Sum-4, whole.Sum); !errors.Is(err, check.ErrUncovered) {
			t.Errorf("%v: the last sum is missing: error %v", h, err)
		}
		if _, err := part(0, whole.Sum-6); err != nil {
			t.Errorf("%v: smaller sums: %v", h, err)
		}
	}
}

// testMissing takes positions away. An attacker's list has none to spare; a defender may have another slide to a
// position that is covered, but not if a whole sum is gone.
func testMissing(t *testing.T, h certificate.Header, list []certificate.Covered) {
	for i := 1; i < len(list); i += max(1, len(list)/10) {
		sum := list[i].Board.Sum()
		shorter := slices.DeleteFunc(slices.Clone(list), func(c certificate.Covered) bool {
			return c == list[i] || h.Claimant == rules.Defender && c.Board.Sum() == sum
		})
		refused(t, fmt.Sprintf("without position %d", i), write(t, h, shorter), check.ErrUncovered)
	}
}

// testWrong changes the attacker's moves, gains that are too easy, and the claim.
func testWrong(t *testing.T, h certificate.Header, list []certificate.Covered) {
	if h.Claimant == rules.Attacker {
		for i := 1; i < len(list); i += max(1, len(list)/10) {
			wrong := slices.Clone(list)
			wrong[i].Move = rules.Place(firstTile(wrong[i].Board), false)
			refused(t, fmt.Sprintf("with a move of position %d onto a tile", i), write(t, h, wrong), check.ErrMove)
		}
	}
	for _, score := range []int{h.Score + 4, h.Score - 4} {
		harder := h
		harder.Score = score
		if (score > h.Score) == (h.Claimant == rules.Defender) && h.Rules.Fours() {
			refused(t, harder.String(), write(t, harder, list), check.ErrClaim)
		}
	}
}

func firstTile(b rules.Board) int {
	i := 0
	for b.Exponent(i) == 0 {
		i++
	}
	return i
}

func testDamaged(t *testing.T, file []byte) {
	for i := 0; i < len(file); i += max(1, len(file)/50) {
		bad := slices.Clone(file)
		bad[i] ^= 1 << (i % 8)
		if _, err := check.File(t.Context(), bytes.NewReader(bad), 2, nil); err == nil {
			t.Errorf("with bit %d of byte %d flipped it is accepted", i%8, i)
		}
		refused(t, fmt.Sprintf("cut after %d bytes", i), file[:i], check.ErrTruncated)
	}
	bad := slices.Clone(file)
	bad[len(bad)-1] ^= 1
	refused(t, "a wrong checksum", bad, check.ErrDamaged)
	refused(t, "something after the end", append(slices.Clone(file), 0), check.ErrDamaged)
}

func refused(t *testing.T, what string, file []byte, reason error) {
	t.Helper()
	if _, err := check.File(t.Context(), bytes.NewReader(file), 2, nil); !errors.Is(err, reason) {
		t.Errorf("%s: %v, want %v", what, err, reason)
	}
}

// endless is a file without end. It counts the bytes read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 1<<24 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// If the first line of a file has no end, only its beginning is read. A file that cannot be read is not
// refused: it may be a proof.
func TestFirstLines(t *testing.T) {
	claims := map[string]string{
		"versus2048 certificate 1 gpcc2016":        "versus2048 certificate 1 gpcc2016 3x2 at-least 40\n",
		"versus2048 coarse certificate 1 gpcc2016": "versus2048 coarse certificate 1 gpcc2016 3x2 large 8 prevents 64\n",
	}
	for _, begin := range []string{"", "versus2048 certificate 1 gpcc2016", "versus2048 coarse certificate 1 gpcc2016"} {
		var rest endless
		_, err := check.File(t.Context(), io.MultiReader(strings.NewReader(begin), &rest), 2, nil)
		if !errors.Is(err, check.ErrClaim) || rest.read > 1<<17 {
			t.Errorf("%q and spaces: %v after %d bytes, want %v", begin, err, rest.read, check.ErrClaim)
		}
		refused(t, begin, []byte(begin), check.ErrTruncated)
		if begin != "" {
			refused(t, "a number without end", append([]byte(claims[begin]), bytes.Repeat([]byte{255}, 20)...), check.ErrDamaged)
		}
		_, err = check.File(t.Context(), io.MultiReader(strings.NewReader(begin), iotest.ErrReader(syscall.EIO)), 2, nil)
		if !errors.Is(err, syscall.EIO) || errors.Is(err, check.ErrClaim) || errors.Is(err, check.ErrTruncated) {
			t.Errorf("%q and an error: %v", begin, err)
		}
	}
}

// A check can be ended while it reads the positions of a sum and while it checks them.
func TestEnds(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "at-least.proof"))
	if err != nil {
		t.Fatal(err)
	}
	const positions = 272
	const ends = 17 + 1 + 17 // of sums, of the list, and of the checks of sums
	for left := range positions + ends {
		if _, err := check.File(testkit.NewCountdown(t.Context(), int64(left)), bytes.NewReader(file), 2, nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("ended after %d steps: %v", left, err)
		}
	}
}

// checkProof is the same checker in Python, written from docs/PROOFS.md.
const checkProof = "../../../docs/example/check_proof.py"

// Both checkers accept the certificates of testdata, and agree on files with a bit changed or cut short.
func TestPythonAgrees(t *testing.T) {
	testkit.Long(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing, which runs the other checker")
	}
	for _, name := range []string{"at-least.proof", "below.proof"} {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			agree(t, python, checkProof, file)
			for i := 0; i < len(file); i += len(file)/12 + 1 {
				bad := slices.Clone(file)
				bad[i] ^= 1 << (i % 8)
				agree(t, python, checkProof, bad)
				agree(t, python, checkProof, file[:i])
			}
		})
	}
}

// agree compares the verdicts of both checkers. Their reasons may differ where a file has several faults.
func agree(t *testing.T, python, program string, file []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "proof")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	_, want := check.File(t.Context(), bytes.NewReader(file), 2, nil)
	out, err := exec.CommandContext(t.Context(), python, program, path).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || !strings.Contains(string(out), " is refused: ")) {
		t.Fatalf("%v: %s", err, out)
	}
	if (err == nil) != (want == nil) {
		t.Errorf("Python says %s, Go says %v", out, want)
	}
}

// The certificates of testdata are made from the lists of the exact values.
func TestKeptCertificates(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2016, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]certificate.Header{
		"at-least.proof": {Rules: rules.GPCC2016, Size: size, Claimant: rules.Defender, Score: 40},
		"below.proof":    {Rules: rules.GPCC2016, Size: size, Claimant: rules.Attacker, Score: 44},
	} {
		file := write(t, h, solved(t, solution.Table, h))
		kept, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil || !bytes.Equal(kept, file) {
			t.Errorf("%s differs from the certificate that is made now: %v", name, err)
		}
	}
}
