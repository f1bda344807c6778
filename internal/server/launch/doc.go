// Package launch runs the bots that an arena starts, each as a process of its own.
//
//	process, err := launch.Start(exec.Command("sh", "-c", "echo no such table >&2; exit 3"))
//	if err != nil {
//		panic(err)
//	}
//	<-process.Exited
//	fmt.Println(process.Failure())
package launch
