package broker_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
)

// selfSigned returns a certificate for 127.0.0.1, and the pool of roots of a client that trusts it.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "farm"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func start(t *testing.T, c broker.Config) *broker.Server {
	t.Helper()
	c.Listen, c.Folder, c.Token, c.Permits = "127.0.0.1:0", t.TempDir(), token, farm.Name("farm").Permits
	s, err := broker.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

const token = "the right token"

func newKey(t *testing.T) nkeys.KeyPair {
	t.Helper()
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// credential returns the credential of a worker with a token.
func credential(worker string, key nkeys.KeyPair, token string) nats.Option {
	return broker.Credential{Worker: worker, Key: key, Token: func() string { return token }}.Option()
}

// A client that reaches a server from elsewhere needs its certificate and its token.
func TestTLSAndToken(t *testing.T) {
	certificate, trusted := selfSigned(t)
	s := start(t, broker.Config{TLS: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13}})
	if conn, err := s.Connect(); err != nil {
		t.Errorf("the arena itself: %v", err)
	} else {
		conn.Close()
	}
	key := newKey(t)
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	right := credential("w1", key, token)
	if conn, err := nats.Connect(s.URL(), nats.Secure(&tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS13}), right, nats.Timeout(20*time.Second)); err != nil {
		t.Fatal(err)
	} else {
		conn.Close() // and keeps its name
	}
	roots := nats.Secure(&tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS13})
	for name, c := range map[string]struct {
		options []nats.Option
		want    error // nil for a connection; any other error fails, too
	}{
		"right":         {[]nats.Option{roots, right}, nil},
		"wrong token":   {[]nats.Option{roots, credential("w1", key, "another token")}, nats.ErrAuthorization},
		"no token":      {[]nats.Option{roots, credential("w1", key, "")}, nats.ErrAuthorization},
		"nothing":       {[]nats.Option{roots}, nats.ErrAuthorization},
		"another sign":  {[]nats.Option{roots, right, nats.Nkey(public, newKey(t).Sign)}, nats.ErrAuthorization},
		"another key":   {[]nats.Option{roots, credential("w1", newKey(t), token)}, nats.ErrAuthorization},
		"no name":       {[]nats.Option{roots, credential("*", key, token)}, nats.ErrAuthorization},
		"arena's user":  {[]nats.Option{roots, nats.UserInfo("arena", token)}, nats.ErrAuthorization},
		"not trusted":   {[]nats.Option{right}, errAny},
		"another roots": {[]nats.Option{nats.RootCAs("/dev/null"), right}, errAny},
	} {
		conn, err := nats.Connect(s.URL(), append(c.options, nats.Timeout(20*time.Second))...)
		if conn != nil {
			conn.Close()
		}
		if (err == nil) != (c.want == nil) || c.want != nil && c.want != errAny && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

var errAny = errors.New("any error")

// A worker can neither make tasks nor answer in the arena's place, nor speak or listen in the place of another worker.
func TestWhatWorkersMayNotDo(t *testing.T) {
	s := start(t, broker.Config{})
	refused := make(chan error, 10)
	worker, err := nats.Connect(s.URL(), credential("w1", newKey(t), token), nats.Timeout(20*time.Second), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	for _, subject := range []string{
		"farm.task.plain", "$JS.API.STREAM.PURGE.farm-tasks", "$JS.API.STREAM.DELETE.farm-tasks", "$JS.API.CONSUMER.CREATE.farm-tasks",
		"farm.hello", "farm.hello.w2", "farm.start.T.w2", "farm.start.T.w1.w2", "farm.report.T.w2", "$KV.farm-workers.w2", "_INBOX.w2.x",
	} {
		if err := worker.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		if err := <-refused; !strings.Contains(err.Error(), subject) {
			t.Errorf("publishing to %s: %v", subject, err)
		}
	}
	for _, subject := range []string{"farm.hello", "farm.report.>", ">", "_INBOX.>", "_INBOX.w2.>", "_INBOX.*.x", "$JS.ACK.>"} {
		if _, err := worker.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		if err := <-refused; !strings.Contains(err.Error(), `"`+subject+`"`) {
			t.Errorf("subscribing to %s: %v", subject, err)
		}
	}
}

// Impossible settings are reported, and end no process.
func TestStartErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for want, c := range map[string]broker.Config{
		"in use":        {Listen: taken.Addr().String(), Folder: t.TempDir(), Token: token},
		"missing port":  {Listen: "127.0.0.1", Folder: t.TempDir(), Token: token},
		"want a number": {Listen: "127.0.0.1:http", Folder: t.TempDir(), Token: token},
		"want a token":  {Listen: "127.0.0.1:0", Folder: t.TempDir()},
	} {
		if s, err := broker.Start(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, %v, want %q", c, s, err, want)
		}
	}
	if s, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: "/dev/null/x", Token: token}); err == nil {
		s.Close()
		t.Error("a folder that cannot be is no error")
	}
}

// A server that starts once more has its streams, and connections come back to it.
func TestRestart(t *testing.T) {
	s := start(t, broker.Config{})
	arena, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	js, err := jetstream.New(arena)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "kept", Subjects: []string{"kept"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, "kept", []byte("before")); err != nil {
		t.Fatal(err)
	}
	url := s.URL()
	worker, err := nats.Connect(url, credential("w1", newKey(t), token), nats.Timeout(20*time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	if err := s.Restart(); err != nil || s.URL() != url {
		t.Fatalf("restarted at %s, want %s: %v", s.URL(), url, err)
	}
	for _, conn := range []*nats.Conn{arena, worker} {
		err, end := conn.FlushTimeout(10*time.Second), time.Now().Add(time.Minute)
		for err != nil && time.Now().Before(end) {
			<-time.After(10 * time.Millisecond) // it had not noticed the loss
			err = conn.FlushTimeout(10 * time.Second)
		}
		if err != nil {
			t.Errorf("%s has not come back: %v", conn.Opts.Name, err)
		}
	}
	stream, err := js.Stream(ctx, "kept")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(ctx); err != nil || info.State.Msgs != 1 {
		t.Errorf("the stream has %+v, %v; want a message", info, err)
	}
}
