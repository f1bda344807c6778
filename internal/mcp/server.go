package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/internal/server"
	"versus2048/protocol"
)

// Config is the arena of assistants, and their name there.
type Config struct {
	Arena  *server.Client // with the rights that assistants have
	BotURL string         // the arena's address for bots, such as ws://127.0.0.1:2048/bot
	Hello  protocol.Hello // the name is the one to join under, "" for none; the token belongs to it
	Code   string         // of an invitation that registers that name; "" for none
	// Run runs a client under its name until the arena says goodbye. With the code of an invitation it registers the name.
	Run func(ctx context.Context, client protocol.Client, code string) error
	Log *slog.Logger // of the connections to the arena
	Patience
}

// Patience has the longest times that an arena may take. A zero stands for the usual time.
type Patience struct {
	Answer    time.Duration // to answer a request, usually 30 s
	Admission time.Duration // to admit a bot, usually 15 s
}

// Server serves assistants. Each session of the protocol has a seat of its own.
type Server struct {
	config Config
	life   context.Context // of all seats
	server *sdk.Server

	mu       sync.Mutex
	sessions map[*sdk.ServerSession]*session
}

// NewServer returns a server. Its sessions end with ctx.
func NewServer(ctx context.Context, c Config) *Server {
	c.Answer, c.Admission = cmp.Or(c.Answer, 30*time.Second), cmp.Or(c.Admission, 15*time.Second)
	s := &Server{config: c, life: ctx, sessions: map[*sdk.ServerSession]*session{}}
	s.server = sdk.NewServer(
		&sdk.Implementation{Name: "versus2048", Title: "versus 2048", Version: c.Hello.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}},
	)
	s.addPlaying()
	s.addWatching()
	s.addStudying()
	s.addResources()
	return s
}

const instructions = `Two-player 2048. The attacker places a tile on an empty cell, the defender slides all tiles; the ` +
	`score is the defender's, and grows by each tile that a merge makes. The game ends when the defender has no legal ` +
	`slide. A match is two games with roles swapped: the higher score as defender wins. ` +
	`To play: challenge a bot, or join to be given games of events. Then repeat wait_for_turn, which waits until it is ` +
	`your turn, and move. Moves are N, S, W, E (slides) or (X,Y), in some rules (X,Y,4) (a tile on column X, row Y; (1,1) is the ` +
	`top left cell). An illegal move is refused and costs nothing but time on your clock. ` +
	`To study: replay, exact_values, opinion, standings, head_to_head. The resource versus2048://rules has the rules.`

// Stdio serves one assistant over standard input and output until the input or the server's context ends.
func (s *Server) Stdio() error {
	defer s.Close()
	return s.server.Run(s.life, &sdk.StdioTransport{})
}

// idleTime is the time that an assistant may be silent before its session over HTTP ends, and with it its seat. An
// assistant that waits for its turn is not silent. idleTime exceeds the longest time for a move against a visitor.
const idleTime = 15 * time.Minute

// Handler serves assistants over streamable HTTP, each in a session of its own. It refuses requests of pages of other
// sites, and on an address of this machine also requests that name another host.
func (s *Server) Handler() http.Handler {
	// A version of the protocol without sessions would leave assistants without seats: this handler offers only the
	// earlier versions.
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server }, &sdk.StreamableHTTPOptions{SessionTimeout: idleTime})
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			s.stopWaiting(r.Header.Get("Mcp-Session-Id"))
		}
		streamable.ServeHTTP(w, r)
	}))
}

// stopWaiting ends the seat of a session that is about to end: otherwise the end would wait for a turn.
func (s *Server) stopWaiting(id string) {
	for _, one := range s.all() {
		if id != "" && one.id == id {
			one.close()
		}
	}
}

// all returns the sessions.
func (s *Server) all() (all []*session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions {
		all = append(all, one)
	}
	return all
}

// Close ends all sessions' seats, and returns once the bots have said goodbye.
func (s *Server) Close() {
	for _, one := range s.all() {
		one.close()
	}
}

// session returns the session of this package for a session of the SDK. It ends when the SDK's session ends.
func (s *Server) session(of *sdk.ServerSession) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.sessions[of]; known != nil {
		return known
	}
	one := &session{config: &s.config, id: of.ID()}
	one.life, one.end = context.WithCancel(s.life)
	s.sessions[of] = one
	go func() {
		_ = of.Wait() // however it ends
		one.close()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, of)
	}()
	return one
}

// tool adds a tool. The errors of do become results, so that assistants read them.
func tool[In, Out any](s *Server, name, about string, hints sdk.ToolAnnotations, do func(ctx context.Context, c call, in In) (Out, error)) {
	sdk.AddTool(s.server, &sdk.Tool{Name: name, Description: about, Annotations: &hints}, func(ctx context.Context, request *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		out, err := do(ctx, call{s.session(request.Session), request}, in)
		return nil, out, err
	})
}

// call is a call of a tool.
type call struct {
	*session
	request *sdk.CallToolRequest
}

// progress tells an assistant how long the call has waited, if the assistant has asked for progress.
func (c call) progress(ctx context.Context, waited time.Duration, total time.Duration) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: token, Progress: waited.Seconds(), Total: total.Seconds(), Message: "the opponent is thinking",
	}) // a session that is gone ends the call
}

// The hints about tools for clients.
func reading() sdk.ToolAnnotations {
	return sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}
}

func playing(destructive bool) sdk.ToolAnnotations {
	return sdk.ToolAnnotations{DestructiveHint: &destructive, OpenWorldHint: new(false)}
}
