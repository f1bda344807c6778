// Package registration decides which bots get a name of their own, with a token that the bot has made itself.
//
//	owners := registration.NewOwners(tokens)
//	registrar := registration.NewRegistrar(registration.Invite, tokens, owners)
//	applicant, refusal, err := registrar.Check(ctx, address, protocol.OwnToken(code))
//	if refusal == nil && err == nil {
//		refusal, err = registrar.Register(ctx, "corner keeper", applicant)
//	}
//
// A name is free if no token was ever made for it, and no bot of that name has played. A free name must not look like one
// that has a token.
package registration
