package gate_test

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/protocol"
	"versus2048/results"
)

func ExampleRegistrar() {
	folder, err := os.MkdirTemp("", "registration")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	store, err := results.Open(ctx, filepath.Join(folder, "arena.db"))
	if err != nil {
		panic(err)
	}
	defer store.Close()
	tokens, code, address := store.Tokens(), protocol.NewCode(), netip.MustParseAddr("203.0.113.9")
	if _, err := tokens.Invite(ctx, code, 1, time.Hour); err != nil {
		panic(err)
	}

	owners := gate.NewOwners(tokens)
	registrar := gate.NewRegistrar(gate.RegistrationByInvitation, tokens, owners)
	applicant, refusal, err := registrar.Check(ctx, address, protocol.OwnToken(code))
	if refusal == nil && err == nil {
		refusal, err = registrar.Register(ctx, "corner keeper", applicant)
	}
	fmt.Println(refusal, err)
	fmt.Println(tokens.Owners(ctx))
	// Output:
	// <nil> <nil>
	// [corner keeper] <nil>
}
