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
// The other parts of an arena are here, too: its addresses, its log, its metrics, its farm of workers, the reports
// about trouble, and the certificates for TLS. Certificates come from files that are replaced now and then, or from a
// server that issues them by ACME (RFC 8555), such as Let's Encrypt. The arena logs each renewal and each failure of
// either kind, and warns when a certificate is about to expire. docs/adr/0021-tls.md has the reasons for this design.
//
// [HostCommand] plans a club evening, opens an arena with a lobby for it, shows the lobby and the event on the
// terminal, and resumes an evening that was interrupted. The plan is in a file beside the database, so that the same
// command finds it again.
//
// Commands that send requests to an arena elsewhere share their flags, the client, and the display of progress.
package hosting
