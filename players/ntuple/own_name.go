package ntuple

import "versus2048/rules"

// OwnName returns the name of the file of the network for 4x4 that comes with the program for these rules. Another
// network will get another name. Browsers load the file by its name: their program has no networks in it.
func OwnName(r rules.Ruleset) string {
	switch r {
	case rules.GPCC2016:
		return "v1-gpcc2016.ntuple"
	case rules.Solo:
		return "v1-solo.ntuple"
	}
	return "v1.ntuple"
}
