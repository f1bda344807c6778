// Package broker runs a NATS server with JetStream inside an arena's process, so that a farm of one arena
// needs nothing more:
//
//	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: folder})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer server.Close()
//	arena, err := server.Connect()
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer arena.Close()
//	worker, err := nats.Connect(server.URL())
//
// A worker may take tasks and report what becomes of them, and no more. See docs/adr/0027-farm.md.
package broker
