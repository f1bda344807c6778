// Package lock keeps arenas off a database that one of them has open, and programs that replace it.
//
//	held, err := lock.Take("arena.db")
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println("in use:", lock.InUse("arena.db"))
//	if err := held.Release(); err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println("in use:", lock.InUse("arena.db"))
//
// It knows nothing of what is in the file. SQLite has locks of its own, for transactions.
package lock
