package hosting

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
)

// openEvening is the plan of an evening's lobby, and the function that shows the evening.
type openEvening struct {
	Plan lobby.Plan // without an address; an invitation is made for its code, unless there is one
	// Show runs while the arena serves. If it returns an error, the arena ends.
	Show func(ctx context.Context, o openArena) error
}

// openArena is an arena that serves an evening.
type openArena struct {
	Addresses []string // of the pages, for other machines, the best first; empty if only this machine can connect
	Own       string   // the address of the pages on this machine
	Client    *server.Client
	Lobby     *lobby.Lobby
}

// eveningDatabase is the default of --db for an evening.
const eveningDatabase = "evening.db"

// eveningFlags returns the flags of [ServeCommand] for an arena of an evening, which is public and takes bots by
// invitation. The help shows only --db and --addr.
func eveningFlags() []cli.Flag {
	flags := serveFlags()
	for _, f := range flags {
		switch name := f.Names()[0]; name {
		case "db":
			db := f.(*cli.StringFlag)
			db.Value, db.Usage = eveningDatabase, "the database of the evening; its plan is in a file beside it"
			continue
		case "addr":
			cmdline.ShowDefault(f, publicAddress+", or the next free port")
			continue
		case "registration":
			f.(*cli.StringFlag).Value = string(gate.RegistrationByInvitation)
		case "log-level":
			f.(*cli.StringFlag).Value = "warn" // the lobby is on the same terminal
		case "public":
			f.(*cli.BoolFlag).Value = true
		}
		cmdline.HideFlag(f)
	}
	return flags
}

// serveEvening is [ServeWith] for an evening, with the flags of [eveningFlags].
func serveEvening(c *cli.Context, e openEvening) error {
	h := host{flags: c, plan: &e.Plan, evening: &e}
	return h.open()
}

// invitedNames is the number of bots that may register by the invitation of an evening, and invitedDays the number of
// days for which the invitation is valid.
const (
	invitedNames = 1000
	invitedDays  = 30
)

// invite sets the address in the plan of an evening. It makes an invitation with the plan's code, unless there is one
// already. Without an evening it does nothing.
func (h *host) invite() error {
	if h.evening == nil {
		return nil
	}
	h.plan.Address = h.entrance.addresses()[0]
	tokens, ctx, code := h.store.Tokens(), h.flags.Context, h.plan.Code
	id, fault, err := tokens.Invitation(ctx, code)
	switch {
	case err != nil:
		return err
	case id == 0:
		_, err := tokens.Invite(ctx, code, invitedNames, gate.InvitationTerms{Days: invitedDays}.Lifetime())
		return err
	case fault != "":
		h.log.Warn("no more bots can register with the code of this evening", "code", code, "why", fault)
	}
	return nil
}

// serve serves the arena. For an evening it also runs Show, which ends with the arena; an error of Show ends the arena.
func (h *host) serve(ctx context.Context) error {
	if h.evening == nil {
		return h.server.Serve(ctx, h.entrance.local, h.entrance.doors...)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	shown := make(chan error, 1)
	go func() {
		err := h.evening.Show(ctx, h.opened())
		if err != nil {
			stop()
		}
		shown <- err
	}()
	err := h.server.Serve(ctx, h.entrance.local, h.entrance.doors...)
	stop()
	return errors.Join(<-shown, err)
}

// opened returns the arena for its evening.
func (h *host) opened() openArena {
	o := openArena{Own: h.url(), Client: &server.Client{URL: h.url(), Token: h.config.Operator.Secret}, Lobby: h.lobby}
	o.Addresses = slices.DeleteFunc(h.entrance.addresses(), func(address string) bool { return address == o.Own })
	return o
}

// triedPorts is the number of ports that freePort tries.
const triedPorts = 20

// freePort returns an address with the first free port from the usual port on. other reports whether that is not the
// usual port. An address from --addr keeps its port.
func freePort(c *cli.Context) (address string, other bool, err error) {
	host, port, err := net.SplitHostPort(listenAddress(c))
	if err != nil {
		return "", false, fmt.Errorf("--addr %s: %w", listenAddress(c), err)
	}
	first, err := strconv.Atoi(port)
	if err != nil || c.IsSet("addr") {
		return listenAddress(c), false, nil
	}
	for n := first; n < first+triedPorts; n++ {
		if address = net.JoinHostPort(host, strconv.Itoa(n)); isFree(address) {
			return address, n != first, nil
		}
	}
	return listenAddress(c), false, nil // the arena itself will report why it cannot listen
}

// isFree reports whether an arena can listen on an address.
func isFree(address string) bool {
	listener, err := net.Listen("tcp", address)
	return err == nil && listener.Close() == nil
}
