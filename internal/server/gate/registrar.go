package gate

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"versus2048/protocol"
)

// Registration is a mode of registration: it decides how bots get names of their own.
type Registration string

// The modes.
const (
	RegistrationClosed       Registration = "closed" // the host makes all tokens
	RegistrationByInvitation Registration = "invite" // a bot with an invitation's code takes a free name
	RegistrationOpen         Registration = "open"   // every bot takes a free name
)

// Registrations returns all modes, the strictest first.
func Registrations() []Registration {
	return []Registration{RegistrationClosed, RegistrationByInvitation, RegistrationOpen}
}

// Register keeps the registered names and the invitations. results.Tokens has these methods.
type Register interface {
	// Invitation returns the number of the invitation with a code, 0 if there is none. fault is the reason why the
	// invitation is not valid, "" if it is.
	Invitation(ctx context.Context, code string) (id int64, fault string, err error)
	// Register gives a name to the bot that has made a token. The invitation is 0 if there is none. Register returns
	// false if the name is not free, if the token was used before, or if the invitation is not valid any more.
	Register(ctx context.Context, name, token string, invitation int64) (bool, error)
}

// Registrar registers the names of bots. Its methods may be called from several goroutines.
type Registrar struct {
	mode     Registration
	register Register
	owners   *Owners
	pace     pace
	mu       sync.Mutex // one registration at a time, since two names must not look alike
}

// NewRegistrar returns the registrar of an arena. Without a register or a mode it is closed.
func NewRegistrar(mode Registration, register Register, owners *Owners) *Registrar {
	if register == nil || mode == "" {
		mode = RegistrationClosed
	}
	return &Registrar{mode: mode, register: register, owners: owners, pace: newPace()}
}

// Registration returns the mode of the registrar.
func (r *Registrar) Registration() Registration { return r.mode }

// Invitation lets bots register names. It does not have the code.
type Invitation struct {
	ID      int64     `json:"id"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Names   int       `json:"names"` // the number of names that bots may register with it
	Taken   int       `json:"taken"` // the number of names that bots have registered with it
	Revoked bool      `json:"revoked"`
}

// Applicant is a bot that may register a free name.
type Applicant struct {
	Token      string
	Invitation int64 // 0 for none
}

// mostNames is the largest number of names with a token in an open arena: beyond it, no name is registered. An arena
// with invitations has no such limit.
const mostNames = 1000

// wrongToken is the beginning of the refusal of a token that no bot may register with.
const wrongToken = "the token was not made for this name, or is revoked"

// Advice returns the advice for the author of a bot without a token: the way to get one.
func (r *Registrar) Advice() string {
	switch r.mode {
	case RegistrationByInvitation:
		return "ask the arena's host for an invitation, and give its code with --invitation, or as the beginning of a token of your own, CODE-SECRET"
	case RegistrationOpen:
		return "make one yourself: give the bot --invitation " + protocol.NoCode + ", or a token of at least 20 characters"
	}
	return "the arena's operator makes one with: arena token new NAME"
}

// Check decides whether a bot from an address may register a free name with a token that the arena does not know. It
// returns a refusal, or the applicant. It does not get the name, so that no refusal reveals which names have a token.
func (r *Registrar) Check(ctx context.Context, from netip.Addr, token string) (Applicant, *protocol.Refusal, error) {
	applicant := Applicant{Token: token}
	if r.mode == RegistrationClosed {
		return applicant, &protocol.Refusal{Code: protocol.BadToken, Message: wrongToken + "; leave it out if you have none"}, nil
	}
	code, isSecret := protocol.CodeIn(token)
	switch {
	case r.mode == RegistrationByInvitation && code == "":
		return applicant, &protocol.Refusal{Code: protocol.BadToken, Message: wrongToken + "; to register a free name, " + r.Advice()}, nil
	case !isSecret:
		return applicant, &protocol.Refusal{Code: protocol.BadToken, Message: wrongToken + "; to register a free name, its secret needs at least 20 characters"}, nil
	case !r.pace.allow(from):
		return applicant, &protocol.Refusal{Code: protocol.Busy, Message: "too many bots want to register now; try again in a minute"}, nil
	case r.mode == RegistrationOpen:
		return applicant, nil, nil
	}
	id, fault, err := r.register.Invitation(ctx, code)
	if err == nil && fault != "" {
		return applicant, &protocol.Refusal{Code: protocol.BadToken, Message: fmt.Sprintf("%s; the invitation %s is not valid: %s", wrongToken, code, fault)}, nil
	}
	applicant.Invitation = id
	return applicant, nil, err
}

// Register gives a name to an applicant. It returns a refusal if the name looks like another one, if an open arena has
// no room for more names, or if the register does not give the name.
func (r *Registrar) Register(ctx context.Context, name string, a Applicant) (*protocol.Refusal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	alike, count, err := r.owners.now(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case alike != "":
		return &protocol.Refusal{Code: protocol.NameAlike, Message: fmt.Sprintf("the name looks like %q, which a token was made for: take another one", alike)}, nil
	case r.mode == RegistrationOpen && count >= mostNames:
		return &protocol.Refusal{Code: protocol.Busy, Message: "no more names can be registered here: the arena's host has to revoke some, or to make a token"}, nil
	}
	done, err := r.register.Register(ctx, name, a.Token, a.Invitation)
	if err != nil || done {
		return nil, err
	}
	return NameTaken(), nil
}

// NameTaken returns the refusal of a name that is not free.
func NameTaken() *protocol.Refusal {
	return &protocol.Refusal{
		Code:    protocol.BadToken,
		Message: "the name is taken, or has played here: take another one; if it is yours, give the token that it was registered with, or ask the arena's host for a new one (arena token reset NAME)",
	}
}
