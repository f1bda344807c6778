package broker_test

import (
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
)

func Example() {
	folder, err := os.MkdirTemp("", "broker")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	key, err := nkeys.CreateUser()
	if err != nil {
		log.Fatal(err)
	}
	permits := farm.Name("farm").Permits
	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: folder, Token: token, Permits: permits})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	arena, err := server.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer arena.Close()
	shown := broker.Credential{Worker: "w1", Key: key, Token: func() string { return token }}
	worker, err := nats.Connect(server.URL(), shown.Option())
	if err != nil {
		log.Fatal(err)
	}
	defer worker.Close()
	fmt.Println(arena.IsConnected(), worker.IsConnected())
	// Output: true true
}
