package arena

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"versus2048/protocol"
)

// admission decides who may play on the arena and who may operate it.
type admission struct {
	roster        *roster
	tokens        Tokens
	requireTokens bool // from bots on loopback, too
}

// refusal is the reason why a bot is not admitted.
type refusal struct {
	code    protocol.Code
	message string
}

// admitBot decides whether a bot may play under the name it gives. From
// loopback, a bot may use any name that has no token, unless every bot needs a
// token. admitBot returns nil if the bot is admitted.
func (a *admission) admitBot(r *http.Request, hello protocol.Hello) (*refusal, error) {
	if reserved := a.roster.reservation(hello.Name); reserved != "" {
		if subtle.ConstantTimeCompare([]byte(reserved), []byte(hello.Token)) == 1 {
			return nil, nil
		}
		return &refusal{protocol.NameInUse, "the arena has started a bot of its own under this name"}, nil
	}
	if hello.Token != "" {
		valid, err := a.tokens.ValidToken(r.Context(), BotRole, hello.Name, hello.Token)
		if err != nil || valid {
			return nil, err
		}
		return &refusal{protocol.BadToken, "the token was not made for this name, or is revoked; leave it out if you have none"}, nil
	}
	owned, err := a.tokens.HasToken(r.Context(), BotRole, hello.Name)
	if err != nil {
		return nil, err
	}
	if owned || a.requireTokens || !fromLoopback(r) {
		return &refusal{protocol.TokenRequired, "this name needs a token; the arena's operator makes one with: arena token new NAME"}, nil
	}
	return nil, nil
}

// Reasons why a request is forbidden.
var (
	errForbidden = errors.New("only requests from this machine, to its loopback address, need no operator's token; create one with: arena token new --operator NAME")
	errBadToken  = errors.New("the token is not an operator's, or it is revoked")
)

// admitOperator returns nil if the request is an operator's: a request from
// loopback, or one with an operator's token. A page of another site, open in a
// browser on this machine, is not an operator. admitOperator returns
// errForbidden, errBadToken, or an error of the store.
func (a *admission) admitOperator(r *http.Request) error {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		valid, err := a.tokens.ValidToken(r.Context(), OperatorRole, "", token)
		if err != nil || valid {
			return err
		}
		return errBadToken
	}
	if !fromLoopback(r) || r.Header.Get("Origin") != "" {
		return errForbidden
	}
	return nil
}
