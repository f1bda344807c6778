// Package freeport has addresses for servers that are started later, or started again, by the tests of a program:
//
//	address, err := freeport.Address()
//	if err != nil {
//		log.Fatal(err)
//	}
//	server, err := net.Listen("tcp", address) // now, or by another process
package freeport
