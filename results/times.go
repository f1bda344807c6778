package results

import (
	"encoding/binary"
	"errors"
	"time"

	"versus2048/tournament"
)

// appendTimes packs a ply's time and lag, each as microseconds in a varint.
func appendTimes(dst []byte, ply tournament.Ply) []byte {
	dst = binary.AppendUvarint(dst, uint64(max(0, ply.Time.Microseconds())))
	return binary.AppendUvarint(dst, uint64(max(0, ply.Lag.Microseconds())))
}

var errTimes = errors.New("the packed times are damaged")

// unpackTimes undoes appendTimes for all plies.
func unpackTimes(packed []byte) (times, lags []time.Duration, err error) {
	for len(packed) > 0 {
		t, n := binary.Uvarint(packed)
		if n <= 0 {
			return nil, nil, errTimes
		}
		lag, m := binary.Uvarint(packed[n:])
		if m <= 0 {
			return nil, nil, errTimes
		}
		times = append(times, time.Duration(t)*time.Microsecond)
		lags = append(lags, time.Duration(lag)*time.Microsecond)
		packed = packed[n+m:]
	}
	return times, lags, nil
}
