package coarse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// prove returns the result of a proof and its certificate.
func prove(t *testing.T, c Config) (Result, []byte) {
	t.Helper()
	var file bytes.Buffer
	out, err := NewWriter(&file, c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prove(t.Context(), c, out.Write, nil)
	if err != nil || !r.Proven {
		t.Fatalf("%+v, error %v", r, err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return r, file.Bytes()
}

// small has settings that are proven in an instant.
var small = Config{Rules: rules.GPCC2016, Size: size(3, 2), Large: 3, Tile: 6, Threads: 1}

func readAll(file []byte) (all []certificate.Layer, err error) {
	r, _, err := certificate.NewCoarseReader(bytes.NewReader(file))
	for err == nil {
		var l certificate.Layer
		if l, err = r.Next(); err == nil {
			all = append(all, l)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return all, err
}

func TestCertificateHasLayers(t *testing.T) {
	var want []certificate.Layer
	_, err := Prove(t.Context(), small, func(l certificate.Layer) error {
		want = append(want, l)
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, file := prove(t, small)
	if have, err := readAll(file); err != nil || !reflect.DeepEqual(have, want) || len(want) < 5 {
		t.Errorf("read %v, error %v; want %v", have, err, want)
	}
}

// The reader detects every wrong bit after the first line, even if that is the first line of another claim, and
// every early end of the file.
func TestDamagedCertificate(t *testing.T) {
	_, file := prove(t, small)
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 1 << (i % 8)
		if _, err := readAll(bad); err == nil && i >= len(small.firstLine()) {
			t.Errorf("byte %d changed: no error", i)
		}
		if _, err := readAll(file[:i]); err == nil {
			t.Errorf("cut after %d bytes: no error", i)
		}
	}
	bad := bytes.Clone(file)
	bad[len(bad)-1] ^= 1
	rest := strings.TrimPrefix(string(file), small.firstLine())
	more := strings.TrimSuffix(small.firstLine(), "\n") + " and more\n" + rest
	for name, bad := range map[string][]byte{"a wrong checksum": bad, "text behind the first line": []byte(more)} {
		_, err := certificate.ReadCoarseStrategy(bytes.NewReader(bad))
		if format := (*certificate.FormatError)(nil); !errors.As(err, &format) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// If a certificate cannot be read, the error says that.
func TestUnreadableCertificate(t *testing.T) {
	_, file := prove(t, small)
	for i := range file {
		_, err := certificate.ReadCoarseStrategy(io.MultiReader(bytes.NewReader(file[:i]), iotest.ErrReader(syscall.EIO)))
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("after %d bytes: %v", i, err)
		}
	}
}

// A stopped proof continues from its state, and comes to the same certificate.
func TestStateContinues(t *testing.T) {
	c := Config{Rules: rules.GPCC2016, Size: size(3, 3), Large: 4, Tile: 8, Threads: 2}
	want, file := prove(t, c)
	for _, layers := range []int{1, 4, 20} {
		c.State = filepath.Join(t.TempDir(), "state")
		ctx, stop := context.WithCancel(t.Context())
		n := 0
		_, err := Prove(ctx, c, nil, func(Progress) {
			if n++; n == layers {
				stop()
			}
		})
		if !errors.Is(err, proof.ErrStopped) {
			t.Fatalf("after %d layers: error %v", layers, err)
		}
		r, again := prove(t, c)
		if !bytes.Equal(again, file) || r.From != want.From || r.AllLost != want.AllLost || r.Computed >= want.Computed {
			t.Errorf("continued after %d layers: %+v, want %+v, or another certificate", layers, r, want)
		}
		if r, again := prove(t, c); !bytes.Equal(again, file) || r.Computed != r.Boards {
			t.Errorf("proven again: %+v, or another certificate", r)
		}
	}
}

// If nothing is proven, the state keeps the layers that lead to the same result again.
func TestUndecidedState(t *testing.T) {
	c := Config{Rules: rules.GPCC2015, Size: size(3, 2), Large: 3, Tile: 6, Threads: 1, State: filepath.Join(t.TempDir(), "state")}
	found := func(l certificate.Layer) error {
		if l.Sum == 0 {
			t.Error("a certificate would get the layer of sum 0, which means its end")
		}
		return nil
	}
	want, err := Prove(t.Context(), c, found, nil)
	if err != nil || want.Proven || want.Sum != 0 {
		t.Fatalf("found %+v, error %v; want nothing proven", want, err)
	}
	for range 2 {
		r, err := Prove(t.Context(), c, found, nil)
		if err != nil || r.Proven || r.Computed != 1 || r.AllLost != want.AllLost {
			t.Errorf("continued: %+v, error %v; want %+v with one board computed", r, err, want)
		}
	}
}

// The part of a layer that a killed process has left is not used.
func TestStateCutShort(t *testing.T) {
	c := small
	c.State = filepath.Join(t.TempDir(), "state")
	want, file := prove(t, c)
	whole, err := os.ReadFile(c.State)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(whole) - 40; cut < len(whole); cut++ {
		if err := os.WriteFile(c.State, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if r, again := prove(t, c); r.From != want.From || !bytes.Equal(again, file) {
			t.Errorf("cut after %d bytes: %+v", cut, r)
		}
		if now, err := os.ReadFile(c.State); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("cut after %d bytes: the state is not what it was, error %v", cut, err)
		}
	}
}

func TestWrongState(t *testing.T) {
	c := small
	c.State = filepath.Join(t.TempDir(), "state")
	prove(t, c)
	other := c
	other.Tile--
	damaged, err := os.ReadFile(c.State)
	if err != nil {
		t.Fatal(err)
	}
	damaged[len(damaged)-20] ^= 4
	try := func(c Config, want string) {
		t.Helper()
		_, err := Prove(t.Context(), c, nil, nil)
		if wrong := (*proof.StateError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", c, err, want)
		}
	}
	try(other, "does not begin with")
	held, err := proof.OpenLayers(c.State, c.Size, c.firstLine(), func(certificate.Layer, int64) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	try(c, "another process works on it")
	if err := errors.Join(held.Close(), os.WriteFile(c.State, damaged, 0o600)); err != nil {
		t.Fatal(err)
	}
	try(c, "the checksum that ends at byte")
}

func TestTooLittleMemory(t *testing.T) {
	c := small
	c.Memory = 250
	if _, err := Prove(t.Context(), c, nil, nil); err == nil || !strings.Contains(err.Error(), "more than the 250 that are allowed") {
		t.Errorf("error %v", err)
	}
	c.Memory = 1 << 20
	if r, err := Prove(t.Context(), c, nil, nil); err != nil || !r.Proven {
		t.Errorf("with a megabyte: %+v, error %v", r, err)
	}
}

// In all games that the other side can bring about the attacker has a placement and the score stays at the bound or
// below. Before the strategy begins, the attacker places anything.
func TestStrategyHolds(t *testing.T) {
	for _, c := range []Config{
		{Rules: rules.GPCC2016, Size: size(2, 2), Large: 3, Tile: 4, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(3, 2), Large: 3, Tile: 6, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(2, 3), Large: 3, Tile: 5, Threads: 1},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			r, file := prove(t, c)
			w := walk{t: t, bound: r.Bound, from: r.From, seen: map[rules.Position]bool{}}
			var err error
			if w.strategy, err = certificate.ReadCoarseStrategy(bytes.NewReader(file)); err != nil {
				t.Fatal(err)
			}
			if h := w.strategy.Header(); h.Bound() != r.Bound || h.Claimant != rules.Attacker {
				t.Errorf("it claims %v, want below %d", h, r.Bound+1)
			}
			w.attack(rules.NewPosition(c.Rules, c.Size))
			if w.placed < 50 {
				t.Errorf("only %d placements of the strategy were met", w.placed)
			}
		})
	}
}

type walk struct {
	t           *testing.T
	strategy    *certificate.CoarseStrategy
	bound, from int
	placed      int
	seen        map[rules.Position]bool
}

func (w *walk) attack(p rules.Position) {
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	m, ok := w.strategy.Move(p)
	if ok != (p.Sum() >= w.from-2) {
		w.t.Fatalf("%v: a placement of the strategy: %v, from sum %d on", p, ok, w.from)
	}
	if ok {
		w.placed++
		w.defend(p.Next(m))
		return
	}
	for _, m := range p.AppendMoves(nil) {
		w.defend(p.Next(m))
	}
}

func (w *walk) defend(p rules.Position) {
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		if next.Score() > w.bound {
			w.t.Fatalf("%v scores more than %d", next, w.bound)
		}
		w.attack(next)
	}
}

// Larger boards are played at random.
func TestStrategyHoldsAtRandom(t *testing.T) {
	testkit.Long(t)
	c := Config{Rules: rules.GPCC2016, Size: size(3, 3), Large: 4, Tile: 7, Threads: 2}
	r, file := prove(t, c)
	s, err := certificate.ReadCoarseStrategy(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	long := 0
	for range 300 {
		p := rules.NewPosition(c.Rules, c.Size)
		for !p.Over() {
			moves := p.AppendMoves(nil)
			m, ok := s.Move(p)
			if !ok {
				if p.SideToMove() == rules.Attacker && p.Sum() >= r.From {
					t.Fatalf("%v: no placement", p)
				}
				m = moves[random.IntN(len(moves))]
			}
			p = p.Next(m)
		}
		if p.Score() > r.Bound {
			t.Fatalf("%v scores more than %d", p, r.Bound)
		}
		if p.Sum() > r.From+10 {
			long++
		}
	}
	if long < 30 {
		t.Errorf("only %d games came to what the strategy decides", long)
	}
}
