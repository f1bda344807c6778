// Package operator has the file by which the user who started an arena proves it to the arena.
//
//	f, err := operator.Write(database, "127.0.0.1:2048")
//	if err != nil {
//		panic(err)
//	}
//	defer f.Remove()
//	read, err := operator.Read(f.Path)
//	fmt.Println(read.Secret == f.Secret, err)
package operator
