package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Secret is the key that signs requests. An empty one signs nothing.
type Secret []byte

// The lengths of a key in bytes, by the Standard Webhooks.
const (
	shortestSecret = 24
	longestSecret  = 64
)

// ParseSecret returns the key in a text, which may have space around it: "whsec_" and 24 to 64 bytes in base64, the
// form that libraries for the Standard Webhooks expect. Errors do not contain the key.
func ParseSecret(text string) (Secret, error) {
	encoded, found := strings.CutPrefix(strings.TrimSpace(text), "whsec_")
	if !found {
		return nil, errors.New("a secret begins with whsec_, followed by 24 to 64 bytes in base64: make one with arena webhook secret FILE")
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, errors.New("a secret must have base64 after whsec_: make one with arena webhook secret FILE")
	}
	if len(key) < shortestSecret || len(key) > longestSecret {
		return nil, fmt.Errorf("a secret of %d bytes: want %d to %d", len(key), shortestSecret, longestSecret)
	}
	return key, nil
}

// NewSecret returns a new random key of 32 bytes.
func NewSecret() Secret {
	key := make([]byte, shortestSecret+8)
	_, _ = rand.Read(key) // it never fails
	return key
}

// Text returns the secret as ParseSecret reads it.
func (s Secret) Text() string { return "whsec_" + base64.StdEncoding.EncodeToString(s) }

// String keeps the key out of logs and errors.
func (s Secret) String() string { return "(secret)" }

// LogValue implements slog.LogValuer. It keeps the key out of logs, too.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// sign sets the headers with the id, the time and the signature of a body. The signature, which an empty secret leaves
// out, proves the sender to the receiver. By the id the receiver knows a body that was sent before. A body that is
// older than some minutes may come from somebody who has copied it.
func (s Secret) sign(h http.Header, id string, now time.Time, body []byte) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", timestamp)
	if len(s) == 0 {
		return
	}
	code := hmac.New(sha256.New, s)
	fmt.Fprintf(code, "%s.%s.%s", id, timestamp, body)
	h.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(code.Sum(nil)))
}
