// Package testkit has functions for the tests of several packages: arenas, programs, a free address, the memory that
// decoding allocates, a context that ends after some calls, the pages of the documents, and the amount of work that
// tests do in a short run.
//
//	address, err := testkit.FreeAddress()
//	if err != nil {
//		log.Fatal(err)
//	}
//	server, err := net.Listen("tcp", address) // now, or by another process
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer server.Close()
//	fmt.Println("The server can be reached:", server.Addr().String() == address)
package testkit
