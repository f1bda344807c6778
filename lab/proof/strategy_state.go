package proof

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/edsrzf/mmap-go"
	"github.com/gofrs/flock"

	"versus2048/internal/disk"
	"versus2048/rules"
)

// strategyState is the folder of a strategy's state. A packed layer has a file, which is written once and mapped into
// memory. All else is saved from time to time: a file for each other layer, and then the file stateName, which has the
// generation of these files. So a whole generation is there, however the process ended.
type strategyState struct {
	folder     string
	lock       *flock.Flock
	mapped     []mmap.MMap
	saved      time.Time // the time of the last saving
	generation int
	highest    int // the largest sum of tiles whose boards were followed
}

// strategyFile is the kind of all files of the state.
var strategyFile = disk.Sealed{
	Magic: "versus2048 strategy\n", Version: 1, Name: "a file of the state of a strategy",
	Remedy: "remove the folder, and begin again",
}

// strategyHeader is the header of a file. Lists of boards follow it, and in the file of a packed layer the steps.
type strategyHeader struct {
	Rules      rules.Ruleset    `json:"rules"`
	Size       rules.Size       `json:"size"`
	Score      int              `json:"score"`
	Lists      []int            `json:"lists"`                // the lengths of the lists
	Boards     int              `json:"boards,omitempty"`     // in the file of a packed layer: the number of its boards
	Generation int              `json:"generation,omitempty"` // in the file stateName, as all below
	Packed     int              `json:"packed,omitempty"`     // the number of packed layers
	Layers     int              `json:"layers,omitempty"`     // the number of all layers
	Progress   StrategyProgress `json:"progress,omitzero"`
}

// stateName is the name of the file with the lost boards and, for each packed layer, the boards that it got later.
const stateName = "strategy"

// usualEvery is the usual time between two savings of a state.
const usualEvery = 10 * time.Minute

// begin begins the strategy, or continues it from its state.
func (s *Strategy) begin() error {
	if s.config.State == "" {
		s.add(0, 0)
		return nil
	}
	// #nosec G301 -- results about boards, for anybody
	if err := os.MkdirAll(s.config.State, 0o755); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	lock, err := Lock(s.config.State)
	if err != nil {
		return err
	}
	s.state = &strategyState{folder: s.config.State, lock: lock, saved: time.Now()}
	h, lists, _, err := s.read(stateName)
	if errors.Is(err, os.ErrNotExist) {
		s.add(0, 0)
		return nil
	}
	if err == nil {
		err = s.load(h, lists)
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// Close unlocks the state, if there is one. The strategy must not be used any more.
func (s *Strategy) Close() (err error) {
	if s.state == nil {
		return nil
	}
	for _, m := range s.state.mapped {
		err = errors.Join(err, m.Unmap())
	}
	s.layers, s.state.mapped = nil, nil
	return errors.Join(err, s.state.lock.Close())
}

// load loads the strategy that the file stateName describes.
func (s *Strategy) load(h strategyHeader, lists [][]rules.Board) error {
	if len(lists) != 1+h.Packed || h.Packed > h.Layers {
		return s.wrong(stateName, "it has too few lists")
	}
	for _, b := range lists[0] {
		s.lost[b] = struct{}{}
	}
	s.layers, s.packed, s.state.generation = make([]strategyLayer, h.Layers), h.Packed, h.Generation
	for i := range s.layers {
		l := &s.layers[i]
		if i < h.Packed {
			old, err := s.readPacked(i)
			if err != nil {
				return err
			}
			l.old = old
			l.boards.addAll(lists[1+i])
			continue
		}
		_, lists, _, err := s.read(s.openName(i))
		if err == nil && len(lists) != 2 {
			err = s.wrong(s.openName(i), "it has not two lists")
		}
		if err != nil {
			return err
		}
		l.boards.addAll(lists[0])
		for _, b := range lists[1] {
			if !s.isLost(b) {
				l.boards.add(b)
			}
		}
		l.open = lists[1]
	}
	s.progress = h.Progress
	return nil
}

// keep moves a packed layer from memory into a file, if there is a state.
func (s *Strategy) keep(layer int) (err error) {
	if s.state == nil {
		return nil
	}
	l := &s.layers[layer]
	begin := make([]rules.Board, len(l.old.begin))
	for i, at := range l.old.begin {
		begin[i] = rules.Board(at)
	}
	if err := s.write(packedName(layer), strategyHeader{Boards: l.old.boards}, l.old.steps, l.old.first, begin); err != nil {
		return err
	}
	l.old, err = s.readPacked(layer)
	return err
}

// readPacked maps the file of a packed layer.
func (s *Strategy) readPacked(layer int) (*deltaSet, error) {
	h, lists, steps, err := s.read(packedName(layer))
	if err != nil {
		return nil, err
	}
	if len(lists) != 2 || len(lists[0]) != len(lists[1]) || (h.Boards+deltaBlock-1)/deltaBlock != len(lists[0]) {
		return nil, s.wrong(packedName(layer), "its lists are of wrong lengths")
	}
	set := &deltaSet{first: lists[0], steps: steps, boards: h.Boards, mapped: true}
	for _, at := range lists[1] {
		set.begin = append(set.begin, uint32(at)) // #nosec G115 -- written by pack
	}
	return set, nil
}

// due reports whether to save the strategy before the boards of a sum are followed: the last time was long ago, and no
// board of this sum or a larger one was followed before.
func (s *Strategy) due(sum int) bool {
	if s.state == nil || sum <= s.state.highest {
		return false
	}
	s.state.highest = sum
	return time.Since(s.state.saved) >= cmp.Or(s.config.Every, usualEvery)
}

// save saves the strategy. All boards of sums below the given one were followed, and none of the others.
func (s *Strategy) save(sum int) error {
	s.state.generation++
	h := strategyHeader{Generation: s.state.generation, Packed: s.packed, Layers: len(s.layers), Progress: s.progress}
	lost := make([]rules.Board, 0, len(s.lost))
	for b := range s.lost {
		lost = append(lost, b)
	}
	lists := [][]rules.Board{lost}
	for i := range s.layers {
		l := &s.layers[i]
		if i < s.packed {
			lists = append(lists, l.boards.sorted())
			continue
		}
		var followed []rules.Board
		if i < sum/2 {
			followed = l.boards.sorted()
		}
		if err := s.write(s.openName(i), strategyHeader{}, nil, followed, l.open); err != nil {
			return err
		}
	}
	if err := s.write(stateName, h, nil, lists...); err != nil {
		return err
	}
	s.state.saved = time.Now()
	return s.removeOld()
}

// removeOld removes the files of earlier generations.
func (s *Strategy) removeOld() (err error) {
	files, err := os.ReadDir(s.state.folder)
	for _, f := range files {
		kind := filepath.Ext(f.Name())
		if strings.HasPrefix(kind, ".open-") && kind != fmt.Sprintf(".open-%d", s.state.generation) {
			err = errors.Join(err, os.Remove(filepath.Join(s.state.folder, f.Name())))
		}
	}
	return err
}

func packedName(layer int) string { return fmt.Sprintf("sum-%04d.packed", 2*layer) }

func (s *Strategy) openName(layer int) string {
	return fmt.Sprintf("sum-%04d.open-%d", 2*layer, s.state.generation)
}

// write writes a file of the state with a header, lists of boards, and steps.
func (s *Strategy) write(name string, h strategyHeader, steps []byte, lists ...[]rules.Board) error {
	h.Rules, h.Size, h.Score = s.config.Rules, s.config.Size, s.config.Score
	var body [][]byte
	for _, list := range lists {
		h.Lists = append(h.Lists, len(list))
		part := make([]byte, 0, 8*len(list))
		for _, b := range list {
			part = binary.LittleEndian.AppendUint64(part, uint64(b))
		}
		body = append(body, part)
	}
	err := disk.Write(filepath.Join(s.state.folder, name), true, func(w io.Writer) error {
		return strategyFile.Write(w, h, append(body, steps)...)
	})
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	return nil
}

// read maps a file of the state, and returns its header, its lists and its steps, which are in the mapped memory. It
// returns a *StateError for a damaged file and for the state of another claim, and wraps os.ErrNotExist if there is no
// file.
func (s *Strategy) read(name string) (h strategyHeader, lists [][]rules.Board, steps []byte, err error) {
	file, size, err := disk.Open(filepath.Join(s.state.folder, name))
	if err != nil {
		return h, nil, nil, fmt.Errorf("state: %w", err)
	}
	defer file.Close() // the mapping remains
	if size == 0 {
		return h, nil, nil, s.wrong(name, "it is empty: "+strategyFile.Remedy) // an empty file cannot be mapped
	}
	content, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return h, nil, nil, fmt.Errorf("state %s: %w", name, err)
	}
	defer func() {
		if len(steps) > 0 {
			s.state.mapped = append(s.state.mapped, content)
		} else {
			err = errors.Join(err, content.Unmap())
		}
	}()
	if steps, err = strategyFile.Read(content, &h); err != nil {
		return h, nil, nil, s.wrong(name, err.Error())
	}
	if h.Rules != s.config.Rules || h.Size != s.config.Size || h.Score != s.config.Score {
		return h, nil, nil, s.wrong(name, fmt.Sprintf("it is of a strategy for %d on %v under %v: name another folder", h.Score, h.Size, h.Rules))
	}
	for _, length := range h.Lists {
		if length < 0 || length > len(steps)/8 {
			return h, nil, nil, s.wrong(name, "it is too short: "+strategyFile.Remedy)
		}
		list := make([]rules.Board, length)
		for i := range list {
			list[i] = rules.Board(binary.LittleEndian.Uint64(steps[8*i:]))
		}
		lists, steps = append(lists, list), steps[8*length:]
	}
	return h, lists, steps, nil
}

// wrong returns an error for a file of the state.
func (s *Strategy) wrong(name, reason string) error {
	return &StateError{Path: filepath.Join(s.state.folder, name), Reason: reason}
}
