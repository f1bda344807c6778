package hosting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/lobby"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/internal/web/drawing"
)

// printEntrance prints the addresses where bots connect, and opens the lobby in a browser.
func (h *eveningRun) printEntrance(o openArena) error {
	out, best := h.c.App.Writer, o.Own
	if len(o.Addresses) > 0 {
		best = o.Addresses[0]
	}
	join := best + "/connect?invitation=" + h.plan.Code
	if terminal.Is(out) {
		if err := printQR(out, join); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "join: %s\ncode: %s\n", join, h.plan.Code)
	fmt.Fprintf(out, "a bot to try: bot run evminimax --name NAME --url %s/bot --invitation %s\n", "ws"+strings.TrimPrefix(best, "http"), h.plan.Code)
	fmt.Fprintf(out, "lobby: %s/lobby\nprojector: %[1]s/projector\n", o.Own)
	if len(o.Addresses) > 1 {
		fmt.Fprintf(out, "other addresses of this machine: %s\n", strings.Join(o.Addresses[1:], " "))
	}
	if len(o.Addresses) == 0 {
		port := best[strings.LastIndex(best, ":")+1:]
		fmt.Fprintf(out, "Only this machine reaches this address. For other machines, connect this one to their network, leave out --addr, and let port %s through the firewall (such as: sudo ufw allow %[1]s/tcp).\n", port)
	}
	if !h.c.Bool("no-browser") && terminal.Is(out) {
		h.parts.OpenBrowser(o.Own + "/lobby")
	}
	_, err := fmt.Fprintln(out)
	return err
}

// printQR prints the QR code of an address in half blocks. It sets the colours, so that the code is black on white on
// every terminal.
func printQR(w io.Writer, address string) error {
	code, err := drawing.QR(address)
	if err != nil {
		return err
	}
	const margin = 4 // modules, as the standard wants
	var text strings.Builder
	for y := -margin; y < code.Size()+margin; y += 2 {
		text.WriteString("\x1b[30;107m") // black on bright white
		for x := -margin; x < code.Size()+margin; x++ {
			switch upper, lower := code.Black(x, y), code.Black(x, y+1); {
			case upper && lower:
				text.WriteString("█")
			case upper:
				text.WriteString("▀")
			case lower:
				text.WriteString("▄")
			default:
				text.WriteString(" ")
			}
		}
		text.WriteString("\x1b[0m\n")
	}
	_, err = fmt.Fprintln(w, text.String())
	return err
}

// gather shows the lobby until its event begins, and returns the event's number, or 0 if ctx ends first. A typed line
// starts the event. If the plan says so, the event also starts when all expected bots have passed their check.
func (h *eveningRun) gather(ctx context.Context, o openArena) (int64, error) {
	display := cmdline.NewDisplay(h.c.App.Writer, false)
	defer display.End()
	typed, note := h.lines.typed, ""
	for {
		changed, state := o.Lobby.Changed(), o.Lobby.State()
		if state.Event != 0 {
			return state.Event, nil
		}
		shown := lobbyLines(state, h.lines.asks, note)
		display.Draw(strings.Join(shown, "\n"), shown...)
		start := h.plan.StartWhenAll && state.Complete()
		if !start {
			select {
			case <-ctx.Done():
				return 0, nil
			case <-changed:
				note = ""
				continue
			case _, ok := <-typed:
				if !ok {
					typed = nil // the input has ended; the page of the lobby remains
					continue
				}
			}
		}
		if _, err := o.Lobby.Start(ctx, false); err != nil {
			if ctx.Err() != nil {
				return 0, nil
			}
			if refused := (*server.RequestError)(nil); !errors.As(err, &refused) {
				return 0, err
			}
			note = plain.Line(err.Error())
			if start {
				h.plan.StartWhenAll = false // the host sees the reason, and starts the event
			}
		}
	}
}

// lobbyLines returns the lobby as lines: a sentence, the note unless it is "", and a line for each bot.
func lobbyLines(s lobby.State, asks bool, note string) []string {
	first := fmt.Sprintf("%s here", terminal.Count(s.Here(), "bot is", "bots are"))
	if s.Missing > 0 {
		first += fmt.Sprintf(", %d missing", s.Missing)
	}
	if asks {
		first += "; Enter starts the event with the bots that have passed their check"
	}
	lines := []string{first}
	if note != "" {
		lines = append(lines, "not started: "+note)
	}
	width := 0
	for _, b := range s.Bots {
		width = max(width, terminal.Width(plain.Line(b.Name)))
	}
	for _, b := range s.Bots {
		lines = append(lines, fmt.Sprintf("  %s  %-4s  %s", terminal.Pad(plain.Line(b.Name), width, false), b.Place, checkText(b)))
	}
	return lines
}

// checkText describes the check of a bot. It returns "" for a bot that is not here.
func checkText(b lobby.Bot) string {
	switch {
	case b.Place != lobby.Here:
		return ""
	case b.Check.Result == lobby.Failed:
		return "check failed: " + plain.Line(b.Check.Why)
	case b.Check.Result == lobby.Passed:
		return "check passed"
	case b.Check.Result == lobby.Running:
		return "is being checked"
	}
	return "waits for its check"
}
