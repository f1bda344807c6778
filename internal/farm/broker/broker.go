package broker

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Config sets the address of an embedded NATS server, the folder of its streams, and the rights of workers.
type Config struct {
	Listen string      // an address such as 127.0.0.1:4222; port 0 takes a free one
	Folder string      // of its streams
	TLS    *tls.Config // nil for none
	Token  string      // a secret that workers have to know: see Credential
	Name   string      // the server's name, which every connection learns before it logs in; "" for "versus2048"
	// Permits returns the subjects that the worker with that name may publish to and subscribe to, or an error if it may
	// not connect.
	Permits func(worker string) (publish, subscribe []string, err error)
}

// Server is a NATS server inside this process.
type Server struct {
	options *server.Options
	secret  string // of the arena's own connection

	starting sync.Mutex // held while the server starts once more
	mu       sync.Mutex
	server   *server.Server
}

// arenaUser is the user of the arena's own connection.
const arenaUser = "arena"

// loginTime is the longest time that a connection may take to log in. A busy machine may need more than the two seconds
// that NATS allows by default.
const loginTime = 5 * time.Second

// startTimeout limits how long the server takes to read its streams.
const startTimeout = 30 * time.Second

// Start starts a server. It returns an error if it cannot listen or read its streams.
func Start(c Config) (*Server, error) {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("port %q: want a number", port)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	if c.Token == "" {
		return nil, errors.New("want a token that workers have to know")
	}
	s := &Server{secret: rand.Text()}
	door, err := newDoor(s.secret, c.Token, c.Permits)
	if err != nil {
		return nil, err
	}
	s.options = &server.Options{
		ServerName: cmp.Or(c.Name, "versus2048"), Host: host, Port: number, JetStream: true, StoreDir: c.Folder, NoSigs: true, NoLog: true,
		TLS: c.TLS != nil, TLSConfig: c.TLS, MaxPayload: maxPayload, MaxConn: mostConnections,
		AuthTimeout: loginTime.Seconds(), TLSTimeout: loginTime.Seconds() - 1,
		CustomClientAuthentication: door, AlwaysEnableNonce: true,
	}
	if err := probe(c.Listen); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	s.options.Port = s.server.Addr().(*net.TCPAddr).Port // a restart takes the same port
	return s, nil
}

// Address returns the address that the server listens at.
func (s *Server) Address() string { return s.current().Addr().String() }

func (s *Server) start() error {
	started, err := server.NewServer(s.options)
	if err != nil {
		return err
	}
	go started.Start()
	if !started.ReadyForConnections(startTimeout) {
		started.Shutdown()
		return errors.New("it is not ready; its folder may be damaged or not writable: " + s.options.StoreDir)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = started
	return nil
}

// current returns the server that runs now.
func (s *Server) current() *server.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}

// Restart starts the server once more, with the content of its folder. If a write of a stream fails, for example on a
// full disk, NATS does not write that stream again before a restart. Connections come back by themselves.
func (s *Server) Restart() error {
	s.starting.Lock()
	defer s.starting.Unlock()
	before := s.current()
	before.Shutdown()
	before.WaitForShutdown()
	return s.start()
}

// maxPayload is the longest message: a game with the reports of all its searches.
const maxPayload = 8 << 20

// mostConnections limits the file descriptors that strangers take from the arena's process. Even a silent stranger
// keeps a connection for loginTime.
const mostConnections = 2500

// probe returns an error if nothing can listen at an address. In that case the server would end the process.
func probe(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// Connect connects the arena, or another part of this process, to the server, with all rights.
func (s *Server) Connect(more ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append([]nats.Option{
		nats.InProcessServer(s), nats.UserInfo(arenaUser, s.secret), nats.Name("arena"), nats.MaxReconnects(-1), nats.Timeout(startTimeout),
	}, more...)...)
}

// InProcessConn implements nats.InProcessConnProvider.
func (s *Server) InProcessConn() (net.Conn, error) { return s.current().InProcessConn() }

// URL returns the address of the server for workers.
func (s *Server) URL() string { return s.current().ClientURL() }

// Close ends the server.
func (s *Server) Close() {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.current().Shutdown()
	s.current().WaitForShutdown()
}
