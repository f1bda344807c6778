// Package standing computes standing lists: the joint ratings of all bots and versions that have
// ever played under the same conditions, over many events, with the rating of one bot fixed.
//
//	collector := standing.NewCollector()
//	for _, e := range events {
//		event := collector.Event(e, identities, e.SetAside(matches))
//		for _, m := range matches {
//			event.Add(m, standing.Cast{Date: "2026-11-22"})
//		}
//		event.Close()
//	}
//	for _, s := range collector.Summaries() {
//		list, err := collector.List(s.Conditions, standing.Options{Anchor: "ann", Elo: 1500})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, row := range list.Groups[0].Rows {
//			fmt.Println(row.Rank, row, row.Elo.Value.Text(0), row.Total.Played())
//		}
//	}
//
// docs/adr/0025-standing-lists.md gives the reasons for the choice of conditions, and for the model.
package standing
