// Package broker runs a NATS server with JetStream inside an arena's process, so that a farm of one arena needs
// nothing more:
//
//	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: folder, Token: token, Permits: permits})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer server.Close()
//	arena, err := server.Connect()
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer arena.Close()
//	shown := broker.Credential{Worker: "w1", Key: key, Token: func() string { return token }}
//	worker, err := nats.Connect(server.URL(), shown.Option())
//
// Config.Permits sets the rights of each worker, which are tied to its name. See docs/adr/0027-farm.md.
package broker
