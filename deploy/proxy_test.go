//go:build hosting

package deploy_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"

	"github.com/gorilla/websocket"
)

// proxied is an arena behind a proxy, with a visitor who comes to it from elsewhere.
type proxied struct {
	*visitor
	arena, bot string // the programs
	db         string
	local      string // where the arena listens without TLS
	server     program
	operator   string // an operator's token
}

// newProxied starts an arena by the command of docs/HOSTING.md, for a proxy that is started after it.
func newProxied(t *testing.T) *proxied {
	t.Helper()
	served := testkit.NewArena(t)
	p := &proxied{arena: built(t, "arena"), bot: built(t, "bot"), db: filepath.Join(t.TempDir(), "arena.db"), local: served.Address}
	p.server = program{testkit.NewProgram(p.arena, "serve", "--db", p.db, "--addr", p.local,
		"--public", "--behind-proxy", "127.0.0.1", "--origin", "https://"+domain)}
	served.Run(t, p.server.Program)
	p.server.AwaitOutput(t, "pages=https://"+domain)
	p.operator = p.token(t, "--operator", "olga")
	return p
}

// token makes a token.
func (p *proxied) token(t *testing.T, who ...string) string {
	t.Helper()
	return strings.TrimSpace(finished(t, p.arena, append([]string{"token", "new", "--db", p.db}, who...)...))
}

// secretFiles makes a certificate that signs itself, by the command of docs/HOSTING.md, and its key.
func secretFiles(t *testing.T) (certificate, key string) {
	t.Helper()
	folder := t.TempDir()
	certificate, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	finished(t, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "365",
		"-subj", "/CN="+domain, "-addext", "subjectAltName=DNS:"+domain, "-keyout", key, "-out", certificate)
	return certificate, key
}

// nginxFrame is a configuration around the site that turns on everything that could break a stream.
const nginxFrame = `
daemon off;
user root;
pid %[1]s/pid;
error_log stderr info;
events {}
http {
	include /etc/nginx/mime.types;
	access_log %[1]s/access;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	gzip on;
	gzip_proxied any;
	gzip_types *;
	include %[1]s/arena.conf;
}
`

// replaced returns a text with replaced strings. Each of them must be in the text.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// write writes a file of a folder.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// An arena behind the real nginx with deploy/nginx.conf.
func TestNginx(t *testing.T) {
	t.Parallel()
	p := newProxied(t)
	certificate, key := secretFiles(t)
	secret, plain := freeAddress(t), freeAddress(t)
	startNginx(t, secret, plain, "/etc/letsencrypt/live/"+domain+"/fullchain.pem", certificate, "/etc/letsencrypt/live/"+domain+"/privkey.pem", key,
		"http://127.0.0.1:2048", "http://"+p.local)
	p.visitor = newVisitor(t, secret, certificate)

	p.isServed(t)
	t.Run("unknown host", func(t *testing.T) {
		request := p.request(t, http.MethodGet, "/", nil)
		request.Host = "evil.example.org"
		if response, _ := p.asks(t, request); response.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("answered %s", response.Status)
		}
	})
	t.Run("without TLS", func(t *testing.T) {
		request := p.request(t, http.MethodGet, "/events?x=1", nil)
		request.URL.Scheme, request.Host = "http", domain
		elsewhere := newVisitor(t, plain, certificate)
		if response, _ := elsewhere.asks(t, request); response.Header.Get("Location") != "https://"+domain+"/events?x=1" {
			t.Errorf("answered %s, to %q", response.Status, response.Header.Get("Location"))
		}
	})
}

// startNginx starts nginx with deploy/nginx.conf, for other addresses than ports 443 and 80, and with other
// changes.
func startNginx(t *testing.T, secret, plain string, changes ...string) program {
	t.Helper()
	folder := t.TempDir()
	site := replaced(t, file(t, "nginx.conf"), "listen [::]:80;", "", "listen [::]:443 ssl;", "", "listen 80;", "listen "+plain+";", "listen 443 ssl;", "listen "+secret+" ssl;")
	write(t, folder, "arena.conf", replaced(t, site, changes...))
	nginx := started(t, nil, "nginx", "-p", folder, "-c", write(t, folder, "nginx.conf", fmt.Sprintf(nginxFrame, folder)))
	testkit.Await(t, "nginx", func() bool { return accepts(secret) || nginx.Ended() })
	return nginx
}

// certbot gets a certificate through nginx, as it does each time that it renews one.
func TestCertbot(t *testing.T) {
	t.Parallel()
	certificate, key := secretFiles(t)
	secret, plain, folder := freeAddress(t), freeAddress(t), t.TempDir()
	authority := startAuthority(t, plain, freeAddress(t))
	web := filepath.Join(folder, "html")
	startNginx(t, secret, plain, "/etc/letsencrypt/live/"+domain+"/fullchain.pem", certificate, "/etc/letsencrypt/live/"+domain+"/privkey.pem", key,
		"root /var/www/html;", "root "+web+";")
	if err := os.Mkdir(web, 0o755); err != nil {
		t.Fatal(err)
	}
	certbot := started(t, []string{"REQUESTS_CA_BUNDLE=" + authority.certificate}, "certbot", "certonly", "--webroot", "-w", web, "-d", domain,
		"--deploy-hook", "touch "+folder+"/deployed", "--server", authority.directory, "--non-interactive", "--agree-tos", "--register-unsafely-without-email",
		"--config-dir", folder+"/config", "--work-dir", folder+"/work", "--logs-dir", folder+"/logs")
	if err := certbot.awaited(t); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"config/live/" + domain + "/fullchain.pem", "config/live/" + domain + "/privkey.pem", "deployed"} {
		if _, err := os.Stat(filepath.Join(folder, path)); err != nil {
			t.Error(err)
		}
	}
}

// An arena behind the real Caddy with deploy/Caddyfile, which gets its certificate from a real ACME server.
func TestCaddy(t *testing.T) {
	t.Parallel()
	p := newProxied(t)
	secret, plain, folder := freeAddress(t), freeAddress(t), t.TempDir()
	authority := startAuthority(t, plain, secret)
	options := fmt.Sprintf("{\n\tadmin off\n\thttps_port %s\n\thttp_port %s\n\tacme_ca %s\n\tacme_ca_root %s\n}\n",
		port(t, secret), port(t, plain), authority.directory, authority.certificate)
	config := write(t, folder, "Caddyfile", options+replaced(t, file(t, "Caddyfile"), "127.0.0.1:2048", p.local))
	caddy := started(t, []string{"HOME=" + folder, "XDG_DATA_HOME=" + folder, "XDG_CONFIG_HOME=" + folder}, "caddy", "run", "--adapter", "caddyfile", "--config", config)
	caddy.AwaitOutput(t, "certificate obtained successfully")
	p.visitor = newVisitor(t, secret, authority.roots(t))
	p.isServed(t)
}

// port returns the port of an address.
func port(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// isServed tests all that a proxy can break.
func (p *proxied) isServed(t *testing.T) {
	t.Run("bot", p.playsGames)
	t.Run("address", p.knowsTheVisitor)
	t.Run("stream", p.streamsAtOnce)
	t.Run("login", p.logsIn)
	t.Run("body", p.takesBodies)
	t.Run("long", p.waitsLong)
}

// playsGames plays an event with a bot that comes through the proxy, by a command that does, too.
func (p *proxied) playsGames(t *testing.T) {
	here := p.environment(t)
	bot := started(t, here, p.bot, "run", "greedy", "--name", "ann", "--token", p.token(t, "ann"), "--url", "wss://"+p.address()+"/bot")
	bot.AwaitOutput(t, "connected")
	command := started(t, here, p.arena, "event", "run", "--server", "https://"+p.address(), "--token", p.operator,
		"--bot", "ann", "--bot", "random", "--matches", "2", "--size", "3x3")
	if err := command.awaited(t); err != nil || !strings.Contains(command.Output.String(), "finished") {
		t.Errorf("the command ends with %v: %s", err, command.Output.String())
	}
	if !strings.Contains(p.server.Output.String(), "bot=ann from=\""+visitorAddress+" through 127.0.0.1:") {
		t.Error("the log does not say where the bot comes from")
	}
}

// knowsTheVisitor connects a bot that claims to come from elsewhere, which the arena does not believe.
func (p *proxied) knowsTheVisitor(t *testing.T) {
	for _, claim := range []string{"203.0.113.66", "127.0.0.1", "203.0.113.66, 127.0.0.1"} {
		headers := http.Header{"X-Forwarded-For": {claim}, "Forwarded": {"for=203.0.113.66"}, "X-Real-Ip": {claim}}
		if _, answer := p.connects(t, map[string]any{"type": "hello", "name": "eve"}, headers); answer["code"] != "token_required" {
			t.Errorf("a bot that claims to come from %s is answered %v", claim, answer)
		}
	}
	testkit.Await(t, "the refusals in the log", func() bool { return strings.Count(p.server.Output.String(), "bot=eve") == 3 })
	for line := range strings.Lines(p.server.Output.String()) {
		if strings.Contains(line, "bot=eve") && !strings.Contains(line, "from=\""+visitorAddress+" through 127.0.0.1:") {
			t.Errorf("the log believes the bot: %s", line)
		}
	}
}

// streamsAtOnce reads server-sent events. Each event has to arrive before the next one is sent.
func (p *proxied) streamsAtOnce(t *testing.T) {
	request := p.request(t, http.MethodGet, "/api/seen?bot=carol", nil)
	request.Header.Set("Accept-Encoding", "gzip, br") // a browser takes it, and is not sent it
	soon, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	response, err := p.client.Do(request.WithContext(soon))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream" || response.Header.Get("Content-Encoding") != "" {
		t.Fatalf("answered %s, %v", response.Status, response.Header)
	}
	lines := bufio.NewScanner(response.Body)
	expect := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("the stream ends before %s: %v", text, lines.Err())
	}
	expect(`"connected":false`)
	carol, _ := p.connects(t, map[string]any{"type": "hello", "name": "carol", "token": p.token(t, "carol")}, nil)
	expect(`"connected":true`)
	carol.Close()
	expect("event: beat")
}

// logsIn logs in as an operator's browser does.
func (p *proxied) logsIn(t *testing.T) {
	form := url.Values{"token": {p.operator}}.Encode()
	for origin, want := range map[string]int{"https://" + domain: http.StatusSeeOther, "https://evil.example.org": http.StatusForbidden} {
		request := p.request(t, http.MethodPost, "/login", &form)
		request.Host = domain // as with the usual port
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", origin)
		response, body := p.asks(t, request)
		if response.StatusCode != want {
			t.Errorf("%s: answered %s: %s", origin, response.Status, body)
		}
		if cookies := response.Cookies(); want == http.StatusSeeOther && (len(cookies) != 1 || !cookies[0].Secure || !cookies[0].HttpOnly) {
			t.Errorf("the cookie is %v", cookies)
		}
	}
}

// takesBodies sends bodies about as long as the arena takes: the answer is the arena's own.
func (p *proxied) takesBodies(t *testing.T) {
	for _, size := range []int{1_000_000, 1_500_000} {
		body := `{"bots":["` + strings.Repeat("x", size) + `"]}`
		request := p.request(t, http.MethodPost, "/api/events", &body)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+p.operator)
		if response, text := p.asks(t, request); !strings.HasPrefix(text, `{"error":`) {
			t.Errorf("%d bytes are answered %s: %.200s", size, response.Status, text)
		}
	}
}

// thinking is longer than a proxy waits by default for an answer.
const thinking = 65 * time.Second

// waitsLong plays with a bot that thinks long, by a command that waits for the end: neither connection is
// lost, though nothing happens meanwhile.
func (p *proxied) waitsLong(t *testing.T) {
	slow, answer := p.connects(t, map[string]any{"type": "hello", "name": "slow", "slots": 2, "token": p.token(t, "slow")}, nil)
	if answer["type"] != "welcome" {
		t.Fatalf("the bot is answered %v", answer)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go thinkLong(ctx, slow)
	command := started(t, p.environment(t), p.arena, "event", "run", "--server", "https://"+p.address(), "--token", p.operator,
		"--bot", "slow", "--bot", "random", "--matches", "1", "--size", "2x2", "--concurrency", "2", "--time-per-move", "100s", "--quiet")
	if err := command.awaited(t); err != nil {
		t.Errorf("the command ends with %v: %s", err, command.Output.String())
	}
	games := finished(t, p.arena, "games", "--db", p.db, "--bot", "slow", "--format", "json")
	if strings.Count(games, "illegal-move") != 2 || strings.Contains(games, "disconnect") {
		t.Errorf("the games ended otherwise: %s", games)
	}
}

// thinkLong answers each request after a long while, with a move that is none.
func thinkLong(ctx context.Context, bot *websocket.Conn) {
	answers := make(chan map[string]any)
	go func() {
		for {
			select {
			case answer := <-answers:
				if bot.WriteJSON(answer) != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		m := map[string]any{}
		if bot.ReadJSON(&m) != nil {
			return
		}
		if m["type"] == "request" {
			time.AfterFunc(thinking, func() {
				select {
				case answers <- map[string]any{"type": "move", "game": m["game"], "ply": m["ply"], "move": "nowhere"}:
				case <-ctx.Done():
				}
			})
		}
	}
}

// request returns a request to the arena, with a body unless it is nil.
func (p *proxied) request(t *testing.T, method, path string, body *string) *http.Request {
	t.Helper()
	var from io.Reader
	if body != nil {
		from = strings.NewReader(*body)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, "https://"+p.address()+path, from)
	if err != nil {
		t.Fatal(err)
	}
	return request
}
