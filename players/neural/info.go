package neural

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FunctionInfo describes a function of a network.
type FunctionInfo struct {
	Name       string `json:"name"`
	From       string `json:"from"` // the board, another function, or a number of inputs, such as "9 numbers"
	Layers     string `json:"layers"`
	Input      string `json:"input"` // rows x columns x channels
	Output     string `json:"output"`
	Parameters int    `json:"parameters"`
}

// Functions describes the functions, in the order of their names.
func (n *Network) Functions() []FunctionInfo {
	var list []FunctionInfo
	for _, name := range slices.Sorted(maps.Keys(n.functions)) {
		described, f := n.description.Functions[name], n.functions[name]
		info := FunctionInfo{
			Name: name, From: described.From.Function, Layers: layersText(described.Layers),
			Input: f.in.String(), Output: f.out.String(),
		}
		if info.From == "" {
			info.From = fmt.Sprintf("%d numbers", described.From.Numbers)
		}
		for _, w := range n.weights {
			if strings.HasPrefix(w.Name, name+".") {
				info.Parameters += len(w.Values)
			}
		}
		list = append(list, info)
	}
	return list
}

// layersText writes layers in a few words each.
func layersText(layers []Layer) string {
	var texts []string
	for _, l := range layers {
		texts = append(texts, l.String())
	}
	return strings.Join(texts, ", ")
}

// String writes the layer in a few words.
func (l Layer) String() string {
	switch l.Kind {
	case Conv:
		return fmt.Sprintf("conv %dx%d %d to %d %s", l.Kernel[0], l.Kernel[1], l.In, l.Out, l.Padding)
	case Dense:
		return fmt.Sprintf("dense %d to %d", l.In, l.Out)
	case Residual, Symmetries, Canonical:
		return fmt.Sprintf("%s (%s)", l.Kind, layersText(l.Layers))
	}
	return l.Kind
}
