package protocol

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// A bot registers a free name with a token that it makes itself. The token is the code of an invitation, a dash and a
// secret; in an arena that is open to all, it is a secret alone. From then on the name needs exactly that token. A
// client sends it with every hello, the first one too, so a client need not know about registration.

const (
	codeLength  = 12
	leastSecret = 20 // characters
	base32      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// NoCode stands for the code of an invitation where an arena lets everybody register.
const NoCode = "open"

// NewCode returns the code of an invitation, with 60 random bits.
func NewCode() string { return rand.Text()[:codeLength] }

// IsCode reports whether a text has the form of an invitation's code.
func IsCode(text string) bool {
	return len(text) == codeLength && strings.Trim(text, base32) == ""
}

// ParseInvitation reads the link or the code of an invitation, or [NoCode] in small or capital letters. arena is the
// address in the link, such as http://192.168.1.5:2048, "" for a code alone.
func ParseInvitation(text string) (code, arena string, err error) {
	code = strings.TrimSpace(text)
	if link, err := url.Parse(code); err == nil && link.Host != "" {
		arena, code = link.Scheme+"://"+link.Host, link.Query().Get("invitation")
	}
	if strings.EqualFold(code, NoCode) {
		return NoCode, arena, nil
	}
	if code = strings.ToUpper(code); !IsCode(code) {
		return "", arena, fmt.Errorf("%.100q: want the link or the code of an invitation, such as %s, or %s for an arena that is open to all", text, "KQ7M2XWDPA5C", NoCode)
	}
	return code, arena, nil
}

// OwnToken returns a new token by which a bot registers a name, with the code of an invitation or [NoCode].
func OwnToken(code string) string {
	if code == NoCode {
		return rand.Text()
	}
	return code + "-" + rand.Text()
}

// CodeIn returns the code that a token begins with, in capital letters, and whether the rest is long enough to be a
// secret. The code is "" if the token begins with none; then the whole token is the secret.
func CodeIn(token string) (code string, isSecret bool) {
	secret := token
	if before, after, ok := strings.Cut(token, "-"); ok && IsCode(strings.ToUpper(before)) {
		code, secret = strings.ToUpper(before), after
	}
	return code, utf8.RuneCountInString(secret) >= leastSecret
}
