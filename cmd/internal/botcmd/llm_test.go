package botcmd_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/internal/web/archive"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/standing"
)

// key is the key for the endpoints of these tests.
const key = "sk-very-secret-key-of-the-parrot"

// stub is an endpoint with the model "parrot". It wants the key, and answers with the text that choose returns for the
// legal moves.
func stub(t *testing.T, choose func(legal []string) string) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		var asked struct {
			Model  string
			Format struct {
				JSON struct {
					Schema struct {
						Properties struct{ Move struct{ Enum []string } }
					}
				} `json:"json_schema"`
			} `json:"response_format"`
		}
		status, answer := http.StatusOK, ""
		switch err := json.NewDecoder(r.Body).Decode(&asked); {
		case r.URL.Path != "/v1/chat/completions":
			status, answer = http.StatusNotFound, "no such page"
		case r.Header.Get("Authorization") != "Bearer "+key:
			status, answer = http.StatusUnauthorized, "wrong key: "+r.Header.Get("Authorization")
		case err != nil || asked.Model != "birds/parrot":
			status, answer = http.StatusNotFound, "no such model"
		default:
			answer = choose(asked.Format.JSON.Schema.Properties.Move.Enum)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if status == http.StatusOK {
			fmt.Fprintf(w, `{"choices": [{"message": {"content": %q}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 100, "completion_tokens": 7}}`, answer)
		} else {
			fmt.Fprintf(w, `{"error": {"message": %q}}`, answer)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", requests
}

// program is a command of bot that runs in the test's process.
type program struct {
	out, log testkit.Transcript
	stop     func() int // interrupts the command and returns its exit code
}

// begin runs a command of bot until it is stopped.
func begin(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{}
	app := botapp.App()
	app.Writer, app.ErrWriter = &p.out, &p.log
	ctx, cancel := context.WithCancel(context.Background())
	exit := make(chan int, 1)
	go func() { exit <- cmdline.Run(ctx, app, append([]string{"bot"}, args...), &p.log) }()
	p.stop = func() int { cancel(); code := <-exit; exit <- code; return code }
	t.Cleanup(func() {
		p.stop()
		if t.Failed() {
			t.Logf("%v printed:\n%s%s", args, p.out.String(), p.log.String())
		}
	})
	return p
}

// keepsNothing gives the test folders of its own for the bot's secrets.
func keepsNothing(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("PARROT_KEY", key)
}

// A model plays a whole rated match on an arena, well or with nothing but illegal answers.
func TestModelPlays(t *testing.T) {
	for name, c := range map[string]struct {
		choose   func(legal []string) string
		fallback bool // it makes all moves
	}{
		"well":      {func(legal []string) string { return fmt.Sprintf(`{"move": %q}`, legal[0]) }, false},
		"illegally": {func([]string) string { return `{"move": "(4,4)"}` }, true},
	} {
		t.Run(name, func(t *testing.T) {
			keepsNothing(t)
			path := filepath.Join(t.TempDir(), "arena.db")
			store, err := results.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			door := testkit.NewArena(t)
			arena := server.New(server.Config{Store: store, Tokens: store.Tokens(), Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.New(slog.DiscardHandler)})
			door.Serve(t, func(ctx context.Context, l net.Listener) error { return arena.Serve(ctx, l) })

			endpoint, requests := stub(t, c.choose)
			bot := begin(t, "llm", "--endpoint", endpoint, "--model", "birds/parrot", "--key-env", "PARROT_KEY", "--attempts", "2", "--url", door.BotURL())
			testkit.Await(t, "the bot", func() bool { return len(arena.Bots()) == 1 })
			if b := arena.Bots()[0]; b.Name != "parrot-1" || !strings.HasPrefix(b.Version, "birds/parrot, prompt ") || b.Spec != "llm" {
				t.Errorf("the bot says that it is %+v", b)
			}
			event, err := arena.Start(t.Context(), tournament.Event{
				Name: "test", Rules: rules.GPCC2016, Size: rules.Size{Width: 2, Height: 2}, Seed: 7, Matches: 1,
				Bots: []string{"parrot-1", "random"}, Concurrency: 1, InProcess: true, Search: true, Clock: tournament.Clock{PerMove: time.Minute},
			})
			if err == nil {
				err = arena.Follow(t.Context(), event, 0, func(server.Progress) error { return nil })
			}
			if err != nil {
				t.Fatal(err)
			}
			testkit.Await(t, "the end of the second game", func() bool { return strings.Count(bot.log.String(), "a game of the model") == 2 })
			if code := bot.stop(); code != cmdline.Done {
				t.Errorf("the bot exits with %d", code)
			}
			asked := checkGames(t, store, c.fallback)
			answers := int(requests.Load()) - 1 // without the check
			if want := map[bool]int{false: asked, true: 2 * asked}[c.fallback]; answers != want {
				t.Errorf("%d answers for %d moves", answers, asked)
			}
			illegal, fallback := 0, 0
			if c.fallback {
				illegal, fallback = answers, asked
			}
			want := fmt.Sprintf("count.moves=%d count.by_fallback=%d count.answers=%d count.illegal=%d count.unreadable=0 count.tokens_read=%d count.tokens_written=%d",
				asked, fallback, answers, illegal, 100*answers, 7*answers)
			if !strings.Contains(bot.log.String(), want) {
				t.Errorf("the log does not have %q", want)
			}
			checkRated(t, store)
			door.Stop()
			if err := store.Close(); err != nil {
				t.Error(err)
			}
			checkSecret(t, bot, filepath.Dir(path))
		})
	}
}

// checkGames checks that both games of the match ended by mate, and have reports on the moves of the model. It returns
// the number of moves that the model was asked for.
func checkGames(t *testing.T, store *results.Store, fallback bool) (asked int) {
	t.Helper()
	games := 0
	err := store.Games(t.Context(), results.Filter{Finished: true}, func(g results.Stored) error {
		games++
		whole, err := store.Game(t.Context(), g.ID)
		if err != nil {
			return err
		}
		r := whole.Record
		if r.Ending != record.Mate {
			t.Errorf("game %d ended by %v: %s", g.ID, r.Ending, r.Detail)
		}
		p := r.Start
		for i, m := range r.Moves {
			mine := (r.Attacker == "parrot-1") == (p.SideToMove() == rules.Attacker)
			chosen := mine && len(p.AppendMoves(nil)) > 1
			if chosen {
				asked++
			}
			report := (*record.SearchReport)(nil)
			if r.Searches != nil {
				report = r.Searches[i]
			}
			if (report != nil) != chosen || chosen && !reportsAnswers(report, m, fallback) {
				t.Errorf("game %d, ply %d: the report is %+v", g.ID, i, report)
			}
			p = p.Next(m)
		}
		return nil
	})
	if err != nil || games != 2 || asked == 0 {
		t.Errorf("%d games, %d moves of the model: %v", games, asked, err)
	}
	return asked
}

// reportsAnswers reports whether a report has the answers of the stub: one with the move, or two that were refused.
func reportsAnswers(r *record.SearchReport, m rules.Move, fallback bool) bool {
	answers, variation := int64(1), []rules.Move{m}
	if fallback {
		answers, variation = 2, nil
	}
	return r.Time > 0 && slices.Equal(r.Variation, variation) && r.TokensRead == 100*answers && r.TokensWritten == 7*answers
}

// checkRated checks that the model has a place in a standing list.
func checkRated(t *testing.T, store *results.Store) {
	t.Helper()
	collected, err := archive.CollectLists(t.Context(), store.Reader)
	if err != nil {
		t.Fatal(err)
	}
	list, err := collected.List(collected.Summaries()[0].Conditions, standing.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range list.Groups {
		for _, row := range group.Rows {
			if row.Bot.Name == "parrot-1" && row.Total.Won+row.Total.Drawn+row.Total.Lost == 1 {
				return
			}
		}
	}
	t.Errorf("the model is not in the list %+v", list)
}

// checkSecret checks that the key is neither in the outputs of a bot nor in the files of an arena and of the user.
func checkSecret(t *testing.T, bot *program, folder string) {
	t.Helper()
	if strings.Contains(bot.out.String()+bot.log.String(), "key-of-the-parrot") {
		t.Error("the key is in the output")
	}
	files := 0
	for _, folder := range []string{folder, os.Getenv("XDG_CACHE_HOME"), os.Getenv("XDG_CONFIG_HOME")} {
		err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() {
				return err
			}
			files++
			content, err := os.ReadFile(path)
			if bytes.Contains(content, []byte("key-of-the-parrot")) {
				t.Errorf("the key is in %s", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files == 0 {
		t.Error("there are no files to look at")
	}
}

// A fault of an endpoint, or of the flags, is told in one sentence before the bot connects.
func TestModelRefused(t *testing.T) {
	keepsNothing(t)
	t.Setenv("WRONG_KEY", "sk-wrong-key-of-the-parrot")
	t.Setenv("EMPTY_KEY", "")
	t.Setenv("TWO_KEYS", key+" "+key)
	t.Setenv("VERSUS2048_TOKEN", "")
	endpoint, _ := stub(t, func([]string) string { return "" })
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello") }))
	t.Cleanup(page.Close)
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server notices that the client has left
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	nobody := httptest.NewServer(http.NotFoundHandler())
	nobody.Close()
	file := filepath.Join(t.TempDir(), "prompt")
	if err := os.WriteFile(file, []byte("Your move?"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code               int
		endpoint, variable string
		flags              string
		want               string
	}{
		{1, endpoint, "WRONG_KEY", "", "status 401 Unauthorized: wrong key: Bearer [key] (is the key in WRONG_KEY right?)"},
		{1, endpoint, "", "", "(name the environment variable with its key: --key-env OPENAI_API_KEY)"},
		{1, endpoint, "PARROT_KEY", "--model owl", `status 404 Not Found: no such model (does it have the model "owl"?`},
		{1, strings.TrimSuffix(endpoint, "/v1"), "PARROT_KEY", "", "the address usually ends in /v1"},
		{1, nobody.URL, "", "", "connection refused (is a server running there?)"},
		{1, page.URL, "", "", "its answer is no chat completion (want the base address"},
		{1, silent.URL, "", "--patience 50ms", "no answer within 50ms: context deadline exceeded (does it hang"},
		{2, "", "", "", "--endpoint is missing"},
		{2, endpoint, "", "--model=", "--model is missing"},
		{2, "localhost:8080", "", "", "--endpoint: address"},
		{2, endpoint, "EMPTY_KEY", "", "--key-env EMPTY_KEY: this environment variable is empty"},
		{2, endpoint, "KEYOFTHEPARROT1", "", "not the key itself"},
		{2, endpoint, "sk-key-of-the-parrot", "", "not the key itself"},
		{2, endpoint, "hf_KeyOfTheParrot", "", "not the key itself"},
		{2, endpoint, "TWO_KEYS", "", "has a space"},
		{2, endpoint, "", "--fallback nonsense", "--fallback: "},
		{2, endpoint, "", "--response-format xml", "want schema, json, text"},
		{2, endpoint, "", "--set temperature", "want NAME=VALUE"},
		{2, endpoint, "", "--set stream=true", "bot llm sets stream itself"},
		{2, endpoint, "", "--attempts 0", "--attempts"},
		{2, endpoint, "", "--prompt " + file, "defines no template"},
		{2, endpoint, "", "--prompt " + file + "s", "no such file"},
		{2, endpoint, "", "--url http://127.0.0.1:1", "want ws://"},
	} {
		p := &program{}
		app := botapp.App()
		app.Writer, app.ErrWriter = &p.out, &p.log
		args := append([]string{"bot", "llm", "--endpoint=" + c.endpoint, "--key-env=" + c.variable, "--url", "ws://127.0.0.1:1/bot"}, strings.Fields(cmp.Or(c.flags, "--quiet"))...)
		if !strings.Contains(c.flags, "--model") {
			args = append(args, "--model", "birds/parrot")
		}
		code := cmdline.Run(t.Context(), app, args, &p.log)
		text := p.log.String()
		sentence, _, _ := strings.Cut(text, "\nSee: bot llm --help")
		if code != c.code || !strings.Contains(text, c.want) || strings.Count(strings.TrimSpace(sentence), "\n") != 0 || p.out.String() != "" {
			t.Errorf("%v exits with %d, want %d and %q: %s", args, code, c.code, c.want, text)
		}
		if strings.Contains(text, "key-of-the-parrot") {
			t.Errorf("%v: the key is in %s", args, text)
		}
	}
}

// Prompts are printed without an endpoint.
func TestPrintedPrompts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "prompt")
	if err := os.WriteFile(file, []byte(`{{define "position"}}{{.Role}}, ply {{.Ply}}{{end}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"--print-templates":                                `{{define "refusal" -}}`,
		"--print-prompt\t2,0/0,4 A\t--rules\tgpcc2016":     "Your legal moves: (2,1) (2,1,4) (1,2) (1,2,4)\n",
		"--print-prompt\t2,0/0,4 D 4 5\t--prompt\t" + file: "--- user\ndefender, ply 5\n",
	} {
		p := &program{}
		app := botapp.App()
		app.Writer, app.ErrWriter = &p.out, &p.log
		if code := cmdline.Run(t.Context(), app, append([]string{"bot", "llm"}, strings.Split(line, "\t")...), &p.log); code != 0 || !strings.Contains(p.out.String(), want) {
			t.Errorf("%s exits with %d, want %q: %s%s", line, code, want, p.out.String(), p.log.String())
		}
	}
}

// Positions where no model is asked have no prompt.
func TestPositionsWithoutPrompt(t *testing.T) {
	for position, want := range map[string]string{
		"2,4/4,2 D": "--print-prompt: the game is over in this position",
		"2,0/0,0 A": "--print-prompt: under these rules chance attacks",
	} {
		p := &program{}
		app := botapp.App()
		app.Writer, app.ErrWriter = &p.out, &p.log
		code := cmdline.Run(t.Context(), app, []string{"bot", "llm", "--rules", "solo", "--print-prompt", position}, &p.log)
		if code != 2 || p.out.String() != "" || !strings.Contains(p.log.String(), want) {
			t.Errorf("%s: exit code %d, %s%s, want %s", position, code, p.out.String(), p.log.String(), want)
		}
	}
}
