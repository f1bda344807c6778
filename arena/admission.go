package arena

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"

	"versus2048/protocol"
)

// Role says what a token is good for.
type Role string

// The roles.
const (
	BotRole      Role = "bot"      // to play under one name
	OperatorRole Role = "operator" // to run events from elsewhere than loopback
)

// Tokens knows the tokens that were made for bots and operators.
type Tokens interface {
	// HasToken tells whether a token was made for that name and not revoked.
	HasToken(ctx context.Context, role Role, name string) (bool, error)
	// ValidToken tells whether the token is such a one. A name of "" stands for
	// any name.
	ValidToken(ctx context.Context, role Role, name, token string) (bool, error)
}

// refusal is why a bot is not let in.
type refusal struct {
	code    protocol.Code
	message string
}

// admit decides whether a bot may play under the name it gives. From loopback
// anybody may take a name that no token was made for, unless tokens are
// required of all.
func (s *Server) admit(r *http.Request, hello protocol.Hello) (*refusal, error) {
	if reserved := s.roster.reservation(hello.Name); reserved != "" {
		if subtle.ConstantTimeCompare([]byte(reserved), []byte(hello.Token)) == 1 {
			return nil, nil
		}
		return &refusal{protocol.NameInUse, "the arena has started a bot of its own under this name"}, nil
	}
	if hello.Token != "" {
		valid, err := s.tokens.ValidToken(r.Context(), BotRole, hello.Name, hello.Token)
		if err != nil || valid {
			return nil, err
		}
		return &refusal{protocol.BadToken, "the token was not made for this name, or is revoked; leave it out if you have none"}, nil
	}
	owned, err := s.tokens.HasToken(r.Context(), BotRole, hello.Name)
	if err != nil {
		return nil, err
	}
	if owned || s.requireTokens || !fromLoopback(r) {
		return &refusal{protocol.TokenRequired, "this name needs a token; the arena's operator makes one with: arena token new NAME"}, nil
	}
	return nil, nil
}

// fromLoopback tells whether a request comes from this machine, and was meant
// for it. One that a proxy passed on does not count as such, and neither does
// one that a browser was led to by a name of another site.
func fromLoopback(r *http.Request) bool {
	if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" {
		return false
	}
	return loopbackHost(r.RemoteAddr) && loopbackHost(r.Host)
}

// loopbackHost tells whether an address such as 127.0.0.1:2048, [::1]:80 or
// localhost names this machine.
func loopbackHost(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
