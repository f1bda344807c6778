// Package champion is the strongest search. It has several searches, and uses each in the roles and games where it was
// measured to be best: alpha-beta with different evaluations, and expectimax against chance.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := champion.New(champion.Config{Table: 18, Keep: true, Network: ntuple.Own})
//	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
//	fmt.Println(move, search.Result().Depth)
//
// The bot champion of package players is this search with the clock of a game; browsers run it, too.
package champion
