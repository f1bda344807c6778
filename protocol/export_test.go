package protocol

import "time"

// DecodeFromBot decodes a message as an arena does.
func DecodeFromBot(text []byte) (Message, error) { return decode(text, fromBot) }

// SplitFields is splitFields.
func SplitFields(text []byte) (map[string][]byte, error) { return splitFields(text) }

// Lag and RoundTrip are of the last reply.
func (t *Seat) Lag() time.Duration       { return t.reply.Lag }
func (t *Seat) RoundTrip() time.Duration { return t.reply.RoundTrip }

// Complaint returns the bot's last mistake since the last request, or "".
func (t *Seat) Complaint() string {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	return t.complaint
}
