package web_test

import (
	"fmt"
	"regexp"
	"testing"

	"versus2048/players"
)

// The example of options of each bot on /play is one that it takes.
func TestExamplesOfOptions(t *testing.T) {
	_, text := open(t).get("/play")
	found := regexp.MustCompile(`<option value="(\w+)" data-example="(\w+=\w+)"`).FindAllStringSubmatch(text, -1)
	for _, bot := range found {
		if _, err := players.ParseClosed(bot[1] + ":" + bot[2]); err != nil {
			t.Error(err)
		}
	}
	if len(found) < 10 {
		t.Errorf("%d bots have an example:\n%s", len(found), text)
	}
}

// The field of a bot's options shows an option of the chosen bot. A connected bot has no options: its field is
// disabled.
func TestOptionsFollowTheBot(t *testing.T) {
	h := open(t)
	h.connect("snake", "greedy")
	b := browse(t, h.URL())
	b.visit("/play")
	b.await(`document.querySelector("#options").placeholder === "time=100"`)
	for bot, want := range map[string]string{"mcts": "playouts=10000 false", "greedy": "seed=0 false", "snake": " true"} {
		got := eval[string](b, fmt.Sprintf(`(() => {
			const bot = document.querySelector("#opponent"), options = document.querySelector("#options");
			bot.value = %q;
			bot.dispatchEvent(new Event("change", { bubbles: true }));
			return `+"`${options.placeholder} ${options.disabled}`"+`;
		})()`, bot))
		if got != want {
			t.Errorf("with %s the field has the placeholder and is disabled: %q, want %q", bot, got, want)
		}
	}
}
