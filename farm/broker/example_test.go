package broker_test

import (
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go"

	"versus2048/farm/broker"
)

func Example() {
	folder, err := os.MkdirTemp("", "broker")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: folder})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	arena, err := server.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer arena.Close()
	worker, err := nats.Connect(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer worker.Close()
	fmt.Println(arena.IsConnected(), worker.IsConnected())
	// Output: true true
}
