package llm_test

import (
	"errors"
	"strings"
	"testing"

	"versus2048/internal/llm"
	"versus2048/rules"
)

func TestReadMove(t *testing.T) {
	const slides, places, fours = "0,0/0,2 D", "2,0/0,4 A", "2,0/0,4 A 0 3"
	for _, c := range []struct{ position, answer, want string }{
		{slides, `{"move": "N"}`, "N"},
		{slides, `{"move": "north"}`, "N"},
		{slides, "{\"move\":\"Left\"}", "W"},
		{slides, `{"Move": " w "}`, "W"},
		{slides, "```json\n{\"reason\": \"the corner {\", \"move\": \"W\"}\n```", "W"},
		{slides, `{"move": "S"} no, better {"move": "N"}`, "N"},
		{slides, "<think>S or E? {\"move\": \"S\"}</think>\n\nN", "N"},
		{slides, "<think>Hm.</think>\n\nI may play W or N\nW", "W"},
		{slides, "N", "N"},
		{slides, "**N**", "N"},
		{slides, "I slide up.", "N"},
		{slides, "South and east change nothing.\nSo my move is W.\n", "W"},
		{slides, "My move is W.\nThat keeps the tile in its corner!", "W"},
		{places, `{"move": "(2,1)"}`, "(2,1)"},
		{places, `{"move": "2, 1"}`, "(2,1)"},
		{places, "I place a tile at ( 1 , 2 ).", "(1,2)"},
		{places, `{"move": "(2,1,2)"}`, "(2,1)"},
		{fours, `{"move": "(2,1,4)"}`, "(2,1,4)"},
		{fours, `{"move": "2,1,4"}`, "(2,1,4)"},

		{slides, `{"move": "S"}`, "illegal"},
		{slides, `{"move": "(1,1)"}`, "illegal"},
		{places, `{"move": "N"}`, "illegal"},
		{places, `{"move": "(1,1)"}`, "illegal"},
		{places, `{"move": "(4,4)"}`, "illegal"},
		{places, `{"move": "(2,1,4)"}`, "illegal"},

		{slides, "", "unreadable"},
		{slides, "{}", "unreadable"},
		{slides, `{"move": "X"}`, "unreadable"},
		{slides, `{"move": "N"`, "N"},
		{slides, "N or W", "unreadable"},
		{slides, "I resign.", "unreadable"},
		{slides, "<think>N", "unreadable"},
		{slides, "N</think>W", "W"},
		{slides, strings.Repeat("{", 10_000), "unreadable"},
		{slides, strings.Repeat(`{"move":`, 1<<17), "unreadable"}, // to decode each object would take half an hour
		{slides, `{"move": "N"}` + strings.Repeat(`{"move":`, 1<<17), "N"},
		{places, "(5,1)", "unreadable"},
		{places, "(1,1,3)", "unreadable"},
		{slides, "\x00\xff", "unreadable"},
	} {
		r := rules.GPCC2015
		if c.position == fours {
			r = rules.GPCC2016
		}
		p, err := rules.ParsePosition(r, c.position)
		if err != nil {
			t.Fatal(err)
		}
		m, err := llm.ReadMove(c.answer, p)
		got := m.String()
		if illegal := (*rules.IllegalMoveError)(nil); errors.As(err, &illegal) {
			got = "illegal"
		} else if errors.Is(err, llm.ErrUnreadable) {
			got = "unreadable"
		} else if err != nil {
			t.Error(err)
		}
		if got != c.want {
			t.Errorf("%.80q in %s is %s, want %s", c.answer, c.position, got, c.want)
		}
	}
}

// A move that is read is legal.
func FuzzReadMove(f *testing.F) {
	for _, seed := range []string{`{"move": "N"}`, "(1,2)", "I go left.", "<think>{</think>{\"move\":\"W\"}"} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, answer string, slides bool) {
		p := position(t, "2,0/0,4 A")
		if slides {
			p = position(t, positionText)
		}
		if m, err := llm.ReadMove(answer, p); err == nil {
			if _, err := p.Play(m); err != nil {
				t.Errorf("%q: %v", answer, err)
			}
		}
	})
}
