package broker

import (
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
	"github.com/nats-io/nuid"
)

// Config says where an embedded NATS server listens, and where it keeps its streams.
type Config struct {
	Listen string      // an address such as 127.0.0.1:4222; port 0 takes a free one
	Folder string      // of its streams
	TLS    *tls.Config // nil for none
	Token  string      // the credential of workers, "" if they need none
	Farm   string      // whose files workers may read
}

// Server is a NATS server inside this process.
type Server struct {
	options *server.Options
	secret  string // of the arena's own connection

	starting sync.Mutex // held while the server starts once more
	mu       sync.Mutex
	server   *server.Server
}

// The users of the server.
const (
	arenaUser  = "arena"
	workerUser = "worker"
)

// loginTime is how long a connection may take to log in: more than the two seconds of NATS, which a busy machine may need.
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
	s := &Server{secret: nuid.Next() + nuid.Next()}
	s.options = &server.Options{
		ServerName: "versus2048", Host: host, Port: number, JetStream: true, StoreDir: c.Folder, NoSigs: true, NoLog: true,
		TLS: c.TLS != nil, TLSConfig: c.TLS, MaxPayload: maxPayload,
		AuthTimeout: loginTime.Seconds(), TLSTimeout: loginTime.Seconds() - 1,
		Users: []*server.User{{Username: arenaUser, Password: s.secret}, {Username: workerUser, Password: c.Token, Permissions: workerPermissions(c.Farm)}},
	}
	if c.Token == "" {
		s.options.NoAuthUser = workerUser
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
	address := s.server.Addr().(*net.TCPAddr)
	s.options.Port = address.Port // also when it starts once more
	return s, nil
}

// start starts the server.
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

// Restart starts the server once more, with what is in its folder. A stream of NATS that could not be written once, since
// the disk was full, is not written any more until then. Connections come back by themselves.
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

// probe returns why nothing can listen at an address: the server would end the process.
func probe(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// workerPermissions let a worker ask the arena, take tasks, keep its card, and read the files of a farm; not make tasks,
// nor answer in the arena's place. The files are those of the bucket FARM-files.
func workerPermissions(farm string) *server.Permissions {
	files := "OBJ_" + farm + "-files"
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"*.hello", "*.start.*", "*.report.*", "$KV.*.>", "$JS.ACK.>",
			"$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.CONSUMER.INFO.>", "$JS.API.CONSUMER.MSG.NEXT.>",
			"$JS.API.DIRECT.GET." + files, "$JS.API.DIRECT.GET." + files + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}
}

// Connect connects the arena to its server.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s), nats.UserInfo(arenaUser, s.secret), nats.Name("arena"), nats.MaxReconnects(-1), nats.Timeout(startTimeout))
}

// InProcessConn implements nats.InProcessConnProvider.
func (s *Server) InProcessConn() (net.Conn, error) { return s.current().InProcessConn() }

// URL returns where workers find the server.
func (s *Server) URL() string { return s.current().ClientURL() }

// Close ends the server.
func (s *Server) Close() {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.current().Shutdown()
	s.current().WaitForShutdown()
}
