// Package hosting serves arenas in this process: the one of the command serve, which everybody may reach, and
// the private ones on which other commands play their events:
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
// The rest is what goes with an arena: where it listens and with which certificate, its log, its metrics, and
// who is told of trouble.
package hosting
