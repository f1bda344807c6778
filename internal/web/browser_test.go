package web_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"versus2048/internal/schema"
	"versus2048/internal/testkit"
)

// TestMain closes the browser after all tests, and removes the site that they have written. A benchmark starts this
// program again for a task.
func TestMain(m *testing.M) {
	if task := os.Getenv(taskKey); task != "" {
		if err := tasks[task](os.Getenv(arenaKey)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	schema.CheckBodies()
	status := m.Run()
	if browser.close != nil {
		browser.close()
	}
	_ = os.RemoveAll(site.folder)
	os.Exit(status)
}

// browser is one Chromium for all tests, started by the first one.
var browser struct {
	once  sync.Once
	ctx   context.Context
	close func()
	err   error
}

// chromium returns the path of a Chromium, or "" if there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is one tab of the browser. It fails its test if a page reports an error, breaks its policy about the resources it
// loads, or sends a request to another server than the arena.
type tab struct {
	t    testing.TB
	ctx  context.Context
	home string // the arena's address

	mu       sync.Mutex
	problems []string
	foreign  bool // a page of another site is shown, which may ask for anything
}

// browse opens a tab for the pages of an arena. It skips the test where there is no Chromium, and all tests
// in a browser are long.
func browse(t testing.TB, home string) *tab {
	t.Helper()
	testkit.Long(t)
	path := chromium()
	if path == "" {
		t.Skip("there is no chromium on this machine; .ci/run installs it")
	}
	browser.once.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience))
		allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
		var closeBrowser func()
		browser.ctx, closeBrowser = chromedp.NewContext(allocator)
		browser.close = func() { closeBrowser(); end() }
		browser.err = chromedp.Do(browser.ctx)
	})
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	ctx, end := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx, home: home}
	t.Cleanup(func() {
		end()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, problem := range b.problems {
			t.Error(problem)
		}
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	return b
}

// listen notes errors on a page.
func (b *tab) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		d, what := e.ExceptionDetails, ""
		if d.Exception != nil {
			what = d.Exception.Description
		}
		b.note("script: %s %s at %s:%d:%d", d.Text, what, d.URL, d.LineNumber, d.ColumnNumber)
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" && !b.expected(e.Entry.URL, e.Entry.Text) {
			b.note("%s: %s", e.Entry.Text, e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening: // a game is left
		go func() {
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}()
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.home+"/") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") && u != "about:blank" {
			b.note("a request to %s", u)
		}
	}
}

// expected reports whether the browser's message is about an answer that a test asks for: an error
// page, or an arena that is away; or about a game that is left before any press, without a question.
func (b *tab) expected(_, text string) bool {
	return strings.Contains(text, "the server responded with a status of 4") || strings.Contains(text, "net::ERR_") || strings.Contains(text, "beforeunload")
}

func (b *tab) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.foreign {
		return
	}
	b.problems = append(b.problems, fmt.Sprintf(format, args...))
}

// patience is how long an action on a page may take on a busy machine. Tests see its result at once: only a test that
// fails waits for this long.
const patience = 3 * time.Minute

// run does something in the tab.
func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	for _, action := range actions {
		err := chromedp.Do(ctx, action)
		for replaced(err) {
			err = chromedp.Do(ctx, action)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// replaced reports whether an action failed because the page, while it loads or renews itself, replaced
// the node between its search and its use. Nothing was done yet. Chromium has several words for this:
// "No node with given id found", "Could not find node with given id".
func replaced(err error) bool {
	return err != nil && strings.Contains(err.Error(), "node with given id")
}

// value does something in the tab that has a value.
func value[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// eval returns the value of a JavaScript expression, awaited if it is a promise.
func eval[T any](b *tab, script string) T {
	b.t.Helper()
	return value(b, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

// visit opens a page of the arena.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.home + path))
}

// press presses keys, such as kb.ArrowRight.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.run(chromedp.KeyEvent(keys))
}

// text returns the text of the first element that a selector finds, once there is one.
func (b *tab) text(selector string) string {
	b.t.Helper()
	found := poll[struct{ Text string }](b, fmt.Sprintf(`{Text: document.querySelector(%q).textContent}`, selector))
	return strings.TrimSpace(found.Text)
}

// await waits until a condition in JavaScript is true.
func (b *tab) await(condition string) {
	b.t.Helper()
	poll[chromedp.Void](b, condition)
}

// poll returns the value of a JavaScript expression once it is truthy. An expression that asks for an element which
// is not there is false: between two pages there is one without the element.
func poll[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	predicate := fmt.Sprintf(`(() => { try { return (%s) } catch (e) { if (e instanceof TypeError) return false; throw e } })()`, expression)
	for {
		v, err := chromedp.Run(ctx, chromedp.Poll[T](predicate, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience)))
		if err == nil {
			return v
		}
		if ctx.Err() != nil || !navigated(err) {
			b.t.Fatalf("waiting for %s: %v; the page says %q", expression, err, eval[string](b, `document.querySelector("main")?.innerText ?? ""`))
		}
	}
}

// navigated reports whether a script failed because its page is gone: another one is loaded.
func navigated(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "context") || strings.Contains(err.Error(), "navigated"))
}

// tiles returns the board that the page shows, by rows.
func (b *tab) tiles() [][]int {
	b.t.Helper()
	return eval[[][]int](b, `[...document.querySelectorAll("[data-board] [role=row]")].map((row) =>
		[...row.children].map((cell) => Number(cell.querySelector(".tile")?.textContent ?? 0)))`)
}
