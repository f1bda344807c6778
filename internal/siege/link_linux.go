package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"
)

// newLink makes two network namespaces and a good link between them. It returns an error if this process is not root,
// or if the program ip is missing.
func newLink() (*link, error) {
	name := fmt.Sprintf("siege%d", os.Getpid())
	l := &link{arena: name + "a", bots: name + "b", random: rand.New(rand.NewPCG(2048, 1))}
	for i, end := range []struct{ namespace, address string }{{l.arena, arenaAddress}, {l.bots, botsAddress}} {
		file, err := newEnd(end.namespace, end.address)
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		l.ends[i] = file
	}
	go l.carry(l.ends[0], l.ends[1])
	go l.carry(l.ends[1], l.ends[0])
	return l, nil
}

// newEnd makes a namespace with an interface. Reads from the file return the packets that the interface sends, and
// writes are packets that it receives.
func newEnd(namespace, address string) (*os.File, error) {
	if err := ip("netns add " + namespace); err != nil {
		return nil, err
	}
	device := namespace // at most 15 bytes
	file, err := openTUN(device)
	if err != nil {
		return nil, fmt.Errorf("making the interface %s: %w", device, err)
	}
	for _, command := range []string{
		"link set %[1]s netns %[2]s",
		"-n %[2]s link set lo up",
		"-n %[2]s addr add %[3]s/24 dev %[1]s",
		"-n %[2]s link set %[1]s up",
	} {
		if err := ip(fmt.Sprintf(command, device, namespace, address)); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return file, nil
}

// openTUN makes a TUN interface: see tuntap.rst of the kernel's documentation.
func openTUN(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "/dev/net/tun"), nil
}

func ip(arguments string) error {
	if text, err := exec.Command("ip", strings.Fields(arguments)...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", arguments, err, text)
	}
	return nil
}

// close removes the link and its namespaces. The processes in these must have ended before.
func (l *link) close() (err error) {
	for i, namespace := range []string{l.arena, l.bots} {
		if end := l.ends[i]; end != nil {
			err = errors.Join(err, end.Close())
		}
		_ = ip("netns delete " + namespace) // it may not have been made
	}
	return err
}
