package learning

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a large page on most processors, in bytes.
const hugePage = 2 << 20

// adviseHugePages asks for large pages for weights that were not used yet. The weights of a board lie in dozens of
// pages, and a processor caches the addresses of only some thousands of pages. Large pages make learning faster, and
// change nothing else.
func adviseHugePages(all []weight) {
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), uintptr(len(all))*unsafe.Sizeof(all[0])) // #nosec G103: all of it
	begin := -uintptr(unsafe.Pointer(&memory[0])) % hugePage                                          // #nosec G103: the next multiple
	if begin < uintptr(len(memory)) {
		_ = syscall.Madvise(memory[begin:], syscall.MADV_HUGEPAGE)
	}
}
