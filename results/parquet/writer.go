package parquet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/parquet-go/parquet-go"

	"versus2048/internal/disk"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Writer writes games into the three tables.
type Writer struct {
	games    table[Game]
	plies    table[Ply]
	searches table[Search]
}

// table writes the rows of one table, or nothing without a writer.
type table[Row any] struct{ to *parquet.GenericWriter[Row] }

func newTable[Row any](to io.Writer, options []parquet.WriterOption) (t table[Row]) {
	if to != nil {
		t.to = parquet.NewGenericWriter[Row](to, options...)
	}
	return t
}

func (t table[Row]) write(rows ...Row) error {
	if t.to == nil {
		return nil
	}
	_, err := t.to.Write(rows)
	return err
}

func (t table[Row]) close() error {
	if t.to == nil {
		return nil
	}
	return t.to.Close()
}

// groupRows is the number of rows in a row group. A writer keeps a row group in memory until it is full.
const groupRows = 1 << 16

// Source describes the origin of the games. It is in the metadata of each file.
type Source struct {
	Event   []byte // the header of the event's file, by [results.Reader.Header]
	Version string // of the writing program
}

// The keys of the metadata.
const (
	EventKey   = "versus2048.event"
	VersionKey = "versus2048.version"
)

// NewWriter returns a writer of the tables. It writes each table's file to the argument of that name; a table with a
// nil argument is left out. The files are complete when Close has returned.
func NewWriter(from Source, games, plies, searches io.Writer) *Writer {
	options := []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(groupRows),
		parquet.CreatedBy("versus2048", from.Version, ""),
		parquet.KeyValueMetadata(EventKey, string(from.Event)),
		parquet.KeyValueMetadata(VersionKey, from.Version),
	}
	return &Writer{
		newTable[Game](games, options),
		newTable[Ply](plies, options),
		newTable[Search](searches, options),
	}
}

// Write adds a game, finished or in progress. The game must have been read with Scored and Searches
// set in the [results.Filter]. Write returns an error if the game's record cannot be replayed, or
// differs from the result that the referee announced.
func (w *Writer) Write(g results.Stored) error {
	plies, last, err := pliesOf(&g)
	if err == nil {
		err = agree(&g, last)
	}
	if err != nil {
		return fmt.Errorf("game %d: %w; see: arena verify", g.ID, err)
	}
	return errors.Join(w.games.write(gameOf(&g, last)), w.plies.write(plies...), w.searches.write(searchesOf(&g)...))
}

// Close writes the remaining rows and the ends of the files. It does not close the arguments of NewWriter.
func (w *Writer) Close() error {
	return errors.Join(w.games.close(), w.plies.close(), w.searches.close())
}

// agree returns an error if a finished game differs from the result that the referee announced.
func agree(g *results.Stored, last rules.Position) error {
	found := results.Announced{Plies: len(g.Record.Moves), Score: last.Score(), LargestTile: last.LargestTile()}
	if g.Record.Ending != record.Unfinished && found != g.Announced {
		return fmt.Errorf("the referee announced %v, the record gives %v", g.Announced, found)
	}
	return nil
}

func gameOf(g *results.Stored, last rules.Position) Game {
	r := &g.Record
	row := Game{
		Game: g.ID, Event: r.Event,
		Match: int32(g.Match), Round: int32(g.Round), Nth: int32(g.Nth), Leg: int32(g.Leg), First: g.First, Second: g.Second,
		Attacker: r.Attacker, Defender: r.Defender, AttackerSeed: int64(r.AttackerSeed), DefenderSeed: int64(r.DefenderSeed),
		Rules: r.Start.Rules().String(), Size: r.Start.Size().String(), Start: r.Start.String(),
		Started: g.Started, Finished: g.Finished, Ending: string(r.Ending), Detail: r.Detail,
		Plies: int32(len(r.Moves)), Score: int32(last.Score()), LargestTile: int32(last.LargestTile()), Scored: g.Scored,
	}
	if winner, ok := r.Winner(); ok {
		row.Winner = winner.String()
	}
	return row
}

// pliesOf replays a game and returns its plies and its last position.
func pliesOf(g *results.Stored) (plies []Ply, last rules.Position, err error) {
	r := &g.Record
	plies = make([]Ply, len(r.Moves))
	names := [2]string{rules.Attacker: r.Attacker, rules.Defender: r.Defender}
	p := r.Start
	for i, m := range r.Moves {
		next, err := p.Play(m)
		if err != nil {
			return nil, p, err
		}
		plies[i] = Ply{
			Game: g.ID, Ply: int32(i), Side: p.SideToMove().String(), Player: names[p.SideToMove()],
			Board: exponents(p), Score: int32(p.Score()), Move: m.String(), Gained: int32(next.Score() - p.Score()),
			TimeUS: microseconds(r.Times, i), LagUS: microseconds(r.Lags, i),
		}
		p = next
	}
	for _, pause := range r.Pauses {
		if pause.Ply < len(plies) { // a move that was not made has no row
			plies[pause.Ply].StallUS, plies[pause.Ply].AwayUS = pause.Stall.Microseconds(), pause.Away.Microseconds()
		}
	}
	return plies, p, nil
}

// exponents returns the exponents of a position's tiles, row by row.
func exponents(p rules.Position) []byte {
	size := p.Size()
	board := make([]byte, 0, size.Width*size.Height)
	for y := range int(size.Height) {
		for x := range int(size.Width) {
			board = append(board, byte(p.Exponent(4*y+x)))
		}
	}
	return board
}

// microseconds returns the time of a move, nil if it was not recorded.
func microseconds(times []time.Duration, i int) *int64 {
	if i >= len(times) {
		return nil
	}
	us := times[i].Microseconds()
	return &us
}

func searchesOf(g *results.Stored) (searches []Search) {
	for i, s := range g.Record.Searches {
		if s == nil {
			continue
		}
		row := Search{
			Game: g.ID, Ply: int32(i), Playouts: s.Playouts, Nodes: s.Nodes, Expanded: s.Expanded,
			TimeUS: s.Time.Microseconds(), CPUUS: s.CPU.Microseconds(),
			TokensRead: s.TokensRead, TokensWritten: s.TokensWritten, Source: string(s.Source),
		}
		for _, m := range s.Variation {
			row.PV = append(row.PV, m.String())
		}
		for _, m := range s.Moves {
			row.Moves = append(row.Moves, RootMove{m.Move.String(), m.Value, m.Visits, int32(m.Mate), m.Prior})
		}
		searches = append(searches, row)
	}
	return searches
}

// Read reads the rows of a file of size bytes that a Writer has written. Row must be the type of the file's rows, which
// Read does not check. It returns an error for a file that is not in Parquet.
func Read[Row Game | Ply | Search](file io.ReaderAt, size int64) ([]Row, error) {
	return parquet.Read[Row](file, size)
}

// WriteFolder writes the three files of the tables into a folder. write passes the games to the Writer.
// WriteFolder makes the folder if it does not exist. If write fails, no file is left. Without replace, if one
// of the files exists, WriteFolder returns an error that wraps fs.ErrExist before it calls write.
func WriteFolder(folder string, replace bool, from Source, write func(*Writer) error) error {
	made := os.Mkdir(folder, 0o750)
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return made
	}
	err := writeFiles(folder, []string{GamesFile, PliesFile, SearchesFile}, replace, nil, func(files []io.Writer) error {
		w := NewWriter(from, files[0], files[1], files[2])
		if err := write(w); err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil && made == nil {
		err = errors.Join(err, os.Remove(folder))
	}
	return err
}

// writeFiles writes all files of a folder, or none if write fails. It opens each file inside the writing of the one
// before, so that no file gets its name before write has returned.
func writeFiles(folder string, names []string, replace bool, opened []io.Writer, write func([]io.Writer) error) error {
	if len(names) == 0 {
		return write(opened)
	}
	return disk.Write(filepath.Join(folder, names[0]), replace, func(w io.Writer) error {
		return writeFiles(folder, names[1:], replace, append(opened, w), write)
	})
}
