//go:build linux

package fulldisk

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Disk stands between SQLite and a disk of the system. Several goroutines may call its methods at once.
type Disk struct {
	pwrite func(tls *libc.TLS, fd int32, data uintptr, size libc.Tsize_t, offset libc.Toff_t) libc.Tssize_t

	mu     sync.Mutex
	folder string // the files in and below this folder are on the disk
	full   bool   // whether the disk is full, or will be after room more writes
	room   int    // the number of writes that find room; -1 once half a write was made
}

// New puts a disk under all databases of this process until the end of the test, which must not run
// beside others. The disk has room until Fill is called.
func New(t testing.TB) *Disk {
	t.Helper()
	d := &Disk{}
	d.pwrite = d.write
	// A function is a pointer to its captured variables, which d keeps.
	d.replace(t, *(*uintptr)(unsafe.Pointer(&d.pwrite)))
	t.Cleanup(func() { d.replace(t, 0) })
	return d
}

// replace gives SQLite another function for writing. With 0 SQLite gets its own again.
func (d *Disk) replace(t testing.TB, function uintptr) {
	t.Helper()
	tls := libc.NewTLS()
	defer tls.Close()
	address := sqlite3.Xsqlite3_vfs_find(tls, 0)
	vfs := *(**sqlite3.Tsqlite3_vfs)(unsafe.Pointer(&address))
	set := *(*func(*libc.TLS, uintptr, uintptr, uintptr) int32)(unsafe.Pointer(&struct{ uintptr }{vfs.FxSetSystemCall}))
	for _, name := range []string{"pwrite", "pwrite64"} { // SQLite uses one of them
		text, err := libc.CString(name)
		if err != nil {
			t.Fatal(err)
		}
		if code := set(tls, address, text, function); code != sqlite3.SQLITE_OK {
			t.Fatal(fmt.Errorf("SQLite's function %s cannot be replaced: code %d", name, code))
		}
		libc.Xfree(tls, text)
	}
}

// Fill leaves room for n more writes to the files in and below folder, and for half of the next one.
func (d *Disk) Fill(folder string, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.folder, d.full, d.room = folder, true, n
}

// Free makes room for everything.
func (d *Disk) Free() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = false
}

// Refused reports whether a write has found too little room since the last Fill.
func (d *Disk) Refused() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.room < 0
}

// write works like pwrite, as far as there is room.
func (d *Disk) write(tls *libc.TLS, fd int32, data uintptr, size libc.Tsize_t, offset libc.Toff_t) libc.Tssize_t {
	if size = d.fits(fd, size); size == 0 {
		place := libc.X__errno_location(tls)
		**(**int32)(unsafe.Pointer(&place)) = int32(syscall.ENOSPC)
		return -1
	}
	return libc.Xpwrite(tls, fd, data, size, offset)
}

// fits returns the number of bytes that find room in a write of size bytes to a file.
func (d *Disk) fits(fd int32, size libc.Tsize_t) libc.Tsize_t {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !d.full || !d.holds(fd):
		return size
	case d.room > 0:
		d.room--
		return size
	case d.room == 0:
		d.room--
		return size / 2
	}
	return 0
}

// holds reports whether a file is on the disk.
func (d *Disk) holds(fd int32) bool {
	path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	return err == nil && strings.HasPrefix(path, d.folder+"/")
}
