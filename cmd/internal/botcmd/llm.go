package botcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/llm"
	"versus2048/internal/text/plain"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

func llmCommand() *cli.Command {
	return &cli.Command{
		Name:  "llm",
		Usage: "connect a language model to an arena, by any endpoint of OpenAI's chat completions",
		Description: "The model is asked for each move. An answer without a legal move is refused with the reason and counted; " +
			"after the last of --attempts, or when the clock of the game leaves no more time, --fallback moves, so that " +
			"a bad answer costs no game. A first small request checks endpoint, key and model before the bot connects. " +
			"The log counts answers, tokens and times of each game. docs/LLM.md has the commands for llama.cpp, Ollama and vLLM.",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.StringFlag{Name: "endpoint", Usage: "the base `URL`, such as http://localhost:8080/v1"},
				&cli.StringFlag{Name: "model", Usage: "the model, as the endpoint calls it"},
				&cli.StringFlag{Name: "key-env", Usage: "the environment `VARIABLE` with the key for the endpoint, such as OPENAI_API_KEY", DefaultText: "no key"},
				&cli.IntFlag{Name: "slots", Value: 1, Usage: "games to play at once"},
			},
			connectionFlags("the model and a number, such as qwen3-1"),
			cmdline.GroupFlags("answers", answerFlags()...),
			cmdline.GroupFlags("prompts",
				&cli.StringFlag{Name: "prompt", Usage: "a `FILE` with templates that replace usual ones"},
				&cli.StringFlag{Name: "print-prompt", Usage: "print the prompt for a `POSITION`, such as \"2,0/0,4 D\", and do nothing else"},
				&cli.StringFlag{Name: "rules", Value: rules.GPCC2015.String(), Usage: "the rules for --print-prompt: gpcc2015, gpcc2016 or solo"},
				&cli.BoolFlag{Name: "print-templates", Usage: "print the usual templates, as a beginning for a FILE, and do nothing else"},
			),
		),
		Action: cmdline.WithArguments(runModel),
	}
}

func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "attempts", Value: 3, Usage: "the most answers to ask for in one move; after them --fallback moves", Action: cmdline.AtLeast("attempts", 1)},
		&cli.DurationFlag{Name: "patience", Value: time.Minute, Usage: "the longest time for one move; the clock may leave less", Action: cmdline.AtLeast("patience", time.Millisecond)},
		&cli.StringFlag{Name: "fallback", Value: "greedy", Usage: "the `SPEC` of a quick bot that moves where the model has no legal move in time, such as random"},
		&cli.IntFlag{Name: "requests-per-minute", Usage: "ask at most this often", DefaultText: "no limit", Action: cmdline.AtLeast("requests-per-minute", 0)},
		&cli.StringFlag{
			Name: "response-format", Value: llm.Forms()[0], Usage: "the strictest form of answers to ask for: schema (JSON with a legal move, as a " +
				"JSON Schema says), json or text; an endpoint that refuses one gets the next",
		},
		&cli.BoolFlag{Name: "stream", Usage: "ask for answers in chunks"},
		&cli.StringSliceFlag{Name: "set", Usage: "a further field of each request, `NAME=VALUE`, such as temperature=0; repeat it for more"},
	}
}

func runModel(c *cli.Context) error {
	prompt, err := readPrompt(c.String("prompt"))
	if err != nil {
		return err
	}
	switch {
	case c.Bool("print-templates"):
		_, err := io.WriteString(c.App.Writer, llm.Usual)
		return err
	case c.IsSet("print-prompt"):
		return printPrompt(c, prompt)
	}
	who, client, err := newClient(c)
	if err != nil {
		return err
	}
	model, err := newModel(c, prompt, &client)
	if err != nil {
		return err
	}
	if err := model.Check(c.Context); err != nil {
		if c.Context.Err() != nil {
			return nil // interrupted
		}
		return explain(c, model.Endpoint, err)
	}
	defer func() {
		if t := model.Tally(); t.Moves > 0 {
			client.Log.Info("all games of the model", "model", c.String("model"), "count", t)
		}
	}()
	client.New = func(s protocol.Start) (players.Player, error) {
		return &modelPlayer{model.New(s.Game, s.Setup()), func(t llm.Tally) {
			client.Log.Info("a game of the model", "game", s.Game, "count", t)
		}}, nil
	}
	if client.Hello.Name == "" {
		err = who.runNumbered(c.Context, client, shortName(c.String("model")))
	} else {
		err = who.run(c.Context, client)
	}
	return ended(c.Context, err)
}

// newModel reads the flags of a model, and describes it in the hello of the client.
func newModel(c *cli.Context, prompt *llm.Prompt, client *protocol.Client) (*llm.Model, error) {
	fallback, err := players.Parse(c.String("fallback"))
	if err != nil {
		return nil, cmdline.Usagef("--fallback: %w", err)
	}
	config, err := endpointConfig(c)
	if err != nil {
		return nil, err
	}
	config.Log = client.Log
	endpoint, err := llm.NewEndpoint(config)
	if err != nil {
		return nil, cmdline.Usagef("--endpoint: %w", err)
	}
	warm(fallback)
	// A bot is rated by its version: another model, prompt or fallback under the same name is another bot.
	client.Hello.Version = fmt.Sprintf("%.90s, prompt %s, fallback %.80s", visible(config.Model), prompt.ID(), fallback)
	client.Hello.Spec, client.Hello.Plays = "llm", fallback.Variants()
	return &llm.Model{
		Endpoint: endpoint, Prompt: prompt, Fallback: fallback, Attempts: c.Int("attempts"), Patience: c.Duration("patience"), Log: client.Log,
	}, nil
}

// endpointConfig reads the flags of an endpoint.
func endpointConfig(c *cli.Context) (config llm.Config, err error) {
	for _, flag := range []string{"endpoint", "model"} {
		if c.String(flag) == "" {
			return config, cmdline.Usagef("--%s is missing: bot llm --endpoint URL --model NAME, such as --endpoint http://localhost:8080/v1", flag)
		}
	}
	form := slices.Index(llm.Forms(), c.String("response-format"))
	if form < 0 {
		return config, cmdline.Usagef("--response-format %.40q: want %s", c.String("response-format"), strings.Join(llm.Forms(), ", "))
	}
	config = llm.Config{
		URL: c.String("endpoint"), Model: c.String("model"), Form: llm.Form(form), Stream: c.Bool("stream"), PerMinute: c.Int("requests-per-minute"),
		Agent: "versus2048-bot/" + cmdline.Version(),
	}
	if config.Key, err = readKey(c.String("key-env")); err != nil {
		return config, err
	}
	config.Parameters, err = parameters(c.StringSlice("set"))
	return config, err
}

// readKey returns the key in an environment variable. Its errors never contain the variable's value.
func readKey(variable string) (string, error) {
	if variable == "" {
		return "", nil
	}
	key, set := os.LookupEnv(variable)
	key = strings.TrimSpace(key)
	switch {
	case !set: // perhaps the key itself
		return "", cmdline.Usagef("--key-env names no environment variable: want the name of one that has the key, not the key itself")
	case key == "":
		return "", cmdline.Usagef("--key-env %.40s: this environment variable is empty: it has to have the key for the endpoint", plain.Line(variable))
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", cmdline.Usagef("--key-env %.40s: the key in this environment variable has a space or another character that no key has", plain.Line(variable))
	}
	return key, nil
}

// parameters reads further fields of requests. A value that is no JSON is a text.
func parameters(settings []string) (map[string]any, error) {
	fields := map[string]any{}
	for _, setting := range settings {
		name, text, ok := strings.Cut(setting, "=")
		if !ok || name == "" {
			return nil, cmdline.Usagef("--set %q: want NAME=VALUE, such as temperature=0", setting)
		}
		if slices.Contains([]string{"model", "messages", "response_format", "stream", "stream_options"}, name) {
			return nil, cmdline.Usagef("--set %q: bot llm sets %s itself", setting, name)
		}
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			value = text
		}
		fields[name] = value
	}
	return fields, nil
}

// readPrompt reads a file with templates; "" stands for none.
func readPrompt(path string) (*llm.Prompt, error) {
	if path == "" {
		return llm.NewPrompt("")
	}
	text, err := disk.ReadText(path)
	if err != nil {
		return nil, cmdline.Usagef("--prompt: %w", err)
	}
	prompt, err := llm.NewPrompt(string(text))
	if err != nil {
		return nil, cmdline.Usagef("--prompt %s: %w", path, err)
	}
	return prompt, nil
}

// printPrompt prints the messages that ask for a move.
func printPrompt(c *cli.Context, prompt *llm.Prompt) error {
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return cmdline.Usagef("--rules: %w", err)
	}
	position, err := rules.ParsePosition(r, c.String("print-prompt"))
	if err != nil {
		return cmdline.Usagef("--print-prompt: %w", err)
	}
	if position.Over() {
		return cmdline.Usagef("--print-prompt: the game is over in this position: nobody is asked")
	}
	if r.Chance() && position.SideToMove() == rules.Attacker {
		return cmdline.Usagef("--print-prompt: under these rules chance attacks: give a position with the defender to move, such as \"2,0/0,4 D\"")
	}
	messages, err := prompt.Messages(llm.NewTurn(position, c.Duration("patience")))
	if err != nil {
		return err
	}
	for _, m := range messages {
		if _, err := fmt.Fprintf(c.App.Writer, "--- %s\n%s\n", m.Role, m.Content); err != nil {
			return err
		}
	}
	return nil
}

// shortName returns the beginning of a name for a model: without the owner before a slash, 50 characters at most.
func shortName(model string) string {
	runes := []rune(strings.TrimSpace(visible(model[strings.LastIndex(model, "/")+1:])))
	return strings.TrimSpace(string(runes[:min(50, len(runes))]))
}

// visible returns a text without the characters that the name of a bot cannot have.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if !plain.Visible(r) {
			return -1
		}
		return r
	}, text)
}

// explain returns one sentence about an endpoint that cannot be asked, with a remedy.
func explain(c *cli.Context, e *llm.Endpoint, err error) error {
	remedy := "is a server running there?"
	var refused *llm.StatusError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		remedy = "does it hang, or load its model? --patience 5m waits longer"
	case errors.Is(err, llm.ErrNoChat):
		remedy = "want the base address of a server like OpenAI's, such as http://localhost:8080/v1"
	case !errors.As(err, &refused):
	case refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden:
		remedy = "name the environment variable with its key: --key-env OPENAI_API_KEY"
		if variable := c.String("key-env"); variable != "" {
			remedy = "is the key in " + variable + " right?"
		}
	case refused.Status == http.StatusNotFound || refused.Status == http.StatusMethodNotAllowed:
		remedy = fmt.Sprintf("does it have the model %q? the address usually ends in /v1", c.String("model"))
	default:
		remedy = fmt.Sprintf("it was asked for the model %q", c.String("model"))
	}
	return fmt.Errorf("the endpoint %s: %w (%s)", plain.Line(e.String()), err, remedy)
}

// modelPlayer is a model in a game. Its count is reported when the game ends.
type modelPlayer struct {
	*llm.Player
	report func(llm.Tally)
}

// Ended implements protocol.Ender.
func (p *modelPlayer) Ended(*protocol.Over) { p.report(p.Tally()) }
