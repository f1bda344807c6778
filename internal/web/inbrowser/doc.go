// Package inbrowser is the champion as visitors' browsers run it: a search that answers questions about positions. It
// also has the simple bots that people play against, and finds the costliest moves of people's games.
//
//	champion := inbrowser.NewChampion()
//	if err := champion.Load(ntuple.OwnFile(rules.GPCC2016)); err != nil {
//		log.Fatal(err)
//	}
//	asked := inbrowser.Asked{Rules: rules.GPCC2016, Position: "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D", Nodes: 20_000}
//	opinion, err := champion.Ask(asked, func() bool { return false })
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(opinion.Move)
//
// The program in the folder wasm connects the package to JavaScript, with questions and answers in JSON.
package inbrowser
