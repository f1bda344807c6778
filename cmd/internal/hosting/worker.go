package hosting

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/urfave/cli/v2"

	"versus2048/internal/disk"
	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
	"versus2048/internal/server/gate"
)

// connectWorker connects a named worker to the NATS server of --nats. The worker proves that it knows the token of
// --farm-token or, on the arena's machine, the token that the arena has written for the arena's own user. The worker
// also proves that it has the key in its folder of files. If the address has a user, no token and no key are needed.
func connectWorker(c *cli.Context, name, folder string, log *slog.Logger) (*nats.Conn, error) {
	token, err := readFarmToken(c)
	if err != nil {
		return nil, err
	}
	options := []nats.Option{nats.CustomInboxPrefix(farm.Inbox(name))}
	if !strings.Contains(c.String("nats"), "@") {
		key, err := workerKey(folder)
		if err != nil {
			log.Warn("the worker's key is not kept: after a restart the worker needs another --name", "why", err)
		}
		f := &tokenFinder{token: token, given: token != ""}
		shown := broker.Credential{Worker: name, Key: key, Token: func() string { return f.token }}
		options = append(options, shown.Option(), nats.SetCustomDialer(f))
	}
	if roots := c.String("ca"); roots != "" {
		read := func() (*x509.CertPool, error) { return readRoots("ca", roots) } // read again after each loss of the connection
		if _, err := read(); err != nil {
			return nil, err
		}
		options = append(options, nats.ClientTLSConfig(nil, read))
	}
	return connectNATS(c, "is the arena running, with --farm, and the address right?", options...)
}

// keyName is the name of the file with the key of all workers of a folder.
const keyName = "key"

// workerKey returns the key of all workers of a folder of files. If the key cannot be read or written, workerKey
// returns a new key and the error; without a folder the key is always new.
func workerKey(folder string) (nkeys.KeyPair, error) {
	fresh, err := nkeys.CreateUser()
	if err != nil || folder == "" {
		return fresh, err
	}
	seed, err := fresh.Seed()
	if err != nil {
		return fresh, err
	}
	path := filepath.Join(folder, keyName)
	if err := writeOnce(path, seed); err != nil {
		return fresh, err
	}
	text, err := disk.Read(path)
	if err != nil {
		return fresh, err
	}
	kept, err := nkeys.FromSeed(text)
	if err != nil {
		return fresh, fmt.Errorf("%s: %w", path, err)
	}
	return kept, nil
}

// writeOnce writes a file that only this user can read, unless it exists. No reader sees a part of it.
func writeOnce(path string, text []byte) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	err := disk.WriteSecret(path, false, text)
	if exists := (*disk.ExistsError)(nil); errors.As(err, &exists) {
		return nil // another worker was first
	}
	return err
}

// localName returns a name for the NATS server: the path of the file with the token for workers. Only the arena's user
// can read the file.
func localName(folder string) string {
	path, err := filepath.Abs(folder + gate.OperatorSuffix)
	if err != nil {
		return ""
	}
	return url.PathEscape(path)
}

// tokenFinder dials NATS servers. Unless a token is given, it reads the token of a server on this machine from the file
// that the server's greeting names. It implements nats.CustomDialer.
type tokenFinder struct {
	token string // the given one, or the one of the server on this machine that was dialed last; "" for none
	given bool
}

// Dial implements nats.CustomDialer.
func (f *tokenFinder) Dial(network, at string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, at, greetingTime)
	if err != nil || f.given || !gate.IsLoopback(at) {
		return conn, err
	}
	greeting, err := readLine(conn)
	if err == nil {
		f.token, err = localToken(greeting, conn.RemoteAddr().String())
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return &greeted{conn, greeting}, nil
}

// greetingTime is the time that a server may take to greet, and longestGreeting the largest number of bytes of its
// greeting.
const (
	greetingTime    = 5 * time.Second
	longestGreeting = 32 << 10
)

// readLine reads the first line from a server, but at most longestGreeting bytes. It reads nothing beyond the line.
func readLine(conn net.Conn) (line []byte, err error) {
	if err := conn.SetReadDeadline(time.Now().Add(greetingTime)); err != nil {
		return nil, err
	}
	one := make([]byte, 1)
	for len(line) < longestGreeting && (len(line) == 0 || line[len(line)-1] != '\n') {
		if _, err := conn.Read(one); err != nil {
			return nil, fmt.Errorf("it does not greet as a NATS server does: %w", err)
		}
		line = append(line, one[0])
	}
	return line, conn.SetReadDeadline(time.Time{})
}

// localToken returns the token in the file that a server's greeting names, "" if it names none. The server is not
// trusted: the file must be for the server's own address.
func localToken(greeting []byte, at string) (string, error) {
	var info struct {
		Name string `json:"server_name"`
	}
	text, ok := strings.CutPrefix(string(greeting), "INFO ")
	if !ok || json.Unmarshal([]byte(text), &info) != nil {
		return "", nil
	}
	path, err := url.PathUnescape(info.Name)
	if err != nil || !strings.HasSuffix(path, gate.OperatorSuffix) {
		return "", nil
	}
	file, err := gate.ReadOperatorFile(path)
	if err != nil {
		return "", fmt.Errorf("the secret of the farm is for the arena's own user (%w): be that user, or give the arena and the worker a --farm-token", err)
	}
	if file.Address != at {
		return "", fmt.Errorf("%s is for the farm at %s, not for %s", path, file.Address, at)
	}
	return file.Secret, nil
}

// greeted is a connection with its first line put back.
type greeted struct {
	net.Conn
	greeting []byte
}

// Read implements net.Conn.
func (g *greeted) Read(p []byte) (int, error) {
	if len(g.greeting) > 0 {
		n := copy(p, g.greeting)
		g.greeting = g.greeting[n:]
		return n, nil
	}
	return g.Conn.Read(p)
}
