package testkit_test

import (
	"fmt"
	"log"
	"net"

	"versus2048/internal/testkit"
)

func Example() {
	address, err := testkit.FreeAddress()
	if err != nil {
		log.Fatal(err)
	}
	server, err := net.Listen("tcp", address) // now, or by another process
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	fmt.Println("The server can be reached:", server.Addr().String() == address)
	// Output: The server can be reached: true
}
