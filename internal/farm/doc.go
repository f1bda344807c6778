// Package farm spreads the matches of an arena over workers, processes on this machine or others, by NATS
// JetStream. A [Coordinator] is the arena's side, a [Worker] the other one:
//
//	coordinator, err := farm.Open(ctx, arenaConn, farm.Config{Version: "v1", Log: log})
//	if err != nil {
//		return err
//	}
//	defer coordinator.Close()
//	worker := farm.Worker{
//		Card: farm.Card{Worker: "w1", Version: "v1", Print: farm.Fingerprint(), Games: 2},
//		NATS: workerConn, Log: log,
//	}
//	working, stop := context.WithCancel(ctx)
//	var done sync.WaitGroup
//	done.Go(func() { err = errors.Join(err, worker.Run(working)) })
//	executor := coordinator.Executor()
//	defer executor.Close()
//	runner := tournament.Runner{Event: event, Format: format.New, Bots: bots, Journal: journal, Elsewhere: executor}
//	err = errors.Join(runner.Run(ctx), err)
//	stop()
//	done.Wait()
//
// The queue, leases, redelivery and membership are JetStream's: a work-queue stream of tasks that are
// acknowledged, and a bucket of cards that expire. This package adds three requests: a worker says hello, asks
// for the record when it starts a task, and reports plies and endings. A worker's connection has its own
// [Inbox]. The files of bots are in an object store, and in a [Cache] of each worker. Everything that counts is
// in the arena's database; docs/adr/0027-farm.md says why.
package farm
