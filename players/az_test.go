package players_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/players/neural"
	"versus2048/players/playertest"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// The searches with networks conform on every size of board, each with a small network for that size.
func TestGuidedConform(t *testing.T) {
	testkit.Long(t)
	files := map[string]map[rules.Size]string{}
	for _, method := range []string{"az", "muzero"} {
		files[method] = map[rules.Size]string{}
		for _, s := range rules.Sizes() {
			files[method][s] = searchtest.WriteNetwork(t, method, rules.GPCC2016, s, 1)
		}
	}
	with := func(text string) func(*testing.T, playertest.Setting) players.Player {
		return func(t *testing.T, g playertest.Setting) players.Player {
			method, _, _ := strings.Cut(text, ":")
			return mustParse(t, text+"weights="+files[method][g.Start.Size()]).New(players.Game{Seed: g.Seed})
		}
	}
	const patient = "simulations=100000000,nodes=100000000,"
	for name, suite := range map[string]playertest.Suite{
		"az":                {New: with("az:simulations=12,"), Patient: with("az:" + patient)},
		"az, batches":       {New: with("az:simulations=12,batch=4,scaled=siblings,"), Patient: with("az:batch=16," + patient)},
		"az, self-play":     {New: with("az:simulations=12,noise=25,alpha=50,temperature=100,"), Patient: with("az:noise=25," + patient)},
		"az, reuse":         {New: with("az:simulations=12,reuse=true,"), Patient: with("az:reuse=true," + patient), Determined: playertest.ByGame},
		"az, time":          {New: with("az:time=1,"), Patient: with("az:time=3600000,nodes=100000000,"), Determined: playertest.ByNothing, Plies: 30},
		"muzero":            {New: with("muzero:simulations=12,"), Patient: with("muzero:" + patient)},
		"muzero, tree":      {New: with("muzero:simulations=12,scaled=tree,noise=25,temperature=50,"), Patient: with("muzero:" + patient)},
		"muzero, few nodes": {New: with("muzero:nodes=64,")},
		"az, few nodes":     {New: with("az:nodes=64,simulations=300,")},
	} {
		t.Run(name, func(t *testing.T) {
			suite.Ended = true
			if suite.Plies == 0 {
				suite.Plies = 200 // the games of untrained networks are long
			}
			playertest.Run(t, suite)
		})
	}
}

// The report of a search with a network has the priors of the network's policy.
func TestGuidedReports(t *testing.T) {
	size := rules.Size{Width: 3, Height: 3}
	for _, text := range []string{"az:simulations=50,", "muzero:simulations=50,"} {
		method, _, _ := strings.Cut(text, ":")
		spec := mustParse(t, text+"weights="+searchtest.WriteNetwork(t, method, rules.Solo, size, 2))
		player := spec.New(players.Game{Seed: 3}).(players.Searcher)
		p, err := rules.ParsePosition(rules.Solo, "2,4,0/0,2,0/0,0,8 D")
		if err != nil {
			t.Fatal(err)
		}
		m, err := player.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		report := player.LastSearch()
		visits, prior := int64(0), 0.0
		for _, m := range report.Moves {
			visits, prior = visits+m.Visits, prior+m.Prior
		}
		if visits != 50 || prior < 0.5 || prior > 1.0001 || report.Moves[0].Move != m || report.Variation[0] != m || report.Nodes < 10 {
			t.Errorf("%s: chose %v, reported %+v", text, m, report)
		}
	}
}

func TestGuidedRefuse(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	az, muzero := searchtest.WriteNetwork(t, "az", rules.GPCC2015, size, 1), searchtest.WriteNetwork(t, "muzero", rules.Solo, size, 1)
	for text, want := range map[string]string{
		"az:weights=" + muzero:              "it was learned by the method muzero, want az",
		"muzero:weights=" + az:              "it was learned by the method az, want muzero",
		"az:weights=no/such/file":           "no/such/file",
		"az:batch=0,weights=" + az:          "option batch=\"0\": want 1 to 1024",
		"muzero:scaled=no,weights=" + az:    "want tree or siblings",
		"az:simulations=none,weights=" + az: "option simulations",
	} {
		if _, err := players.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %s", text, err, want)
		}
	}
	spec := mustParse(t, "az:weights="+az)
	const want = "its network is for boards of 3x2, it cannot play on 4x4"
	if err := spec.Plays(rules.GPCC2015, rules.Full); err == nil || err.Error() != want {
		t.Errorf("on another size: %v, want %s", err, want)
	}
	const none = "the program has no network of az for gpcc2016 on 4x2: want weights=FILE"
	if err := mustParse(t, "az").Plays(rules.GPCC2016, rules.Size{Width: 4, Height: 2}); err == nil || err.Error() != none {
		t.Errorf("without a network: %v, want %s", err, none)
	}
	for _, r := range rules.Rulesets() {
		if err := spec.Plays(r, size); err != nil {
			t.Error(err)
		}
	}
}

// More nodes and larger batches need more memory. A spec needs no less before its file is open.
func TestGuidedNeed(t *testing.T) {
	path := searchtest.WriteNetwork(t, "az", rules.GPCC2016, rules.Full, 1)
	memory := func(options string) uint64 { return mustParse(t, "az:"+options+",weights="+path).Need().Memory }
	few, many := memory("simulations=100"), memory("simulations=100000000")
	if few > 4<<20 || many < few+69_000_000 || memory("simulations=100,batch=64") <= few || memory("time=5") < many {
		t.Errorf("%d bytes for 100 simulations, %d for many", few, many)
	}
	if closed, err := players.ParseClosed("az:weights=" + path); err != nil || closed.Need().Memory < few {
		t.Errorf("%v, %v: less than an open one needs", closed.Need(), err)
	}
}

// writeModel writes a model of 2x2 with that many chance codes, and returns the path of the file.
func writeModel(t *testing.T, codes int) string {
	t.Helper()
	size := rules.Size{Width: 2, Height: 2}
	d := searchtest.NetworkDescription("muzero", size)
	widen := func(name string, by func(*neural.Layer)) { by(&d.Functions[name].Layers[0]) }
	before := d.Functions["chance"].Layers[0].Out
	widen("chance", func(l *neural.Layer) { l.Out = codes })
	follow := d.Functions["dynamics"]
	follow.From.Numbers += codes - before
	d.Functions["dynamics"] = follow
	widen("dynamics", func(l *neural.Layer) { l.In += codes - before })
	n, err := neural.New(neural.Header{Method: "muzero", Rules: rules.Solo, Size: size, Description: d}, searchtest.Weights(d, size, 1))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "wide.safetensors")
	if err := n.WriteFile(path, false); err != nil {
		t.Fatal(err)
	}
	return path
}

// A model with more chance codes than a search can have is refused with its spec.
func TestTooManyCodes(t *testing.T) {
	path := writeModel(t, 257)
	_, err := players.Parse("muzero:weights=" + path)
	if want := "weights=" + path + ": its network has 257 codes of chance: want at most 256"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// A learned model keeps an edge for each chance code at many of its states; the need of a search includes them.
func TestModelNeed(t *testing.T) {
	const codes, simulations = 256, 20_000
	size := rules.Size{Width: 2, Height: 2}
	spec := mustParse(t, fmt.Sprintf("muzero:simulations=%d,weights=%s", simulations, writeModel(t, codes)))
	player, p := spec.New(players.Game{}), rules.NewPosition(rules.Solo, size)
	p = p.Next(p.AppendMoves(nil)[0])
	heap := func() int64 {
		for range 2 { // the content of a pool survives one collection
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	least := heap()
	if _, err := player.Choose(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	took := heap() - least
	runtime.KeepAlive(player)
	if need := int64(spec.Need().Memory); took > need || took < simulations*codes {
		t.Errorf("a search keeps %d bytes, and says that it needs %d", took, need)
	}
}
