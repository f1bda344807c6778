// Package hosting serves arenas in this process: the arena of the command serve, for everybody, and the private arenas
// of other commands, for their events:
//
//	here, err := hosting.OpenLocal(ctx, database, hosting.Terms{Grace: time.Second, Memory: cmdline.MachineMemory()})
//	if err != nil {
//		return err
//	}
//	event := tournament.Event{Bots: []string{"greedy", "random"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true}
//	id, err := here.Client.Start(ctx, event)
//	if err == nil {
//		_, err = here.Client.Follow(ctx, id, func(server.Progress) {})
//	}
//	return errors.Join(err, here.Close())
//
// The other parts of an arena are here, too: its addresses and certificates, its log, its metrics, and the reports
// about trouble.
package hosting
