package testkit

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
)

// The ports are below those that systems give to who connects or listens at port 0, who could otherwise get
// a port that was found free before its server listens there, or while the server is started again.
const (
	lowest = 10_000
	ports  = 22_000
)

// stride takes processes with ids near each other to ports far from each other: it is the golden ratio of
// the ports.
const stride = 13_597

var (
	mu   sync.Mutex
	next = os.Getpid() % ports * stride % ports
	left = ports
)

var errNone = errors.New("no port is left")

// FreeAddress returns an address of this machine on which nothing listens now. A process gets none twice.
func FreeAddress() (string, error) {
	mu.Lock()
	defer mu.Unlock()
	for ; left > 0; left-- {
		address := fmt.Sprintf("127.0.0.1:%d", lowest+next)
		next = (next + 1) % ports
		if listener, err := net.Listen("tcp", address); err == nil {
			left--
			return address, listener.Close()
		}
	}
	return "", errNone
}
