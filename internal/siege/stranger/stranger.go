package stranger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// Tally counts the answers to strangers by their status, and other things that happen, by their names. Its methods may
// be called from several goroutines.
type Tally struct {
	mu    sync.Mutex
	count map[string]int
}

// NewTally returns an empty tally.
func NewTally() *Tally { return &Tally{count: map[string]int{}} }

func (t *Tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count[what]++
}

// Count returns the number of answers with a status, such as "200", or of other things with that name.
func (t *Tally) Count(what string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count[what]
}

// MarshalJSON implements [json.Marshaler].
func (t *Tally) MarshalJSON() ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return json.Marshal(t.count)
}

// The names of things that happen besides answers. Errors of visitors are counted by their texts.
const (
	NoAnswer = "no answer" // to a request
	Games    = "games"     // of visitors
	Moves    = "moves"     // of visitors
)

// Keep sends requests for one route to the arena at the address server, over keep-alive connections, until ctx ends.
// Each connection repeats one of texts, the requests that [Route.Requests] returns, as soon as it has read the answer.
func Keep(ctx context.Context, server, method string, texts []string, connections int, t *Tally) {
	var number atomic.Int64
	var all sync.WaitGroup
	for i := range connections {
		text := texts[i%len(texts)]
		patient := i/len(texts)%2 == 0
		all.Go(func() {
			transport := &http.Transport{MaxConnsPerHost: 1}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			for ctx.Err() == nil {
				request, err := NewRequest(server, method, text, int(number.Add(1)))
				if err == nil {
					err = ask(client, request.WithContext(ctx), patient, t)
				}
				if err != nil && ctx.Err() == nil {
					t.add(NoAnswer)
					wait(ctx, 20*time.Millisecond)
				}
			}
		})
	}
	all.Wait()
}

// ask sends a request, counts its answer and reads it. It reads a stream to the end, or only the beginning if patient
// is false.
func ask(client *http.Client, request *http.Request, patient bool, t *Tally) error {
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	t.add(fmt.Sprint(answer.StatusCode))
	kind := answer.Header.Get("Content-Type")
	if stream := strings.HasPrefix(kind, "text/event-stream") || strings.HasPrefix(kind, "application/x-ndjson"); stream && !patient {
		_, err = answer.Body.Read(make([]byte, 4<<10))
	} else {
		_, err = io.Copy(io.Discard, answer.Body)
	}
	if errors.Is(err, io.EOF) { // the stream has ended
		return nil
	}
	return err
}

// Visit plays as visitors until ctx ends. Each visitor plays one game after the other against champion, and moves at
// once.
func Visit(ctx context.Context, server string, visitors int, t *Tally) {
	var all sync.WaitGroup
	for range visitors {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := visitOnce(ctx, server, t); err != nil && ctx.Err() == nil {
					t.add(err.Error())
					wait(ctx, 100*time.Millisecond)
				}
			}
		})
	}
	all.Wait()
}

// visitOnce plays one game as a visitor.
func visitOnce(ctx context.Context, server string, t *Tally) error {
	random, err := players.Parse("random")
	if err != nil {
		return err
	}
	name, token, err := invite(ctx, server)
	if err != nil {
		return err
	}
	client := protocol.Client{
		URL:   "ws" + strings.TrimPrefix(server, "http") + "/bot",
		Hello: protocol.Hello{Name: name, Token: token, Slots: 1},
		New: func(s protocol.Start) (players.Player, error) {
			t.add(Games)
			return visitor{random.New(players.Game{Seed: s.Seed}), t}, nil
		},
	}
	return client.Run(ctx)
}

// invite asks for a visitor's game, as the page /play does. It returns the visitor's name and token for the game.
func invite(ctx context.Context, server string) (name, token string, err error) {
	request, err := NewRequest(server, http.MethodPost, "/api/play "+playBody, 0)
	if err != nil {
		return "", "", err
	}
	request.Header.Del("Accept-Encoding") // the answer is read
	answer, err := http.DefaultClient.Do(request.WithContext(ctx))
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", "", fmt.Errorf("asking for an invitation: %s", answer.Status)
	}
	var invitation struct{ Name, Token string }
	err = json.NewDecoder(answer.Body).Decode(&invitation)
	return invitation.Name, invitation.Token, err
}

// visitor is a visitor's player. It counts its moves.
type visitor struct {
	players.Player
	tally *Tally
}

// Choose implements players.Player.
func (v visitor) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	v.tally.add(Moves)
	return v.Player.Choose(ctx, p)
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
