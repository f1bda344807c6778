package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"versus2048/internal/study"
	"versus2048/internal/testkit"
	"versus2048/internal/web/templates"
	"versus2048/internal/web/welcome"
	"versus2048/lab/retrograde"
	"versus2048/players/ntuple"
	"versus2048/rules"
	"versus2048/rules/record"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// site is the site without an arena, written once for all tests.
var site struct {
	once   sync.Once
	folder string
	err    error
}

// written returns the folder of the site. To write it takes seconds, so that all tests of it are long.
func written(t testing.TB) string {
	t.Helper()
	testkit.Long(t)
	site.once.Do(func() {
		if site.folder, site.err = os.MkdirTemp("", "site-"); site.err != nil {
			return
		}
		out, err := exec.Command("go", "run", "../../deploy/release", "site", "--out", site.folder).CombinedOutput()
		if err != nil {
			site.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if site.err != nil {
		t.Fatal(site.err)
	}
	return site.folder
}

// offline serves the site without an arena below a folder, by a server of files, and opens a tab for it.
func offline(t testing.TB) (*tab, *httptest.Server) {
	t.Helper()
	b := browse(t, "")
	folder := written(t)
	files := http.StripPrefix("/some/folder", http.FileServer(http.Dir(folder)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/some/folder/") {
			t.Errorf("a request for %s", r.URL)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b.home = server.URL + "/some/folder"
	return b, server
}

// The site has at most 12 MB in all, and the pages lead only to files of it.
func TestSiteIsComplete(t *testing.T) {
	b, _ := offline(t)
	folder := written(t)
	bytes, pages := int64(0), []string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		if name, _ := filepath.Rel(folder, path); filepath.Ext(name) == ".html" {
			pages = append(pages, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d pages", bytes, len(pages))
	if bytes > 12_000_000 || len(pages) < 50 {
		t.Errorf("%d bytes, %d pages", bytes, len(pages))
	}
	b.visit("/")
	missing := eval[[]string](b, fmt.Sprintf(`(async () => {
		const seen = new Set(), missing = [];
		for (const page of %q.split(" ")) {
			const base = new URL(page, location.href), html = await (await fetch(base)).text();
			for (const element of new DOMParser().parseFromString(html, "text/html").querySelectorAll("[href], [src], [action]")) {
				if (element.closest("[hidden]")) continue;
				const url = new URL(element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action"), base);
				url.hash = url.search = "";
				if (seen.has(url.href) || url.origin !== location.origin) continue;
				seen.add(url.href);
				if (!(await fetch(url)).ok) missing.push(page + " leads to " + url);
			}
		}
		return missing;
	})()`, strings.Join(pages, " ")))
	for _, m := range missing {
		t.Error(m)
	}
}

// Agents find the Markdown of all documents by llms.txt.
func TestSiteIsForAgents(t *testing.T) {
	folder := written(t)
	list, err := os.ReadFile(filepath.Join(folder, "llms.txt"))
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(\./(docs/[^)]+\.md)\): `).FindAllStringSubmatch(string(list), -1)
	for _, link := range links {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(link[1])))
		if err != nil || !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s: %.40q (%v)", link[1], text, err)
		}
	}
	if n := strings.Count(string(list), "\n- "); len(links) != n || n < 20 {
		t.Errorf("%d links to documents in %d lines", len(links), n)
	}
}

// The pages of the site pass axe-core.
func TestSiteIsAccessible(t *testing.T) {
	b, _ := offline(t)
	b.mustBeAccessible([]string{
		"/index.html", "/play.html", "/rules.html", "/puzzles.html", "/replay.html", "/analysis.html", "/docs.html", "/docs/RECORDS.html",
	}, axe(t))
}

// The first page shows a game that moves.
func TestSiteShowsBoard(t *testing.T) {
	b, _ := offline(t)
	b.visit("/")
	first := eval[int](b, tvPly)
	b.await(fmt.Sprintf(tvPly+` > %d`, first+2))
}

// The first page shows its board soon, on a line of 10 Mbit/s with answers after 40 ms: a browser waits for the page
// and for the files that block its first picture, which come within 200 ms. BenchmarkPages measures the picture itself.
func TestSiteFirstBoard(t *testing.T) {
	b, _ := offline(t)
	b.visit("/")
	const answer, line, most = 0.04, 10e6 / 8, 0.2 // seconds, bytes a second, seconds
	bytes := eval[float64](b, `[
		...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource").filter((e) => e.renderBlockingStatus === "blocking"),
	].reduce((sum, e) => sum + e.encodedBodySize, 0)`)
	if seconds := 3*answer + bytes/line; bytes == 0 || seconds > most { // answers: the connection, the page, its files
		t.Errorf("%.0f bytes block the first picture for %.3f s, want at most %v", bytes, seconds, most)
	}
}

// A table that a visitor opens gives exact values on later pages, too.
func TestSiteOpensTable(t *testing.T) {
	b, _ := offline(t)
	const size = "2x4"
	board, err := rules.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2015, board, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "gpcc2015.table")
	if err := solution.WriteFile(file, false); err != nil {
		t.Fatal(err)
	}
	const page = "/analysis.html?position=2,0/0,0/0,0/0,2+D&rules=gpcc2015"
	b.visit(page)
	b.await(`document.querySelector("[data-exact]").textContent.includes("lab solve --rules gpcc2015 --size 2x4")`)
	b.run(chromedp.SetUploadFiles(chromedp.CSS("[data-exact] [data-open]"), []string{file}))
	b.await(exactly)
	b.visit("/")
	b.visit(page)
	b.await(exactly)
}

// exactly is whether the page of a position shows exact values.
const exactly = `document.querySelector("[data-exact] strong")?.textContent`

// perfectly returns the final score of a position under perfect play, as pages show it.
func perfectly(t testing.TB, p rules.Position) string {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), p.Rules(), p.Size(), nil)
	if err != nil {
		t.Fatal(err)
	}
	value, err := solution.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	score := float64(p.Score()) + value.Gain
	if p.Rules().Chance() {
		return templates.Number(fmt.Sprintf("%.2f", score))
	}
	return templates.Number(score)
}

// used uses everything on the site, also for a test that has closed the server.
func (b *tab) used() {
	b.t.Helper()
	for _, text := range []string{"2,2/0,0 D", "2,2/0,0/0,0 D", "2,0,2/0,0,0 D"} {
		for _, r := range rules.Rulesets() {
			p, err := rules.ParsePosition(r, text)
			if err != nil {
				b.t.Fatal(err)
			}
			b.visit(fmt.Sprintf("/analysis.html?position=%s&rules=%v", strings.Replace(text, " ", "+", 1), r))
			b.await(exactly)
			if got, want := b.text("[data-exact] strong"), perfectly(b.t, p); got != want {
				b.t.Errorf("%s under %v: %q, want %q", text, r, got, want)
			}
		}
	}
	b.await(`document.querySelector("[data-study]").ready`)
	b.run(chromedp.Click(chromedp.CSS(`#slides [data-play="W"]`)))
	b.await(`document.querySelector("[data-study]").dataset.position.startsWith("4,0,0/")`)
	if at := eval[string](b, `location.href`); !strings.HasPrefix(at, b.home+"/analysis.html?at=1&line=W&position=") {
		b.t.Errorf("the address is %s", at)
	}
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelector("[data-report] [data-variation]")`)
	b.played("beginner")
	b.visit("/puzzles.html?number=7")
	b.await(`document.querySelector("[data-puzzle='7']")?.ready`)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("#slides [data-play]").click()`))
	b.await(`/^(Right|Wrong)/.test(document.querySelector("[data-verdict]").textContent)`)
	b.press("n")
	b.await(`location.search.includes("number=8") && document.querySelector("[data-puzzle='8']")?.ready`)
	b.visit("/puzzles.html")
	b.await(`document.querySelector("[data-day]")?.ready`)
	b.visit("/docs/RECORDS.html")
	if title := b.text("h1"); !strings.Contains(title, "record") {
		b.t.Errorf("the document is %q", title)
	}
}

// played plays a game against a level to its end, and looks at it.
func (b *tab) played(level string) {
	b.t.Helper()
	b.visit("/play.html")
	b.await(`document.querySelector("[data-level]")?.onclick`)
	eval[bool](b, fmt.Sprintf(`(() => {
		const form = document.querySelector("[data-form]");
		form.elements.size.value = "2x2";
		form.dispatchEvent(new Event("change"));
		document.querySelector("[data-level=%s]").click();
		return true;
	})()`, level))
	b.finish()
	text := eval[string](b, game+`.after.record`)
	if r, err := record.Parse(text); err != nil || r.Attacker != level || r.Ending != record.Mate {
		b.t.Errorf("against %s: error %v in\n%s", level, err, text)
	}
	b.await(`document.querySelector("[data-analysis]").href.includes("/analysis.html?position=")`)
}

// A game against each level is played on the site, also by a link of the first page.
func TestSitePlays(t *testing.T) {
	b, _ := offline(t)
	for _, level := range welcome.Levels() {
		b.played(level.Name)
		b.visit("/play.html?level=" + level.Name)
		b.await(myTurn)
	}
}

// The champion's opinion of a 4x4 position brings the bar, as the page of an arena has it.
func TestSiteAdvantage(t *testing.T) {
	b, _ := offline(t)
	for r, text := range map[rules.Ruleset]string{
		rules.GPCC2015: "16,64,128,256/4,8,16,32/2,4,2,8/0,0,2,0 D", rules.GPCC2016: "16,64,128,256/4,8,16,32/2,4,2,8/0,0,2,0 A",
		rules.Solo: "16,64,128,256/4,8,16,32/2,4,2,8/0,0,2,0 D",
	} {
		p, err := rules.ParsePosition(r, text)
		if err != nil {
			t.Fatal(err)
		}
		b.visit(fmt.Sprintf("/analysis.html?position=%s&rules=%v", strings.Replace(text, " ", "+", 1), r))
		b.await(`document.querySelector("[data-study]")?.ready`)
		if got := b.bar(); !got.Hidden {
			t.Errorf("%v: the bar is %+v before the champion is asked", r, got)
		}
		b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
		b.await(`!document.querySelector("[data-advantage]").hidden`)
		b.wantBar(text, study.ByNetwork(siteNetwork(r), p))
	}
}

// siteNetwork is the network of the site for some rules: the one for solo is coarse.
func siteNetwork(r rules.Ruleset) *ntuple.Network {
	if r == rules.Solo {
		return ntuple.Own(r).Coarse(256)
	}
	return ntuple.Own(r)
}

// Games on the site have the bar, under solo, too: the network comes while they are played.
func TestSiteAdvantageInPlay(t *testing.T) {
	b, _ := offline(t)
	for _, r := range rules.Rulesets() {
		b.hasBar(fmt.Sprintf("/play.html?level=beginner&rules=%v", r), siteNetwork(r))
	}
}

// Moves on the board of a position make a tree of variations, which the address keeps.
func TestSiteVariations(t *testing.T) {
	b, _ := offline(t)
	b.visit("/analysis.html?position=0,0,0/0,0,0+A&rules=gpcc2015")
	b.await(`document.querySelector("[data-study]")?.ready`)
	for i, move := range []string{"(1,1)", "E"} {
		b.run(chromedp.Click(chromedp.CSS(fmt.Sprintf(`#slides [data-play=%q]`, move))))
		b.await(fmt.Sprintf(`document.querySelector("[data-study]").dataset.at === "%d"`, i+1))
	}
	b.press(kb.ArrowLeft)
	b.await(`document.querySelector("[data-study]").dataset.at === "1"`)
	b.run(chromedp.Click(chromedp.CSS(`#slides [data-play="S"]`)))
	b.await(`new URLSearchParams(location.search).get("line") === "(1,1) E [S]" && location.pathname.endsWith("/analysis.html")`)
	b.run(chromedp.Reload())
	b.await(`document.querySelector("[data-study]")?.ready && document.querySelector("[data-line] .branch [aria-current]")?.textContent === "S"`)
	b.await(`!document.querySelector("[data-advantage]").hidden && document.querySelector("[data-advantage].exact")`)
}

// Visitors analyse positions with exact values, play, solve puzzles and read documents.
func TestSiteAnswers(t *testing.T) {
	b, _ := offline(t)
	b.used()
}

// Once the site was visited, everything works without its server.
func TestSiteWithoutServer(t *testing.T) {
	b, server := offline(t)
	b.visit("/rules.html")
	eval[bool](b, `navigator.serviceWorker.ready.then(() => true)`)
	server.Close()
	b.visit("/")
	b.await(tvPly + ` > 0`)
	b.used()
	b.replayed()
}

// replayed drops a record onto the first page, and replays it.
func (b *tab) replayed() {
	b.t.Helper()
	b.visit("/")
	b.await(`globalThis.site`)
	b.run(chromedp.Evaluate[chromedp.Void](`(() => {
		const text = '[Attacker "ann"]\n[Defender "bob"]\n[Rules "gpcc2015"]\n[Size "2x2"]\n[Ending "unfinished"]\n\n1. (1,1) E 2. (1,1) E 3. (1,2) N\n';
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File([text], "game.txt"));
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
	})()`))
	b.await(`location.pathname.endsWith("/replay.html") && document.querySelector(".game")?.replay !== undefined`)
	b.press(kb.End)
	b.await(`document.querySelector("[data-ply-text]").textContent === "6"`)
	if got := b.tiles(); !reflect.DeepEqual(got, [][]int{{2, 4}, {0, 0}}) {
		b.t.Errorf("the last position is %v", got)
	}
	b.await(`document.querySelectorAll("[data-exact-moves] tr").length > 0 && document.querySelector(".curves polyline") !== null`)
}

// A record that is dropped onto the site is replayed.
func TestSiteReplays(t *testing.T) {
	b, _ := offline(t)
	b.replayed()
}
