package roster

import (
	"testing"
	"time"

	"versus2048/protocol"
	"versus2048/tournament"
)

// A bot that has never been connected plays no games now, and may come.
func TestRemoteBotIsNotConnected(t *testing.T) {
	session := protocol.NewSession(protocol.Hello{Name: "ann", Slots: 2}, time.Minute)
	bot := RemoteBot{Name: "ann", Session: session, Grace: time.Minute}
	if n, p := bot.Slots(), bot.Presence(); n != 2 || p == tournament.Here {
		t.Errorf("%d slots, presence %v", n, p)
	}
}
