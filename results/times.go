package results

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"versus2048/rules/record"
)

// appendTimes packs a ply's time and lag, each as microseconds in a varint.
func appendTimes(dst []byte, spent, lag time.Duration) []byte {
	dst = binary.AppendUvarint(dst, uint64(max(0, spent.Microseconds())))
	return binary.AppendUvarint(dst, uint64(max(0, lag.Microseconds())))
}

// packTimes packs the times of all plies of a game, of which none may be
// missing.
func packTimes(r *record.Record) ([]byte, error) {
	if len(r.Times) != len(r.Moves) || len(r.Lags) != len(r.Moves) {
		return nil, fmt.Errorf("%d plies with %d times and %d lags: want one of each a ply", len(r.Moves), len(r.Times), len(r.Lags))
	}
	packed := make([]byte, 0, 4*len(r.Times))
	for i := range r.Times {
		packed = appendTimes(packed, r.Times[i], r.Lags[i])
	}
	return packed, nil
}

var errTimes = errors.New("the packed times are damaged")

// eachTime calls each with the time and the lag of every ply that appendTimes
// packed, until it returns false.
func eachTime(packed []byte, each func(spent, lag time.Duration) bool) error {
	for len(packed) > 0 {
		spent, n := binary.Uvarint(packed)
		if n <= 0 {
			return errTimes
		}
		lag, m := binary.Uvarint(packed[n:])
		if m <= 0 {
			return errTimes
		}
		if !each(time.Duration(spent)*time.Microsecond, time.Duration(lag)*time.Microsecond) {
			return nil
		}
		packed = packed[n+m:]
	}
	return nil
}

// unpackTimes undoes appendTimes for all plies.
func unpackTimes(packed []byte) (times, lags []time.Duration, err error) {
	err = eachTime(packed, func(spent, lag time.Duration) bool {
		times, lags = append(times, spent), append(lags, lag)
		return true
	})
	return times, lags, err
}
