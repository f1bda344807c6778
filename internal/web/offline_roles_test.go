package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/internal/web/welcome"
	"versus2048/rules"
)

// A visitor of the site without an arena plays against each level in both roles under all rules, and gets a hint.
func TestSiteRoles(t *testing.T) {
	b, _ := offline(t)
	for _, level := range welcome.Levels() {
		for _, r := range rules.Rulesets() {
			for _, role := range []rules.Side{rules.Defender, rules.Attacker} {
				if role == rules.Attacker && r.Chance() {
					continue
				}
				b.visit(fmt.Sprintf("/play.html?level=%s&role=%v&rules=%v", level.Name, role, r))
				b.await(`document.querySelector("[data-play]").game?.turn`)
				before := eval[int](b, tvPly)
				b.run(chromedp.Click(chromedp.CSS(`[data-do=hint]`)))
				b.await(`!document.querySelector("[data-hint]").hidden`)
				if !eval[bool](b, `["W", "N", "(1,1)", "E", "S", "(2,2)"].some((move) => {
					const { game } = document.querySelector("[data-play]");
					game.move(move);
					return !game.turn;
				})`) {
					t.Errorf("%s, %v, %v: no move is taken", level.Name, role, r)
				}
				b.await(fmt.Sprintf(tvPly+` >= %d`, before+2))
			}
		}
	}
}
