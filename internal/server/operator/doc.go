// Package operator writes and reads the file that proves to an arena that a command runs as the user who started it.
//
//	f, err := operator.Write(database, "127.0.0.1:2048")
//	if err != nil {
//		panic(err)
//	}
//	defer f.Remove()
//	read, err := operator.Read(f.Path)
//	fmt.Println(read.Secret == f.Secret, err)
package operator
