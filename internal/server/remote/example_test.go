package remote_test

import (
	"fmt"
	"time"

	"versus2048/internal/server/remote"
	"versus2048/protocol"
	"versus2048/tournament"
)

func Example() {
	session := protocol.NewSession(protocol.Hello{Name: "ann", Slots: 2}, time.Minute)
	bot := remote.Bot{Name: "ann", Session: session, Grace: time.Minute}
	fmt.Println(bot.Slots(), bot.Presence() == tournament.Here)
	// Output: 2 false
}
