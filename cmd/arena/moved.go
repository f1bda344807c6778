package main

// inLab are the commands that are in the program lab since this version.
var inLab = []string{"solve", "probe", "prove", "check-proof", "experiment", "census", "shortest", "gametree", "regret", "network", "train"}

// movedCommands returns the program that has each of them.
func movedCommands() map[string]string {
	programs := map[string]string{}
	for _, name := range inLab {
		programs[name] = "lab"
	}
	return programs
}
