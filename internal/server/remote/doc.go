// Package remote lets bots that play over a connection take part in events.
//
//	session := protocol.NewSession(protocol.Hello{Name: "ann", Slots: 2}, time.Minute)
//	bot := remote.Bot{Name: "ann", Session: session, Grace: time.Minute}
//	fmt.Println(bot.Slots(), bot.Presence() == tournament.Here)
package remote
