// Package databasecmd has the commands of the program arena that look after a database:
//
//	app := &cli.App{Commands: []*cli.Command{databasecmd.Backup(), databasecmd.Restore(), databasecmd.Prune()}}
//	for _, command := range app.Commands {
//		fmt.Println(command.Name)
//	}
package databasecmd
