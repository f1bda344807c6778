package hosting

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// defaultFarmAddress is the default address at which workers find an arena's farm.
const defaultFarmAddress = "127.0.0.1:4222"

// farmFlags choose whether and how the arena's games are played on workers.
func farmFlags() []cli.Flag {
	return cmdline.GroupFlags("the farm",
		&cli.BoolFlag{Name: "farm", Usage: "let workers (arena worker) play the games that need no connected bot; their NATS server runs in this process, with its streams beside the database"},
		AddressFlag("farm-listen", defaultFarmAddress, loopback, "the `ADDRESS` where workers find it; one that other machines reach needs --farm-cert, --farm-key and --farm-token"),
		&cli.StringFlag{Name: "farm-cert", Usage: "let workers connect by TLS, with the certificate and its chain in this `FILE` (PEM)"},
		&cli.StringFlag{Name: "farm-key", Usage: "the `FILE` with the key of --farm-cert (PEM)"},
		&cli.StringFlag{Name: "farm-token", Usage: "the `FILE` of the token that workers have to show"},
		&cli.StringFlag{Name: "nats", EnvVars: []string{natsVariable}, Usage: "let workers play by a NATS server elsewhere, in place of --farm, at this `URL` such as tls://USER:PASSWORD@example.org"},
		farmNameFlag(),
		&cli.BoolFlag{Name: "farm-exec", Usage: "also let the programs of --bot NAME=exec:COMMAND play on workers with --allow-exec, whose machines must have the programs, too"},
		&cli.Float64Flag{Name: "farm-check", Value: 2, Usage: "let a second worker play this `PERCENT` of the matches again, if their bots play alike on every machine; 0 for none"},
		&cli.DurationFlag{Name: "farm-lease", Value: farm.DefaultLease, Usage: "give a worker's games to others when nothing was heard of it for this long"},
	)
}

// natsVariable is the environment variable for the URL of a NATS server; the URL may have a password.
const natsVariable = "VERSUS2048_NATS"

// farmNameFlag names the farm, for arenas and workers.
func farmNameFlag() cli.Flag {
	return &cli.StringFlag{Name: "farm-name", Value: farm.DefaultName, Usage: "the `NAME` of the farm, where several use one NATS"}
}

func wantsFarm(c *cli.Context) bool {
	return c.Bool("farm") || c.IsSet("farm-listen") || c.IsSet("nats")
}

// checkFarmFlags returns a usage error for flags of a farm that do not go together.
func checkFarmFlags(c *cli.Context) error {
	secret, outside := c.IsSet("farm-cert") && c.IsSet("farm-key"), c.IsSet("nats")
	for _, flag := range []string{"farm-cert", "farm-key", "farm-token", "farm-exec", "farm-check", "farm-lease", "farm-name"} {
		if c.IsSet(flag) && !wantsFarm(c) {
			return cmdline.Usagef("--%s: only with --farm or --nats", flag)
		}
	}
	_, err := farm.ParseName(c.String("farm-name"))
	switch {
	case err != nil:
		return cmdline.Usagef("--farm-name: %w", err)
	case c.Duration("farm-lease") < time.Second:
		return cmdline.Usagef("--farm-lease %v: want a second or more", c.Duration("farm-lease"))
	case c.Float64("farm-check") < 0 || c.Float64("farm-check") > 100:
		return cmdline.Usagef("--farm-check %v: want 0 to 100", c.Float64("farm-check"))
	case outside && (c.Bool("farm") || c.IsSet("farm-listen") || c.IsSet("farm-cert") || c.IsSet("farm-key") || c.IsSet("farm-token")):
		return cmdline.Usagef("--nats with --farm, --farm-listen, --farm-cert, --farm-key or --farm-token: these are for a NATS server in this process")
	case c.IsSet("farm-cert") != c.IsSet("farm-key"):
		return cmdline.Usagef("--farm-cert and --farm-key: give both, the certificate and its key")
	case !outside && wantsFarm(c) && !isLoopback(c.String("farm-listen")) && !(secret && c.IsSet("farm-token")):
		return cmdline.Usagef("--farm-listen %s: other machines reach that: give --farm-cert, --farm-key and --farm-token, too", c.String("farm-listen"))
	}
	return nil
}

// isLoopback reports whether only this machine can connect to an address with a port.
func isLoopback(at string) bool {
	_, _, err := net.SplitHostPort(at)
	return err == nil && gate.IsLoopback(at)
}

type openFarm struct {
	broker *broker.Server    // or nil
	local  gate.OperatorFile // gives the token to workers of this user; its Path is "" if there is no such file
	conn   *nats.Conn
	farm   *farm.Coordinator
}

// arenaFarm adapts a farm to the interface of an arena.
type arenaFarm struct{ *farm.Coordinator }

func (f arenaFarm) Executor() server.Executor { return f.Coordinator.Executor() }

func (f arenaFarm) Validate(r server.Round) error { return farmRound(r).Validate() }

func (f arenaFarm) Do(ctx context.Context, r server.Round, took func(int, string, json.RawMessage)) error {
	return f.Coordinator.Do(ctx, farmRound(r), took)
}

func (f arenaFarm) Present() (n int) {
	aside := f.Aside()
	for _, c := range f.Coordinator.Workers() {
		if c.Batches && aside[c.Worker] == "" {
			n++
		}
	}
	return n
}

func farmRound(r server.Round) farm.Round {
	return farm.Round{Kind: farm.Kind(r.Kind), Bot: r.Bot, Batches: r.Batches}
}

func (f arenaFarm) Workers() (all []server.Worker) {
	aside := f.Aside()
	for _, c := range f.Coordinator.Workers() {
		all = append(all, server.Worker{
			Name: c.Worker, Host: c.Host, Version: c.Version, Cores: c.Cores, Games: c.Games, Busy: c.Busy, Played: c.Played, Faults: c.Faults,
			Speed: c.Speed, Late: server.Millis(time.Duration(c.Lag) * time.Microsecond), Overloaded: c.Overloaded(), Exec: c.Exec, Aside: aside[c.Worker], Trouble: c.Trouble,
		})
		delete(aside, c.Worker)
	}
	for name, why := range aside {
		all = append(all, server.Worker{Name: name, Aside: why})
	}
	slices.SortFunc(all, func(a, b server.Worker) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all
}

// openFarm opens the farm that the flags describe.
func (h *host) openFarm() (err error) {
	if !wantsFarm(h.flags) {
		return nil
	}
	h.farm = &openFarm{}
	if h.flags.IsSet("nats") {
		h.farm.conn, err = connectNATS(h.flags, "is it running, and the address right?")
	} else {
		err = h.startBroker()
	}
	if err != nil {
		return err
	}
	config := farm.Config{
		Name: farm.Name(h.flags.String("farm-name")), Version: farmVersion(), Lease: h.flags.Duration("farm-lease"),
		Check: h.flags.Float64("farm-check") / 100, Log: h.log,
	}
	if h.flags.Bool("farm-exec") {
		config.Programs = h.programs
	}
	if h.farm.broker != nil {
		config.Renew = h.farm.broker.Restart
	}
	h.farm.farm, err = farm.Open(h.flags.Context, h.farm.conn, config)
	if err != nil {
		return err
	}
	h.config.Farm = arenaFarm{h.farm.farm}
	h.log.Info("farm open", "nats", h.farm.url(), "name", h.flags.String("farm-name"))
	return nil
}

// startBroker starts a NATS server in this process, and connects to it.
func (h *host) startBroker() (err error) {
	c := h.flags
	config := broker.Config{Listen: c.String("farm-listen"), Folder: h.farmFolder(), Permits: farm.Name(c.String("farm-name")).Permits}
	if c.IsSet("farm-cert") {
		pair, err := loadCertificate(c.String("farm-cert"), c.String("farm-key"))
		if err != nil {
			return fmt.Errorf("--farm-cert: %w", err)
		}
		config.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
	}
	if config.Token, err = readFarmToken(c); err != nil {
		return err
	}
	local := config.Token == ""
	if local {
		config.Token, config.Name = gate.NewSecret(), localName(h.farmFolder())
	}
	if h.farm.broker, err = broker.Start(config); err != nil {
		return fmt.Errorf("the farm's NATS server on %s: %w", config.Listen, err)
	}
	if local {
		if h.farm.local, err = (gate.OperatorFile{Address: h.farm.broker.Address(), Secret: config.Token}).Write(h.farmFolder()); err != nil {
			return fmt.Errorf("the secret of the farm's workers: %w", err)
		}
	}
	h.farm.conn, err = h.farm.broker.Connect()
	return err
}

// farmFolder returns the folder for the streams of a NATS server in this process.
func (h *host) farmFolder() string { return h.db() + ".farm" }

// readFarmToken reads the token in the file of --farm-token, "" without the flag.
func readFarmToken(c *cli.Context) (string, error) {
	path := c.String("farm-token")
	if path == "" {
		return "", nil
	}
	text, err := disk.ReadText(path)
	if err != nil {
		return "", fmt.Errorf("--farm-token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < leastToken {
		return "", fmt.Errorf("--farm-token %s: want a token of %d characters or more, such as from openssl rand -hex 32", path, leastToken)
	}
	return token, nil
}

// leastToken is the length of the shortest token that counts as a secret.
const leastToken = 16

// reconnectWait is the pause between two attempts of an arena or a worker to connect again to its NATS server.
const reconnectWait = 500 * time.Millisecond

// connectNATS connects to the NATS server of --nats. The error is one line with the cause. question is the advice in
// the error if no server answers.
func connectNATS(c *cli.Context, question string, more ...nats.Option) (*nats.Conn, error) {
	address := c.String("nats")
	shown := shownNATS(address)
	conn, err := nats.Connect(address, append([]nats.Option{
		nats.Name(c.App.Name), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.Timeout(5 * time.Second), nats.IgnoreAuthErrorAbort(),
	}, more...)...)
	switch wrong := (*url.Error)(nil); {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("NATS at %s refuses the credential: give the arena's --farm-token, or the user and the password in the URL; or another worker already has the name of --name", shown)
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("no NATS answers at %s: %s", shown, question)
	case errors.As(err, &wrong):
		// The text of err has the address, and the cause may have a part of the password.
		return nil, fmt.Errorf("NATS at %s: want a URL such as nats://example.org:4222; in a user, a password or a token, write characters such as / @ %% as %%2F %%40 %%25", shown)
	case err != nil:
		return nil, fmt.Errorf("NATS at %s: %w", shown, err)
	}
	return conn, nil
}

// shownNATS returns the addresses of NATS servers without their secrets: users, passwords and tokens. Commas separate
// the addresses.
func shownNATS(addresses string) string {
	var shown []string
	for address := range strings.SplitSeq(addresses, ",") {
		shown = append(shown, shownServer(strings.TrimSpace(address)))
	}
	return strings.Join(shown, ", ")
}

// shownServer returns the scheme and the host of one address.
func shownServer(address string) string {
	if !strings.Contains(address, "://") {
		address = "nats://" + address // the library reads it in this way
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User == nil && strings.Contains(address, "@") {
		return "an address" // a part of a password may be anywhere in it
	}
	return u.Scheme + "://" + u.Host
}

// farmVersion returns the version that an arena must share with its workers: the first 12 digits of the commit or, if
// that is unknown, the program's version, and whether the code was changed after the commit.
func farmVersion() string {
	b := cmdline.ReadBuild("")
	version := b.Version
	if b.Commit != "" {
		version = b.Commit[:min(12, len(b.Commit))]
	}
	if b.Modified {
		version += " with changes"
	}
	return version
}

// url returns the address of the farm for workers.
func (f *openFarm) url() string {
	if f.broker != nil {
		return f.broker.URL()
	}
	return shownNATS(f.conn.ConnectedUrl()) // the library's own redaction leaves tokens in
}

func (f *openFarm) close() {
	if f.farm != nil {
		f.farm.Close()
	}
	if f.conn != nil {
		f.conn.Close()
	}
	if f.broker != nil {
		f.broker.Close()
	}
	_ = f.local.Remove() // the token in it is invalid now
}
