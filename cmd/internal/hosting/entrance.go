package hosting

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/server"
)

// The default addresses of arenas for everybody, without TLS and with it. DefaultAddress is for this machine only.
const (
	publicAddress    = ":2048"
	publicTLSAddress = ":443"
)

// loopback is the host that only this machine can connect to.
const loopback = "127.0.0.1"

// entranceFlags choose the database, the addresses and the certificate of an arena.
func entranceFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		DatabaseFlag(),
		&cli.StringFlag{
			Name: "addr", Value: DefaultAddress, DefaultText: DefaultAddress + "; with --public and no proxy " + publicAddress + ", with TLS " + publicTLSAddress,
			Usage: "address to listen on, or a port alone; port 0 takes a free one",
			Action: func(c *cli.Context, text string) error {
				return setAddress(c, "addr", DefaultAddress, usualHost(c), text)
			},
		},
		&cli.StringFlag{Name: "tls-cert", Usage: "speak TLS with the certificate and its chain in this `FILE` (PEM); a renewed file takes effect by itself"},
		&cli.StringFlag{Name: "tls-key", Usage: "the `FILE` with the key of --tls-cert (PEM)"},
		&cli.StringSliceFlag{Name: "acme", Usage: "speak TLS with a certificate for this `DOMAIN`, which the arena gets and renews by ACME from Let's Encrypt (this flag accepts its terms); repeat it for more"},
	}, cmdline.GroupFlags("tls",
		&cli.StringFlag{Name: "acme-email", Usage: "the email address for messages of Let's Encrypt"},
		&cli.StringFlag{Name: "acme-directory", Usage: "the `URL` of another ACME server's directory"},
		&cli.StringFlag{Name: "acme-ca", Usage: "a `FILE` of certificates (PEM) to trust for that server, in place of the system's"},
		AddressFlag("http-addr", "", "", "with TLS: an `ADDRESS` such as :80 that redirects browsers to TLS; ACME can ask there, too"),
		AddressFlag("local-addr", DefaultAddress, loopback, "with TLS: the address without TLS, for commands and bots of this machine"),
	))
}

// AddressFlag returns a flag for an address to listen on. An address that is a port alone gets the given host. If the
// default value is "", the value "" stands for no address.
func AddressFlag(name, value, host, usage string) *cli.StringFlag {
	return &cli.StringFlag{Name: name, Value: value, Usage: usage, Action: func(c *cli.Context, text string) error {
		return setAddress(c, name, value, host, text)
	}}
}

// setAddress sets a flag to the address in a text. It returns a usage error for "", unless "" is the flag's default:
// the system would take "" for any free port of all addresses.
func setAddress(c *cli.Context, name, value, host, text string) error {
	if text == "" && value != "" {
		return cmdline.Usagef("--%s: the address is empty: want one such as %s", name, value)
	}
	return c.Set(name, withHost(host, text))
}

// withHost returns the address in a text. If the text is a port alone, the address has the given host.
func withHost(host, text string) string {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return text
	}
	return net.JoinHostPort(host, text)
}

// usualHost returns the host that the arena has without --addr: this machine, or all addresses for an arena with TLS,
// or with --public and no proxy.
func usualHost(c *cli.Context) string {
	if wantsTLS(c) || c.Bool("public") && !hasProxy(c) {
		return ""
	}
	return loopback
}

// hasProxy reports whether the flags mean that visitors come through a proxy: the flags name a proxy, or they name
// pages with TLS while the arena itself has no TLS.
func hasProxy(c *cli.Context) bool {
	isSecure := func(origin string) bool { return strings.HasPrefix(strings.ToLower(origin), "https:") }
	return c.IsSet("behind-proxy") || !wantsTLS(c) && slices.ContainsFunc(c.StringSlice("origin"), isSecure)
}

func wantsTLS(c *cli.Context) bool {
	return c.IsSet("tls-cert") || c.IsSet("tls-key") || c.IsSet("acme")
}

// listenAddress returns the address of the listener for everybody who may connect to the arena.
func listenAddress(c *cli.Context) string {
	switch {
	case c.IsSet("addr"):
		return c.String("addr")
	case wantsTLS(c):
		return publicTLSAddress
	}
	_, port, _ := net.SplitHostPort(c.String("addr"))
	return net.JoinHostPort(usualHost(c), port)
}

// entrance has the listeners and addresses of an arena.
type entrance struct {
	local  net.Listener          // without TLS; if the arena has TLS, for this machine only
	tls    net.Listener          // with TLS, nil for none
	doors  []server.Door         // all listeners but local
	names  []string              // the hosts in the certificates
	named  []string              // the addresses that --origin names
	public bool                  // whether everybody may look
	proxy  bool                  // whether visitors come through a proxy
	keep   func(context.Context) // gets and renews certificates by ACME, until its context ends
}

// openEntrance opens the listeners of entranceFlags, and reads certificates from files. Certificates by ACME come
// later: e.keep gets them.
func openEntrance(c *cli.Context, log *slog.Logger) (e *entrance, err error) {
	withTLS, err := checkTLSFlags(c)
	if err != nil {
		return nil, err
	}
	e = &entrance{named: c.StringSlice("origin"), public: c.Bool("public"), proxy: hasProxy(c), keep: func(context.Context) {}}
	defer func() {
		if err != nil {
			e.close()
			e = nil
		}
	}()
	if !withTLS {
		e.local, err = listen(listenAddress(c), "--addr")
		return e, err
	}
	if err := e.listenTLS(c); err != nil {
		return e, err
	}
	return e, e.openCertificates(c, log)
}

// checkTLSFlags returns a usage error for flags about TLS that do not go together, and reports whether the arena is to
// speak TLS.
func checkTLSFlags(c *cli.Context) (withTLS bool, err error) {
	files, asked := c.IsSet("tls-cert") || c.IsSet("tls-key"), c.IsSet("acme")
	switch {
	case files && !(c.IsSet("tls-cert") && c.IsSet("tls-key")):
		return false, cmdline.Usagef("--tls-cert and --tls-key: give both, the certificate and its key")
	case files && asked:
		return false, cmdline.Usagef("--tls-cert and --acme: give only one of them")
	}
	for _, flag := range []string{"acme-email", "acme-directory", "acme-ca"} {
		if c.IsSet(flag) && !asked {
			return false, cmdline.Usagef("--%s: only with --acme DOMAIN", flag)
		}
	}
	for _, flag := range []string{"http-addr", "local-addr"} {
		if c.IsSet(flag) && !files && !asked {
			return false, cmdline.Usagef("--%s: only with TLS, by --tls-cert or --acme", flag)
		}
	}
	for _, domain := range c.StringSlice("acme") {
		if err := CheckDomain(domain); err != nil {
			return false, cmdline.Usagef("--acme %w", err)
		}
	}
	if !isLoopback(c.String("local-addr")) {
		return false, cmdline.Usagef("--local-addr %q: want an address that only this machine reaches, such as %s", c.String("local-addr"), DefaultAddress)
	}
	return files || asked, nil
}

// listenTLS opens the listeners of an arena with TLS.
func (e *entrance) listenTLS(c *cli.Context) (err error) {
	if e.tls, err = listen(listenAddress(c), "--addr"); err != nil {
		return err
	}
	e.doors = []server.Door{{Listener: e.tls}}
	if e.local, err = listen(c.String("local-addr"), "--local-addr"); err != nil {
		return err
	}
	if c.String("http-addr") == "" {
		return nil
	}
	plain, err := listen(c.String("http-addr"), "--http-addr")
	if err == nil {
		e.doors = append(e.doors, server.Door{Listener: plain})
	}
	return err
}

// listen listens on an address that a flag names.
func listen(address, flag string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("listening on %s: %w; ports below 1024 need a right (CAP_NET_BIND_SERVICE, docs/HOSTING.md), others can be chosen by %s", address, err, flag)
	case err != nil:
		return nil, fmt.Errorf("listening on %s: %w; choose another address by %s", address, err, flag)
	}
	return listener, nil
}

// openCertificates reads the certificate, or prepares to ask for certificates.
func (e *entrance) openCertificates(c *cli.Context, log *slog.Logger) error {
	_, port, err := net.SplitHostPort(e.tls.Addr().String())
	if err != nil {
		return err
	}
	redirect := RedirectToTLS(port)
	if c.IsSet("acme") {
		asked, err := openACME(c, log)
		if err != nil {
			return err
		}
		e.doors[0].TLS, e.names, e.keep = asked.TLS(), asked.Names(), asked.Keep
		redirect = asked.Answer(redirect)
	} else {
		files, err := OpenCertificate(c.String("tls-cert"), c.String("tls-key"), log)
		if err != nil {
			return err
		}
		e.doors[0].TLS, e.names = files.TLS(), files.Names()
	}
	for i := range e.doors[1:] {
		e.doors[1+i].Instead = redirect
	}
	return nil
}

// openACME prepares to ask for certificates, which are kept beside the database.
func openACME(c *cli.Context, log *slog.Logger) (*ACME, error) {
	request := CertificateRequest{
		Domains: c.StringSlice("acme"), Email: c.String("acme-email"), Directory: c.String("acme-directory"),
		Folder: c.String("db") + ".acme",
	}
	if path := c.String("acme-ca"); path != "" {
		var err error
		if request.Roots, err = readRoots("acme-ca", path); err != nil {
			return nil, err
		}
	}
	return NewACME(request, log)
}

// readRoots reads the certificates in the file that a flag names.
func readRoots(flag, path string) (*x509.CertPool, error) {
	text, err := disk.ReadText(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--%s %s: there is no certificate in it (PEM)", flag, path)
	}
	return roots, nil
}

// localAddress returns the address of the arena without TLS, for commands and bots on this machine.
func (e *entrance) localAddress() string { return server.Reachable(e.local.Addr()) }

// origins returns the addresses of the pages: the addresses in --origin, then one for each host in the certificates.
func (e *entrance) origins() []string {
	all := slices.Clone(e.named)
	if e.tls == nil {
		return all
	}
	_, port, err := net.SplitHostPort(e.tls.Addr().String())
	if err != nil {
		return all // an address of TCP has a port
	}
	for _, name := range e.names {
		all = append(all, strings.TrimSuffix("https://"+net.JoinHostPort(name, port), ":443"))
	}
	return all
}

// addresses returns the addresses of the arena for other machines, the best one first: the first of its origins, or
// without origins the addresses of this machine in its network. If only this machine can connect, it returns one
// address for this machine.
func (e *entrance) addresses() []string {
	if origins := e.origins(); len(origins) > 0 {
		return []string{strings.TrimSuffix(origins[0], "/")}
	}
	scheme, listener := "http://", e.local
	if e.tls != nil {
		scheme, listener = "https://", e.tls
	}
	all := []string{scheme + server.Reachable(listener.Addr())}
	if at, ok := listener.Addr().(*net.TCPAddr); ok && at.IP.IsUnspecified() {
		machine, err := net.InterfaceAddrs()
		if err != nil {
			return all // the host must know the other addresses
		}
		if others := outside(machine, scheme, strconv.Itoa(at.Port)); others != nil {
			return others
		}
	}
	return all
}

// outside returns the addresses of a machine that other machines can connect to: first IPv4 addresses in private
// networks, then other IPv4 addresses, then IPv6 addresses.
func outside(machine []net.Addr, scheme, port string) (all []string) {
	var private, public, later []string
	for _, address := range machine {
		network, ok := address.(*net.IPNet)
		if !ok || !network.IP.IsGlobalUnicast() {
			continue
		}
		group := &later
		switch {
		case network.IP.To4() != nil && network.IP.IsPrivate():
			group = &private
		case network.IP.To4() != nil:
			group = &public
		}
		*group = append(*group, scheme+net.JoinHostPort(network.IP.String(), port))
	}
	return slices.Concat(private, public, later)
}

// tell logs the addresses of the arena, and warnings.
func (e *entrance) tell(log *slog.Logger, db string) {
	all, listening := e.addresses(), e.local.Addr()
	if e.tls != nil {
		listening = e.tls.Addr()
	}
	pages := all[0]
	about := []any{"listening", listening, "bots", "ws" + strings.TrimPrefix(pages, "http") + "/bot", "pages", pages}
	if len(all) > 1 {
		about = append(about, "also", strings.Join(all[1:], " "))
	}
	if here := "http://" + e.localAddress(); here != pages {
		about = append(about, "on this machine", here)
	}
	log.Info("arena open", append(about, "db", db)...)
	e.warn(log, isLoopback(listening.String()))
}

// warn warns the host if the entrance does not fit its flags. here reports whether only this machine can connect.
func (e *entrance) warn(log *slog.Logger, here bool) {
	switch {
	case e.proxy: // others connect to the proxy, with TLS or without
	case here && e.public:
		log.Warn("everybody may look, but only this machine reaches the arena", "do", "leave --addr out, or name a proxy by --behind-proxy")
	case here:
	case !e.public:
		log.Warn("other people see no pages, and only bots with a token can play", "do", "start it with --public")
	}
	if !here && e.tls == nil {
		log.Warn("without TLS tokens travel in the clear: everybody on the way can read them", "see", "docs/HOSTING.md#tls")
	}
}

func (e *entrance) close() {
	if e.local != nil {
		e.local.Close()
	}
	for _, d := range e.doors {
		d.Listener.Close()
	}
}
