package testkit

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
)

// The ports that FreeAddress tries. Systems choose only higher ports for outgoing connections and for listeners at
// port 0. So none of these can take a free port before the test's server listens there, or while the server is started
// again. Port 10080 is below them: it is the highest port that browsers refuse to open (https://fetch.spec.whatwg.org,
// "port blocking").
const (
	lowest = 10_100 // the first port
	ports  = 22_000 // the number of ports
)

// stride is the distance between the first ports of processes with neighbouring ids. It is the number of
// ports divided by the golden ratio: so processes with ids near each other begin at ports far from each other.
const stride = 13_597

var (
	mu   sync.Mutex
	next = os.Getpid() % ports * stride % ports
	left = ports // the number of ports that were not tried yet
)

var errNoPort = errors.New("no port is left")

// FreeAddress returns an address of this machine where nothing listens. A process never gets the same address twice.
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
	return "", errNoPort
}
