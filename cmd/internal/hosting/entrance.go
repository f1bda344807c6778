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
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/arena/certificate"
	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/wholefile"
)

// defaultSecret is the address on which an arena listens with TLS.
const defaultSecret = ":443"

// entranceFlags say where an arena is reached, and with which certificate.
func entranceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "addr", Value: DefaultAddress, DefaultText: DefaultAddress + ", with TLS " + defaultSecret, Usage: "address to listen on; port 0 takes a free one"},
		&cli.StringFlag{Name: "tls-cert", Usage: "speak TLS with the certificate and its chain in this `FILE` (PEM); when the file is renewed, so is the certificate"},
		&cli.StringFlag{Name: "tls-key", Usage: "the `FILE` of its key (PEM)"},
		&cli.StringSliceFlag{Name: "acme", Usage: "speak TLS with a certificate for this `DOMAIN`, which the arena gets and renews by ACME from Let's Encrypt, whose terms you accept with that; repeat it for more"},
		&cli.StringFlag{Name: "acme-email", Usage: "where Let's Encrypt may write to"},
		&cli.StringFlag{Name: "acme-directory", Usage: "the `URL` of another ACME server's directory"},
		&cli.StringFlag{Name: "acme-ca", Usage: "a `FILE` of certificates (PEM) by which that server is trusted, in place of the system's"},
		&cli.StringFlag{Name: "http-addr", Usage: "with TLS: an `ADDRESS` such as :80 whose visitors are led to TLS; ACME can ask there, too"},
		&cli.StringFlag{Name: "local-addr", Value: DefaultAddress, Usage: "with TLS: where commands and bots of this machine find the arena without it"},
	}
}

// entrance is where an arena is reached.
type entrance struct {
	local  net.Listener // without TLS; if there is TLS, on this machine only
	secret net.Listener // with TLS, nil for none
	doors  []arena.Door // beside local
	names  []string     // for which there are certificates
	named  []string     // the addresses that --origin names
	keep   func(context.Context)
}

// openEntrance listens where entranceFlags say. Its files of certificates are read, or asked for by keep.
func openEntrance(c *cli.Context, log *slog.Logger) (e *entrance, err error) {
	secret, err := checkTLSFlags(c)
	if err != nil {
		return nil, err
	}
	e = &entrance{named: c.StringSlice("origin"), keep: func(context.Context) {}}
	defer func() {
		if err != nil {
			e.close()
			e = nil
		}
	}()
	if !secret {
		e.local, err = listen(c.String("addr"), "--addr")
		return e, err
	}
	if err := e.listenSecretly(c); err != nil {
		return e, err
	}
	return e, e.openCertificates(c, log)
}

// checkTLSFlags reports whether an arena is to speak TLS.
func checkTLSFlags(c *cli.Context) (secret bool, err error) {
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
		if err := certificate.CheckDomain(domain); err != nil {
			return false, cmdline.Usagef("--acme %w", err)
		}
	}
	return files || asked, checkLocal(c)
}

// checkLocal returns an error if --local-addr can be reached from other machines.
func checkLocal(c *cli.Context) error {
	if !isLoopback(c.String("local-addr")) {
		return cmdline.Usagef("--local-addr %q: want an address that only this machine reaches, such as %s", c.String("local-addr"), DefaultAddress)
	}
	return nil
}

// listenSecretly listens where an arena with TLS does.
func (e *entrance) listenSecretly(c *cli.Context) (err error) {
	address := defaultSecret
	if c.IsSet("addr") {
		address = c.String("addr")
	}
	if e.secret, err = listen(address, "--addr"); err != nil {
		return err
	}
	e.doors = []arena.Door{{Listener: e.secret}}
	if e.local, err = listen(c.String("local-addr"), "--local-addr"); err != nil {
		return err
	}
	if !c.IsSet("http-addr") {
		return nil
	}
	plain, err := listen(c.String("http-addr"), "--http-addr")
	if err == nil {
		e.doors = append(e.doors, arena.Door{Listener: plain})
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
	_, port, err := net.SplitHostPort(e.secret.Addr().String())
	if err != nil {
		return err
	}
	redirect := certificate.Redirect(port)
	if c.IsSet("acme") {
		asked, err := openACME(c, log)
		if err != nil {
			return err
		}
		e.doors[0].TLS, e.names, e.keep = asked.TLS(), asked.Names(), asked.Keep
		redirect = asked.Answer(redirect)
	} else {
		files, err := certificate.Open(c.String("tls-cert"), c.String("tls-key"), log)
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
func openACME(c *cli.Context, log *slog.Logger) (*certificate.ACME, error) {
	request := certificate.Request{
		Domains: c.StringSlice("acme"), Email: c.String("acme-email"), Directory: c.String("acme-directory"),
		Folder: c.String("db") + ".acme",
	}
	if path := c.String("acme-ca"); path != "" {
		var err error
		if request.Roots, err = readRoots("acme-ca", path); err != nil {
			return nil, err
		}
	}
	return certificate.NewACME(request, log)
}

// readRoots reads the certificates in the file that a flag names.
func readRoots(flag, path string) (*x509.CertPool, error) {
	text, err := wholefile.ReadText(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--%s %s: there is no certificate in it (PEM)", flag, path)
	}
	return roots, nil
}

// localAddress returns the address by which commands and bots of this machine reach the arena without TLS.
func (e *entrance) localAddress() string { return arena.Reachable(e.local.Addr()) }

// origins returns the addresses of the pages: those that --origin names, then those of the certificates.
func (e *entrance) origins() []string {
	all := slices.Clone(e.named)
	if e.secret == nil {
		return all
	}
	_, port, err := net.SplitHostPort(e.secret.Addr().String())
	if err != nil {
		return all // an address of TCP has a port
	}
	for _, name := range e.names {
		all = append(all, strings.TrimSuffix("https://"+net.JoinHostPort(name, port), ":443"))
	}
	return all
}

// pages returns the address by which others reach the arena.
func (e *entrance) pages() string {
	switch origins := e.origins(); {
	case len(origins) > 0:
		return strings.TrimSuffix(origins[0], "/")
	case e.secret != nil:
		return "https://" + arena.Reachable(e.secret.Addr())
	}
	return "http://" + e.localAddress()
}

// tell logs where the arena is reached.
func (e *entrance) tell(log *slog.Logger, db string) {
	pages, listening := e.pages(), e.local.Addr()
	if e.secret != nil {
		listening = e.secret.Addr()
	}
	about := []any{"listening", listening, "bots", "ws" + strings.TrimPrefix(pages, "http") + "/bot", "pages", pages}
	if here := "http://" + e.localAddress(); here != pages {
		about = append(about, "on this machine", here)
	}
	log.Info("arena open", append(about, "db", db)...)
}

// close closes what is open.
func (e *entrance) close() {
	if e.local != nil {
		e.local.Close()
	}
	for _, d := range e.doors {
		d.Listener.Close()
	}
}
