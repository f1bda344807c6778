package hosting

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/plain"
)

// HealthCommand returns the command health, for watchdogs and for the checks of containers. The flag server names the
// arena.
func HealthCommand(server cli.Flag) *cli.Command {
	return &cli.Command{
		Name:  "health",
		Usage: "ask a running arena whether it is well; the exit code is 1 if not",
		Description: "For watchdogs, and for checks in containers without a shell. An arena on this machine may have a certificate for " +
			"any name, since nothing secret is sent.",
		Flags: []cli.Flag{
			server,
			&cli.BoolFlag{Name: "ready", Usage: "ask whether it takes bots and events now; while it starts or stops it does not"},
			&cli.DurationFlag{Name: "timeout", Value: 5 * time.Second, Usage: "how long to wait for the answer", Action: cmdline.AtLeast("timeout", time.Millisecond)},
		},
		Action: cmdline.WithArguments(health),
	}
}

func health(c *cli.Context) error {
	path := "/healthz"
	if c.Bool("ready") {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(c.Context, c.Duration("timeout"))
	defer cancel()
	said, err := ask(ctx, c.String("server"), path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, said)
	return err
}

// ask requests /healthz or /readyz from an arena at an address such as http://127.0.0.1:2048, and returns the answer.
// It returns an error if the arena does not answer, or answers that it is not well. An older arena without these
// routes is well if it serves its first page, or forbids it.
func ask(ctx context.Context, server, path string) (string, error) {
	if err := cmdline.CheckServer(server); err != nil {
		return "", err
	}
	base, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	client := clientFor(base.Hostname())
	defer client.CloseIdleConnections()
	status, said, err := get(ctx, client, base.JoinPath(path).String()) // #nosec G125 -- a path that the caller spells out
	if err == nil && status == http.StatusNotFound {
		if status, _, err = get(ctx, client, base.JoinPath("/").String()); status == http.StatusForbidden {
			status = http.StatusOK // its pages need a right
		}
		said = "an arena of an earlier version answers"
	}
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s is not well: %d %s: %s", server, status, http.StatusText(status), plain.Line(said))
	}
	return plain.Lines(said), err
}

// get returns the status of a page, and the text of its first 4096 bytes.
func get(ctx context.Context, client *http.Client, address string) (status int, text string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, "", err
	}
	response, err := client.Do(request)
	if u := (*url.Error)(nil); errors.As(err, &u) {
		return 0, "", fmt.Errorf("no arena answers at %s://%s (start one with: arena serve): %w", request.URL.Scheme, request.URL.Host, u.Err)
	}
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	const enough = 4096
	body, err := io.ReadAll(io.LimitReader(response.Body, enough))
	return response.StatusCode, strings.TrimSpace(string(body)), err
}

// clientFor returns a client that follows no redirects. For a host on this machine it accepts any certificate:
// the arena's certificate has the name that other machines use.
func clientFor(host string) *http.Client {
	transport := &http.Transport{}
	if ip := net.ParseIP(host); host == "localhost" || ip.IsLoopback() {
		transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // #nosec G402 -- nothing secret is sent, to this machine only
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// reportReady tells systemd that this process serves, and when ctx ends, that the process stops (sd_notify(3), for
// units of Type=notify). It does nothing if systemd has not started the process.
func reportReady(ctx context.Context, log *slog.Logger) {
	notify(daemon.SdNotifyReady, log)
	context.AfterFunc(ctx, func() { notify(daemon.SdNotifyStopping, log) })
}

// notify sends a state to systemd. If that fails, the arena plays on: systemd itself will report the missing state.
func notify(state string, log *slog.Logger) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd was not notified", "state", state, "why", err)
	}
}
