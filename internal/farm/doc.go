// Package farm spreads matches and batches over workers by NATS JetStream. Workers are processes on this machine or on
// others. A [Coordinator] is the arena's side, a [Worker] the other one:
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
// The queue, the leases and the membership are JetStream's: a work-queue stream of tasks that are acknowledged, and a
// bucket of cards that expire. JetStream delivers a message once. If the worker fails, the Coordinator gives the task
// out in a new message. This package adds three requests: a worker says hello, asks for the match or the batch of a
// task, and reports plies, endings and results. A worker's connection has its own [Inbox]. The files of bots are in an
// object store, and in a [Cache] of each worker. Everything that counts is in the arena's database;
// docs/adr/0027-farm.md says why.
package farm
