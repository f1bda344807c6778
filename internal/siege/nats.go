package main

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"
)

// natsCommand returns the command that runs a NATS server in its own process, like a server that several arenas share.
func natsCommand() *cli.Command {
	return &cli.Command{
		Name: "nats", Usage: "run a NATS server until interrupted, or ask whether one is ready", Hidden: true,
		Flags: []cli.Flag{&cli.StringFlag{Name: "listen"}, &cli.StringFlag{Name: "folder"}, &cli.StringFlag{Name: "ask"}},
		Action: func(c *cli.Context) error {
			if address := c.String("ask"); address != "" {
				return askNATS(address)
			}
			return serveNATS(c.Context, c.String("listen"), c.String("folder"))
		},
	}
}

// askNATS returns an error unless a NATS server answers.
func askNATS(address string) error {
	conn, err := nats.Connect("nats://"+address, nats.Timeout(time.Second))
	if err == nil {
		conn.Close()
	}
	return err
}

// serveNATS runs a NATS server that keeps its streams in a folder, until ctx ends.
func serveNATS(ctx context.Context, listen, folder string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{Host: host, Port: number, JetStream: true, StoreDir: folder, NoSigs: true})
	if err != nil {
		return err
	}
	s.ConfigureLogger()
	go s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		return errors.New("the NATS server is not ready after 30 seconds")
	}
	<-ctx.Done()
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}
