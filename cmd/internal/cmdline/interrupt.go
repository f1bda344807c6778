package cmdline

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible returns a context that an interrupt cancels: Ctrl-C, SIGTERM, or the hang-up of the terminal unless
// nohup makes the program ignore it. The next Ctrl-C or SIGTERM ends the process at once.
func interruptible() (ctx context.Context, stop context.CancelFunc) {
	interrupts := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		interrupts = append(interrupts, syscall.SIGHUP)
	}
	ctx, stop = signal.NotifyContext(context.Background(), interrupts...)
	context.AfterFunc(ctx, func() {
		// A closing terminal sends two hang-ups, its own and its shell's, and nobody reads the output any more.
		signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
		stop()
	})
	return ctx, stop
}
