package server

import (
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// FuzzEventSetup reads an operator's request to start an event. An event that is accepted can be played, recorded and
// read back as the same event, and its bots need a bounded amount of memory.
func FuzzEventSetup(f *testing.F) {
	for _, body := range []string{
		`{"bots":["random","a=mcts:nodes=64"],"rules":"gpcc2016","size":"3x3","matches":5,"concurrency":2,"clock":{"per_move_ns":1000000}}`,
		`{"entries":[{"name":"a","spec":"greedy"},{"name":"b","spec":"dag"}],"rules":"solo","size":"2x2","matches":1,"concurrency":1,"settings":{"plan":{"kind":"swiss","rounds":1},"budget":{"nodes":1000}}}`,
		`{"bots":["random","greedy"],"rules":"gpcc2015","size":"2x2","matches":0,"concurrency":1,"settings":{"plan":{"kind":"sprt","sprt":{"elo0":0,"elo1":5},"ahead":3},"openings":{"source":"x","starts":["2,0/0,2 A"]},"strikes":{"faults":2,"games":"void"},"lenience":{"margin_ms":9}}}`,
		`{"bots":["random","perfect:table=/dev/zero"],"rules":"gpcc2015","size":"2x2","matches":1e3,"concurrency":-1,"stays":[{"name":"a"}]}`,
		`{"bots":["a=random","b=random","c=random"],"rules":"gpcc2015","size":"4x4","matches":2,"concurrency":10000,"settings":{"plan":{"kind":"knockout"},"adjudication":{"max_tile":2048}}}`,
	} {
		f.Add([]byte(body))
	}
	nobody := func(string) bool { return false }
	f.Fuzz(func(t *testing.T, body []byte) {
		testkit.CheckAllocation(t, len(body), 2048, func() {
			request := httptest.NewRequest("POST", "/api/events", strings.NewReader(string(body)))
			request.Header.Set("Content-Type", "application/json")
			var asked tournament.Event
			if readJSON(httptest.NewRecorder(), request, maxBodyBytes, &asked) != nil || (roster.Allowance{}).CheckEvent(asked) != nil {
				return
			}
			e, err := roster.Resolve(asked, nobody, time.Second)
			if err != nil {
				return
			}
			if (roster.Allowance{}).CheckEvent(e) != nil || format.Validate(e) != nil {
				t.Errorf("%s is accepted, but could not be resumed", body)
			}
			if need := roster.MemoryOf(e, e.Entries); need > 1<<60 {
				t.Errorf("%s needs %d bytes", body, need)
			}
			text, err := json.Marshal(e)
			var again tournament.Event
			if err == nil {
				err = json.Unmarshal(text, &again)
			}
			if again.Created = e.Created; err != nil || !reflect.DeepEqual(again, e) {
				t.Errorf("%s becomes %s, which reads back as %+v (%v)", body, text, again, err)
			}
		})
	})
}

// FuzzAnswers reads answers of a false arena to a command.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"event":1,"state":"running","done":3,"total":10,"elapsed_ms":5}`))
	f.Add([]byte(`{"type":"game_finished","game":1,"event":2}`))
	f.Add([]byte(`{"error":"no such event"}`))
	f.Add([]byte(`[{"name":"a","slots":-1}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		testkit.CheckAllocation(t, len(body), 256, func() {
			for _, into := range []any{&Progress{}, &News{}, &[]Progress{}, &report.Crosstable{}, &tournament.Standings{}, &[]report.HeadToHead{}} {
				if json.Unmarshal(body, into) != nil {
					continue
				}
				if _, err := json.Marshal(into); err != nil {
					t.Errorf("%s is read as %+v, which cannot be written: %v", body, into, err)
				}
			}
		})
	})
}
