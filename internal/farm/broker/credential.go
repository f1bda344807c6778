package broker

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"sync"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Credential proves that a worker knows the token of a farm, and that the worker's name is its own. The worker signs
// the server's challenge, and shows a JWT for its key. Whoever knows the token can issue such a JWT. The worker sends
// neither the token nor the private key, so that a false server learns neither.
type Credential struct {
	Worker string        // the worker's name
	Key    nkeys.KeyPair // the worker's own user key; a worker with another key cannot have the same name
	// Token returns the token of the farm, "" if the server asks for none. It is called for each connection.
	Token func() string
}

// Option lets a connection show the credential.
func (c Credential) Option() nats.Option {
	return func(o *nats.Options) error {
		public, err := c.Key.PublicKey()
		if err != nil {
			return err
		}
		o.Nkey, o.SignatureCB = public, c.Key.Sign
		// The claims travel as a token: a server without an operator discards a JWT.
		o.TokenHandler = func() string { return c.claims(public) }
		return nil
	}
}

// claims returns a JWT for a public key, with the worker's name, or "" if there is no token.
func (c Credential) claims(public string) string {
	token := c.Token()
	if token == "" {
		return ""
	}
	claims := jwt.NewUserClaims(public)
	claims.Name = c.Worker
	farm, err := keyOf(token)
	if err != nil {
		return ""
	}
	text, _ := claims.Encode(farm) // after an error the text is ""
	return text
}

// keyOf returns the key that issues the JWTs of a farm's workers. It is derived from the token.
func keyOf(token string) (nkeys.KeyPair, error) {
	seed := sha256.Sum256([]byte(token))
	return nkeys.FromRawSeed(nkeys.PrefixByteAccount, seed[:])
}

// mostNames bounds the memory for workers' names: somebody with the token may use any number of names.
const mostNames = 10_000

// door implements server.Authentication. It accepts the arena, and workers with a credential. A name belongs to the
// first key that has come with it, until the server is closed.
type door struct {
	secret  string // of the arena
	issuer  string // the public key of the farm's token
	permits func(worker string) (publish, subscribe []string, err error)

	mu    sync.Mutex
	names map[string]string // the public keys of workers, by name
}

// newDoor returns the door of a farm with a token.
func newDoor(secret, token string, permits func(string) (publish, subscribe []string, err error)) (*door, error) {
	farm, err := keyOf(token)
	if err != nil {
		return nil, err
	}
	issuer, err := farm.PublicKey()
	return &door{secret: secret, issuer: issuer, permits: permits, names: map[string]string{}}, err
}

// Check implements server.Authentication.
func (d *door) Check(c server.ClientAuthentication) bool {
	shown := c.GetOpts()
	if shown.Username == arenaUser && subtle.ConstantTimeCompare([]byte(shown.Password), []byte(d.secret)) == 1 {
		c.RegisterUser(&server.User{Username: arenaUser}) // without limits
		return true
	}
	claims, err := jwt.DecodeUserClaims(shown.Token) // decoding also checks their signature
	if err != nil || claims.Issuer != d.issuer || claims.Subject != shown.Nkey || !signed(c.GetNonce(), shown.Nkey, shown.Sig) {
		return false
	}
	publish, subscribe, err := d.permits(claims.Name)
	if err != nil || !d.admits(claims.Name, claims.Subject) {
		return false
	}
	c.RegisterUser(&server.User{Username: claims.Name, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe},
	}})
	return true
}

// signed reports whether the owner of a public key has signed a nonce.
func signed(nonce []byte, public, signature string) bool {
	key, err := nkeys.FromPublicKey(public)
	if err != nil {
		return false
	}
	sig, err := base64.RawURLEncoding.DecodeString(signature)
	return err == nil && key.Verify(nonce, sig) == nil
}

// admits reports whether a key may have a name. A new name belongs to the key from then on.
func (d *door) admits(name, key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	owner, known := d.names[name]
	if !known && len(d.names) < mostNames {
		d.names[name], owner = key, key
	}
	return owner == key
}
