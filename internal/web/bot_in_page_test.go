package web_test

import (
	"os"
	"testing"
)

// The bot of examples/javascript-page, pasted into the console of the page, plays a game in each role.
func TestBotInPage(t *testing.T) {
	source, err := os.ReadFile("../../examples/javascript-page/bot.js")
	if err != nil {
		t.Fatal(err)
	}
	h := open(t)
	b := browse(t, h.URL())
	for _, role := range []string{"defender", "attacker"} {
		b.ask(`{mode: "` + role + `", opponent: "random", size: "2x2", name: ""}`)
		b.await(myTurn)
		eval[bool](b, string(source)+"; true")
		b.await(gameEnd)
		if text := b.text("[data-say]"); text == "" || b.text("[data-last]") == "" {
			t.Errorf("as %s the game ended without a move: %q", role, text)
		}
		if !eval[bool](b, `document.querySelector("[data-say]").textContent.startsWith("No slide is left")`) {
			t.Errorf("as %s the page says %q", role, b.text("[data-say]"))
		}
	}
}
