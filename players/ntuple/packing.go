package ntuple

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
)

// mostRatio is the largest possible ratio of the sizes of a text before and after DEFLATE.
const mostRatio = 1032

var errWeights = errors.New("its weights are incomplete or too many: " + file.Remedy)

// pack returns the weights packed by DEFLATE, without the copies that mirror makes, and each stage after the first as
// its differences from the stage before it. The weights are sparse, unless that makes the body so small that unpack
// would refuse it.
func (n *Network) pack() (body []byte, isSparse bool, err error) {
	var tables [][]byte
	length := 0
	for k, s := range n.stages {
		for i, table := range s.tables {
			if k > 0 {
				table = difference(table, n.stages[k-1].tables[i])
			}
			tables = append(tables, n.unmirrored(i, table))
			length += len(table)
		}
	}
	if body, err = deflate(sparse(tables)); err != nil || length <= mostRatio*len(body) {
		return body, true, err
	}
	body, err = deflate(tables)
	return body, false, err
}

// difference returns the weights of a tuple minus its weights in the stage before. Most differences are 0, since a
// stage learns few weights of its own. An overflow does no harm: addStages undoes it.
func difference(table, before []byte) []byte {
	table = bytes.Clone(table)
	for at := 0; at < len(table); at += weightBytes {
		subtract(table[at:], binary.LittleEndian.Uint16(before[at:]))
	}
	return table
}

// addStages turns the differences between stages back into weights. stage is the number of bytes of a stage. A
// difference from 0 is not written again, so that pages of zeros still take no memory.
func addStages(weights []byte, stage int) {
	for at := stage; at < len(weights); at += weightBytes {
		if before := binary.LittleEndian.Uint16(weights[at-stage:]); before != 0 {
			subtract(weights[at:], -before)
		}
	}
}

func subtract(from []byte, weight uint16) {
	binary.LittleEndian.PutUint16(from, binary.LittleEndian.Uint16(from)-weight)
}

// unmirrored returns the weights of tuple i, with 0 in place of each weight that is a copy of its mirror
// image's weight.
func (n *Network) unmirrored(i int, table []byte) []byte {
	t := &n.features.tuples[i]
	if !t.mirrored() {
		return table
	}
	table = bytes.Clone(table)
	for number := range t.weights {
		weight := table[weightBytes*number:][:weightBytes]
		if weight[0]|weight[1] == 0 {
			continue
		}
		images := t.board(number).Images(n.Size())
		if t.selected(&images, t.places[0]) != number {
			clear(weight)
		}
	}
	return table
}

// sparse returns the weights that are not 0: their number, their low bytes, their high bytes and their gaps. The gap of
// a weight is its distance from the one before it, for the first one from place -1. Bytes of one kind stand together,
// because they pack better than mixed ones. The number and the gaps are as binary.AppendUvarint writes them.
func sparse(tables [][]byte) [][]byte {
	var low, high, gaps []byte
	gap := uint64(0)
	for _, table := range tables {
		for at := 0; at < len(table); at += weightBytes {
			gap++
			if table[at]|table[at+1] != 0 {
				low, high = append(low, table[at]), append(high, table[at+1])
				gaps = binary.AppendUvarint(gaps, gap)
				gap = 0
			}
		}
	}
	return [][]byte{binary.AppendUvarint(nil, uint64(len(low))), low, high, gaps}
}

func deflate(parts [][]byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// unpack returns the weights of a packed body. It allocates nothing if the body is too small for them.
func unpack(body []byte, s Structure, isSparse bool) ([]byte, error) {
	length := weightBytes * s.Weights()
	if length > mostRatio*len(body) {
		return nil, errWeights
	}
	read := readDense
	if isSparse {
		read = readSparse
	}
	r := bufio.NewReader(flate.NewReader(bytes.NewReader(body)))
	weights, err := read(r, length, mostRatio*len(body))
	if err != nil {
		return nil, errWeights
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, errWeights
	}
	addStages(weights, weightBytes*s.StageWeights())
	return weights, nil
}

// readDense reads the weights one after the other. A page of zeros takes no memory.
func readDense(r *bufio.Reader, length, _ int) ([]byte, error) {
	weights := make([]byte, length)
	var page, zeros [4096]byte
	for offset := 0; offset < length; offset += len(page) {
		part := page[:min(len(page), length-offset)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		if !bytes.Equal(part, zeros[:len(part)]) {
			copy(weights[offset:], part)
		}
	}
	return weights, nil
}

// readSparse reads the result of sparse. most is the largest number of bytes that it may have.
func readSparse(r *bufio.Reader, length, most int) ([]byte, error) {
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(min(length/weightBytes, most/(weightBytes+1))) {
		return nil, errWeights
	}
	values := make([]byte, weightBytes*count)
	if _, err := io.ReadFull(r, values); err != nil {
		return nil, err
	}
	low, high := values[:count], values[count:]
	weights := make([]byte, length)
	place, places := ^uint64(0), uint64(length/weightBytes)
	for i := range low {
		gap, err := binary.ReadUvarint(r)
		if err != nil || gap == 0 || gap > places || place+gap >= places {
			return nil, errWeights
		}
		place += gap
		weights[weightBytes*place], weights[weightBytes*place+1] = low[i], high[i]
	}
	return weights, nil
}
