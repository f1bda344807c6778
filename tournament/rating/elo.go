package rating

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Level is the probability, 0 to 1, that an interval holds the true value.
const Level = 0.95

// reach is half the width of an interval in standard deviations.
var reach = mathext.NormalQuantile((1 + Level) / 2)

const (
	eloScale        = 400 / math.Ln10 // Elo of a unit of log odds
	normalizedScale = 800 / math.Ln10 // normalised Elo of a standard deviation
)

// Interval is an estimate with its interval at [Level]. Value, Low or High is infinite if the results do not
// limit it: a bot that has won every match may be better by any amount. None of them is ever NaN.
type Interval struct{ Value, Low, High float64 }

// HalfWidth returns half the width of the interval: the number after a +/-. It is infinite if one of the ends is.
func (i Interval) HalfWidth() float64 { return (i.High - i.Low) / 2 }

// Deviation returns the standard error of a normal estimate with an interval of that width.
func Deviation(width float64) float64 { return width / (2 * reach) }

// Margin returns half the width of the interval of a normal estimate with that standard error.
func Margin(deviation float64) float64 { return reach * deviation }

// Elo returns the Elo difference for the mean score s, 400 log10(s/(1-s)): Elo, The Rating of Chessplayers,
// 1978. Its interval is the score's interval, converted in the same way. ok is false without a trial.
func Elo(c Counts) (i Interval, ok bool) {
	if Trials(c) == 0 {
		return i, false
	}
	low, mean, high := scoreInterval(c)
	return Interval{Value: eloOf(mean), Low: eloOf(low), High: eloOf(high)}, true
}

// scoreInterval returns Wald's interval of the mean score: the mean plus or minus 1.96 standard errors, as in
// fastchess and OpenBench. With few trials it is too narrow. If all trials ended alike there is no standard
// error. The interval then holds every score that gives such a result a probability of at least 1 - Level.
func scoreInterval(c Counts) (low, mean, high float64) {
	n := float64(Trials(c))
	mean, variance := observed(c).moments()
	if variance == 0 {
		alike := math.Pow(1-Level, 1/n)
		return alike * mean, mean, 1 - alike*(1-mean)
	}
	margin := reach * math.Sqrt(variance/n)
	return mean - margin, mean, mean + margin
}

// eloOf returns the Elo difference for a score. It is infinite for certain victory or defeat.
func eloOf(score float64) float64 {
	score = min(max(score, 0), 1)
	return eloScale * math.Log(score/(1-score))
}

func scoreOf(elo float64) float64 { return 1 / (1 + math.Exp(-elo/eloScale)) }

// NormalizedElo returns the mean score minus 1/2, in standard deviations of one match, times 800/ln 10: Van den
// Bergh, Normalized Elo, and Comments on Normalized Elo (cantate.be/Fishtest). Draws, and openings that decide
// the match, change it little. It alone determines the number of matches that a test needs. For pairs, the
// deviation of one match is the deviation of the pair's mean score times the square root of 2. The interval
// assumes that the deviation is known, as in fastchess. ok is false if all trials ended alike.
func NormalizedElo(c Counts) (i Interval, ok bool) {
	n := float64(Trials(c))
	if n == 0 {
		return i, false
	}
	mean, variance := observed(c).moments()
	if variance == 0 {
		return i, false
	}
	matches := float64(c.size())
	value := normalizedScale * (mean - 0.5) / math.Sqrt(matches*variance)
	margin := normalizedScale * reach / math.Sqrt(matches*n)
	return Interval{Value: value, Low: value - margin, High: value + margin}, true
}

// Superiority returns the likelihood that the bot is the better one, 0 to 1, by the normal approximation: the
// probability that the true mean score is above 1/2. ok is false if all trials ended alike.
func Superiority(c Counts) (los float64, ok bool) {
	i, ok := NormalizedElo(c)
	if !ok {
		return 0, false
	}
	return normal(i.Value * reach / i.HalfWidth()), true
}

// normal returns the distribution function of the standard normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// Needed returns the number of further matches after which half the width of Elo's interval is halfWidth, if the score
// and its variance do not change. The number is whole; it is 0 if the interval is narrow enough already. ok is false if
// all trials ended alike, or if halfWidth is not positive.
func Needed(c Counts, halfWidth float64) (matches float64, ok bool) {
	n := float64(Trials(c))
	if n == 0 || halfWidth <= 0 {
		return 0, false
	}
	mean, variance := observed(c).moments()
	if variance == 0 {
		return 0, false
	}
	// For the margin m of the score, elo(mean+m) - elo(mean-m) = 2 halfWidth, so that m
	// is a root of t m^2 - m + t mean (1-mean) = 0. The other root is beyond a score
	// of 1. This form of the solution loses no digits for a small t.
	t := math.Tanh(halfWidth / eloScale)
	product := mean * (1 - mean)
	margin := 2 * t * product / (1 + math.Sqrt(1-4*t*t*product))
	needed := math.Ceil(reach * reach * variance / (margin * margin))
	return max(0, needed-n) * float64(c.size()), true
}
