package protocol

import (
	"encoding/json"
	"strconv"

	"versus2048/rules"
)

// A request and a move make a ply: these two are written, and read (see
// scanner), without reflection. What comes of it is what encoding/json would do.

// append writes the request behind b.
func (r Request) append(b []byte) []byte {
	b = appendText(append(b, `{"type":"request","game":`...), r.Game)
	b = strconv.AppendInt(append(b, `,"ply":`...), int64(r.Ply), 10)
	b = appendList(append(b, `,"board":`...), r.Board, appendRow)
	b = strconv.AppendInt(append(b, `,"score":`...), int64(r.Score), 10)
	b = appendList(append(b, `,"moves":`...), r.Moves, func(b []byte, m rules.Move) []byte { return appendText(b, m.String()) })
	b = append(b, `,"left_ms":`...)
	if r.LeftMS == nil {
		return append(b, `null}`...)
	}
	return append(strconv.AppendInt(b, *r.LeftMS, 10), '}')
}

// append writes the move behind b. It must come without a report.
func (m Move) append(b []byte) []byte {
	b = appendText(append(b, `{"type":"move","game":`...), m.Game)
	b = strconv.AppendInt(append(b, `,"ply":`...), int64(m.Ply), 10)
	b = appendText(append(b, `,"move":`...), m.Move)
	if m.SpentUS != 0 {
		b = strconv.AppendInt(append(b, `,"spent_us":`...), m.SpentUS, 10)
	}
	return append(b, '}')
}

func appendRow(b []byte, row []int) []byte {
	return appendList(b, row, func(b []byte, tile int) []byte { return strconv.AppendInt(b, int64(tile), 10) })
}

// appendList writes a list, each element by write.
func appendList[T any](b []byte, list []T, write func([]byte, T) []byte) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, element := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = write(b, element)
	}
	return append(b, ']')
}

// appendText writes a JSON string.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if !plain(s[i]) {
			quoted, _ := json.Marshal(s) // a string can't fail
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// plain tells whether a byte stands for itself in a JSON string, whoever
// writes it.
func plain(c byte) bool {
	return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
}
