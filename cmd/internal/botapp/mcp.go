package botapp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/mcp"
	"versus2048/internal/server"
	"versus2048/protocol"
)

func mcpCommand() *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "let an AI assistant play and study on an arena, by the Model Context Protocol",
		Description: "An assistant starts this command and speaks the protocol over its standard input and output, or, with --http, " +
			"over HTTP at the path /mcp, where each assistant has a session and a connection to the arena of its own. docs/MCP.md " +
			"lists the tools, and shows how to tell assistants of the command.",
		Flags: slices.Concat(
			[]cli.Flag{
				cmdline.ServerFlag("http://127.0.0.1:2048", "the running arena"),
				&cli.StringFlag{Name: "http", Usage: "serve over HTTP at `ADDRESS`, such as 127.0.0.1:8931; without a host, on this machine alone"},
			},
			botcmd.IdentityFlags("the one that the assistant chooses"),
			[]cli.Flag{
				&cli.StringFlag{Name: "operator-token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "an operator's token: an assistant can enter events in progress, and look at an arena on another machine"},
				&cli.BoolFlag{Name: "quiet", Usage: "log only errors"},
			},
		),
		Action: cmdline.WithArguments(serveMCP),
	}
}

func serveMCP(c *cli.Context) error {
	code, err := botcmd.ReadInvitation(c, "server", func(arena string) string { return arena })
	if err != nil {
		return err
	}
	log := botcmd.Logger(c)
	s := mcp.NewServer(c.Context, mcp.Config{
		Arena:  &server.Client{URL: c.String("server"), Token: c.String("operator-token"), NoFile: c.IsSet("http")},
		BotURL: botcmd.BotURL(c.String("server")),
		Hello:  protocol.Hello{Name: c.String("name"), Author: c.String("author"), Token: c.String("token"), Version: cmdline.Version()},
		Code:   code, Run: botcmd.RunRegistered, Log: log,
	})
	if c.IsSet("http") {
		return serveHTTP(c.Context, c.String("http"), s, log)
	}
	if err := s.Stdio(); c.Context.Err() == nil {
		return err
	}
	return nil // interrupted: the bots have said goodbye
}

// serveHTTP serves assistants over HTTP until ctx ends.
func serveHTTP(ctx context.Context, address string, s *mcp.Server, log *slog.Logger) error {
	listener, err := listen(address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.Handler())
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = web.Close() })() // Shutdown would wait for assistants that wait for a turn
	log.Info("assistants can connect", "url", fmt.Sprintf("http://%s/mcp", listener.Addr()))
	err = web.Serve(listener)
	s.Close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil // interrupted: the bots have said goodbye
	}
	return err
}

// listen listens at an address, by default on this machine alone.
func listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, cmdline.Usagef("--http %q: want a host and a port such as 127.0.0.1:8931, or a port alone such as :8931", address)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		return nil, fmt.Errorf("--http %s: %w", address, err)
	}
	return listener, nil
}
