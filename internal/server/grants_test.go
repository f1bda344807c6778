package server_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
)

func TestRevokedTokenEndsConnections(t *testing.T) {
	t.Parallel()
	store := newStore()
	store.tokens["botann"], store.tokens["botbob"], store.tokens["operatorolga"] = "ann's own", "bob's own", "open sesame"
	store.hold = true
	c := serve(t, store, nil)
	ann, _ := hello(t, c, "ann", "ann's own", nil)
	bob, _ := hello(t, c, "bob", "bob's own", nil)
	event, err := c.Start(t.Context(), local(30))
	if err != nil {
		t.Fatal(err)
	}
	followed := make(chan error, 1)
	begun := make(chan bool, 1000)
	go func() {
		olga := server.Client{URL: c.URL, Token: "open sesame"}
		_, err := olga.Follow(t.Context(), event, func(server.Progress) { begun <- true })
		followed <- err
	}()
	<-begun
	store.revoke(server.BotRole, "ann")
	store.revoke(server.OperatorRole, "olga")

	if err := ann.SetReadDeadline(time.Now().Add(3 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	last := map[string]any{}
	if err := ann.ReadJSON(&last); err != nil || last["type"] != "goodbye" || last["reason"] != "the token is revoked" {
		t.Errorf("the revoked bot gets %v, error %v", last, err)
	}
	if _, _, err := ann.NextReader(); err == nil {
		t.Error("the revoked bot's connection goes on")
	}
	select {
	case err := <-followed:
		if err == nil {
			t.Error("the revoked operator saw the end of the event")
		}
	case <-time.After(3 * time.Minute):
		t.Error("the revoked operator still follows the event")
	}
	awaitBots(t, c, "bob")
	_ = bob.Close()
	if err := c.Stop(t.Context(), event); err != nil {
		t.Error(err)
	}
}

// awaitBots waits until these bots and no others are connected.
func awaitBots(t *testing.T, c *server.Client, names ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		bots, err := c.Bots(ctx)
		if err == nil && slices.EqualFunc(bots, names, func(b server.BotInfo, name string) bool { return b.Name == name }) {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatalf("connected are %+v, want %q: %v", bots, names, err)
		}
	}
}
