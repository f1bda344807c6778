package players_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/lab/proof/coarse"
	"versus2048/players"
	"versus2048/players/certificate"
	"versus2048/rules"
	"versus2048/rules/record"
)

// writeProof proves a claim and returns the path of its certificate.
func writeProof(t *testing.T, h certificate.Header) string {
	t.Helper()
	prover, err := proof.Open(proof.Config{Rules: h.Rules, Size: h.Size, Memory: 64 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), strings.ReplaceAll(h.String(), " ", "-")+".proof")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := certificate.NewWriter(file, h)
	if err != nil {
		t.Fatal(err)
	}
	claim := proof.Claim{Score: h.Score, Claimant: h.Claimant}
	err = prover.Extract(t.Context(), claim, out.Write)
	for _, err := range []error{err, out.Close(), file.Close(), prover.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// claims returns the strongest true claims about a board with the given value, one for each side.
func claims(r rules.Ruleset, s rules.Size, value int) []certificate.Header {
	return []certificate.Header{
		{Rules: r, Size: s, Claimant: rules.Defender, Score: value},
		{Rules: r, Size: s, Claimant: rules.Attacker, Score: value + 4},
	}
}

// A keeper plays games of a bot with a proof, and checks that the claim is kept.
type keeper struct {
	header certificate.Header
	player players.Searcher
}

func newKeeper(t *testing.T, h certificate.Header, seed uint64) keeper {
	t.Helper()
	player := mustParse(t, "perfect:depth=1,proof="+writeProof(t, h)).New(players.Game{Seed: seed})
	return keeper{h, player.(players.Searcher)}
}

// move lets the bot move. While the defender lacks the score, the move comes from the proof.
func (k keeper) move(t *testing.T, p rules.Position) rules.Position {
	t.Helper()
	m, err := k.player.Choose(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	report := k.player.LastSearch()
	if report == nil && len(p.AppendMoves(nil)) > 1 {
		t.Fatalf("in %v the move is not reported", p)
	}
	if report != nil {
		if err := report.Check(p); err != nil {
			t.Fatalf("in %v: %v", p, err)
		}
		if p.Score() < k.header.Score && report.Source != record.FromProof {
			t.Fatalf("in %v the move is by %q, want the proof", p, report.Source)
		}
	}
	return p.Next(m)
}

// settled reports whether the claim is decided, and checks that it is kept.
func (k keeper) settled(t *testing.T, p rules.Position) bool {
	t.Helper()
	reached := p.Score() >= k.header.Score
	if !reached && !p.Over() {
		return false
	}
	if reached != (k.header.Claimant == rules.Defender) {
		t.Fatalf("%v: %v with a score of %d", k.header, p, p.Score())
	}
	return true
}

// TestProofAgainstEveryReply walks through all games that the other side can bring about.
func TestProofAgainstEveryReply(t *testing.T) {
	values := map[rules.Ruleset][]int{rules.GPCC2015: {68, 516}, rules.GPCC2016: {8, 40}}
	for r, scores := range values {
		for i, s := range solved {
			for _, h := range claims(r, s, scores[i]) {
				t.Run(h.String(), func(t *testing.T) {
					k, seen := newKeeper(t, h, 1), map[rules.Position]bool{}
					var walk func(rules.Position)
					walk = func(p rules.Position) {
						if seen[p] || k.settled(t, p) {
							return
						}
						seen[p] = true
						if p.SideToMove() == h.Claimant {
							walk(k.move(t, p))
							return
						}
						for _, m := range p.AppendMoves(nil) {
							walk(p.Next(m))
						}
					}
					walk(rules.NewPosition(r, s))
					if len(seen) < 10 {
						t.Errorf("only %d positions were met", len(seen))
					}
				})
			}
		}
	}
}

// TestProofAgainstRandom plays whole games against random opponents on larger boards.
func TestProofAgainstRandom(t *testing.T) {
	testkit.Long(t)
	for size, value := range map[rules.Size]int{{Width: 4, Height: 2}: 112, {Width: 3, Height: 3}: 164} {
		for _, h := range claims(rules.GPCC2016, size, value) {
			t.Run(h.String(), func(t *testing.T) {
				k, random := newKeeper(t, h, 2), rand.New(rand.NewPCG(2048, 18))
				for range 300 {
					p := rules.NewPosition(h.Rules, h.Size)
					for !k.settled(t, p) {
						if p.SideToMove() == h.Claimant {
							p = k.move(t, p)
							continue
						}
						moves := p.AppendMoves(nil)
						p = p.Next(moves[random.IntN(len(moves))])
					}
				}
			})
		}
	}
}

// TestCoarseProof plays whole games with a proof from coarse boards, against random defenders.
func TestCoarseProof(t *testing.T) {
	config := coarse.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Large: 3, Tile: 6, Threads: 1}
	path := filepath.Join(t.TempDir(), "coarse.proof")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := coarse.NewWriter(file, config)
	if err != nil {
		t.Fatal(err)
	}
	r, err := coarse.Prove(t.Context(), config, out.Write, nil)
	for _, err := range []error{err, out.Close(), file.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	player := mustParse(t, "perfect:depth=1,proof="+path).New(players.Game{Seed: 1}).(players.Searcher)
	random := rand.New(rand.NewPCG(2048, 19))
	byProof := 0
	for range 200 {
		p := rules.NewPosition(config.Rules, config.Size)
		for !p.Over() {
			moves := p.AppendMoves(nil)
			m := moves[random.IntN(len(moves))]
			if p.SideToMove() == rules.Attacker && p.Sum() >= r.From-2 {
				if m, err = player.Choose(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				if report := player.LastSearch(); report == nil || report.Source != record.FromProof || report.Check(p) != nil {
					t.Fatalf("in %v the move is not by the proof: %+v", p, report)
				}
				byProof++
			}
			p = p.Next(m)
		}
		if p.Score() > r.Bound {
			t.Fatalf("%v scores more than %d", p, r.Bound)
		}
	}
	if byProof < 100 {
		t.Errorf("only %d moves by the proof", byProof)
	}
}

// TestProofElsewhere checks that the bot searches in positions that its proof does not cover: as the other
// side, once the claim is fulfilled, and in positions that the claimant would not bring about.
func TestProofElsewhere(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	h := claims(rules.GPCC2016, size, 40)
	for i, test := range []struct {
		position string
		claim    certificate.Header
	}{
		{"0,0,0/0,0,0 A", h[0]},      // the attacker has claimed nothing
		{"2,0,0/0,0,0 D", h[1]},      // the defender has claimed nothing
		{"16,0,0/0,2,0 D", h[0]},     // the defender has 48 points
		{"2,4,8/4,2,0 A", h[1]},      // no attacker that follows the proof gets here
		{"2,4,2/8,2,0 D 12 0", h[0]}, // no defender that follows the proof gets here
	} {
		p, err := rules.ParsePosition(test.claim.Rules, test.position)
		if err != nil {
			t.Fatal(err)
		}
		player := newKeeper(t, test.claim, 3).player
		m, err := player.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Play(m); err != nil {
			t.Error(err)
		}
		if report := player.LastSearch(); report == nil || report.Source != record.FromSearch || report.Nodes == 0 {
			t.Errorf("%d, %s in %v: %+v, want a search", i, p, test.claim, report)
		}
	}
}

// TestProofRefuses checks that files without a sound certificate are refused when the spec is parsed, and other
// games before they start.
func TestProofRefuses(t *testing.T) {
	h := claims(rules.GPCC2016, rules.Size{Width: 3, Height: 2}, 40)[1]
	path := writeProof(t, h)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	flipped := append([]byte{}, whole...)
	flipped[len(flipped)/2] ^= 1
	for text, want := range map[string]string{
		"proof=" + write("flipped", flipped):      "flipped: not a sound certificate: ",
		"proof=" + write("cut", whole[:100]):      "cut: not a sound certificate: it ends within position ",
		"proof=" + write("notes", []byte("hi\n")): "it does not begin with",
		"proof=no/such/file":                      "no/such/file",
		"proof=" + path + ",table=" + path:        "want one file",
		"proof=none":                              "want one file",
		"proof=" + path + ",depth=0":              "option depth=",
	} {
		_, err := players.Parse("perfect:" + text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want it to say %s", text, err, want)
		}
	}
	spec := mustParse(t, "perfect:proof="+path)
	for _, game := range []rules.Position{rules.NewPosition(rules.GPCC2015, h.Size), rules.NewPosition(h.Rules, rules.Full)} {
		want := fmt.Sprintf("its proof is of gpcc2016 on 3x2, it cannot play %v on %v", game.Rules(), game.Size())
		if err := spec.Plays(game.Rules(), game.Size()); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := spec.Plays(h.Rules, h.Size); err != nil {
		t.Error(err)
	}
}

// TestProofNeeds checks that the need of a proof includes its positions and the search beside it.
func TestProofNeeds(t *testing.T) {
	h := claims(rules.GPCC2016, rules.Size{Width: 2, Height: 2}, 8)[0]
	with := mustParse(t, "perfect:threads=3,proof="+writeProof(t, h)).Need()
	_, path := writeTable(t, rules.GPCC2016, solved[0])
	table := mustParse(t, "perfect:threads=3,table="+path).Need()
	if with.Threads != 3 || table.Threads != 1 || with.Memory <= table.Memory {
		t.Errorf("with a proof %+v, with a table %+v", with, table)
	}
}
