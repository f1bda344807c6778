package stranger

import "maps"

// examples returns requests of strangers to each route that is open to them, by the route's pattern. Event 1 is
// finished, with the games 1 to 4, and honest bots are playing event 2. Each list begins with requests that the
// pages send. Then come requests that are cheap to send and expensive to answer, and wrong ones.
func examples() map[string][]string {
	all := maps.Clone(arenaExamples)
	maps.Copy(all, pageExamples)
	return all
}

var arenaExamples = map[string][]string{
	"GET /bot":                        {"/bot", "/bot?name=nobody-#"},
	"GET /healthz":                    {"/healthz", "/healthz?#"},
	"GET /readyz":                     {"/readyz", "/readyz?#"},
	"GET /api/bots":                   {"/api/bots"},
	"GET /api/workers":                {"/api/workers"},
	"GET /api/events":                 {"/api/events"},
	"GET /api/events/{id}":            {"/api/events/2", "/api/events/1", "/api/events/9#"},
	"GET /api/events/{id}/news":       {"/api/events/2/news", "/api/events/1/news", "/api/events/9#/news"},
	"GET /api/events/{id}/progress":   {"/api/events/2/progress", "/api/events/1/progress", "/api/events/9#/progress"},
	"GET /api/events/{id}/crosstable": {"/api/events/2/crosstable", "/api/events/1/crosstable", "/api/events/9#/crosstable"},
	"GET /api/events/{id}/standings":  {"/api/events/2/standings", "/api/events/1/standings", "/api/events/9#/standings"},
	"GET /api/events/{id}/heads":      {"/api/events/2/heads", "/api/events/1/heads", "/api/events/9#/heads"},
	"GET /api/queue":                  {"/api/queue"},
	"GET /static/{build}/{file...}":   {"/static/x/style.css", "/static/x/play.js", "/static/x/nothing-#"},
	"GET /favicon.ico":                {"/favicon.ico", "/favicon.ico?#"},
	"GET /robots.txt":                 {"/robots.txt", "/robots.txt?#"},
	"GET /login":                      {"/login", "/login?next=/events/#"},
	"POST /login":                     {"/login token=v2048_#", "/login token="},
	"POST /logout":                    {"/logout x=#"},
	"GET /api/kinds":                  {"/api/kinds", "/api/kinds?x=#"},
	"GET /docs":                       {"/docs"},
	"GET /api":                        {"/api"},
	"GET /api/openapi.json":           {"/api/openapi.json"},
	"GET /schemas/{name}":             {"/schemas/record.json", "/schemas/nothing-#"},
	"GET /docs/{file...}":             {"/docs/SECURITY", "/docs/SECURITY.md", "/docs/adr/0020-alphabeta", "/docs/images/ratings.svg", "/docs/nothing-#.md"},
	"GET /llms.txt":                   {"/llms.txt", "/llms.txt?#"},
	"GET /connect":                    {"/connect", "/connect?bot=nobody-#"},
	"POST /connect/renew":             {"/connect/renew name=nobody-#&token=v2048_#&renew=yes", "/connect/renew name="},
	"GET /api/seen":                   {"/api/seen?bot=honest+0001", "/api/seen?bot=nobody-#", "/api/seen"},
	"GET /workers":                    {"/workers"},
	"GET /bots/{bot}":                 {"/bots/honest%200001", "/bots/greedy", "/bots/nobody-#"},
	"GET /api/bots/{bot}":             {"/api/bots/honest%200001", "/api/bots/greedy", "/api/bots/nobody-#"},
	"GET /bots/{a}/vs/{b}":            {"/bots/honest%200001/vs/honest%200002", "/bots/greedy/vs/searcher", "/bots/nobody-#/vs/nobody"},
	"GET /api/bots/{a}/vs/{b}":        {"/api/bots/honest%200001/vs/honest%200002", "/api/bots/greedy/vs/searcher", "/api/bots/nobody-#/vs/nobody"},
	"GET /ratings":                    {"/ratings", "/ratings?conditions=gpcc2015+4x4+5s/move", "/ratings?conditions=#"},
	"GET /api/ratings":                {"/api/ratings", "/api/ratings?conditions=gpcc2015+4x4+5s/move", "/api/ratings?conditions=#"},
	"GET /events":                     {"/events", "/events?name=siege&state=finished", "/events?name=nothing-#", "/events?offset=9#"},
	"GET /api/events/recorded":        {"/api/events/recorded", "/api/events/recorded?bot=honest+0001", "/api/events/recorded?name=nothing-#"},
	"GET /events/{id}":                {"/events/2", "/events/1", "/events/9#"},
	"GET /events/{id}/export":         {"/events/1/export", "/events/2/export", "/events/1/export?format=parquet", "/events/1/export?format=#", "/events/9#/export"},
	"GET /events/{id}/report":         {"/events/1/report", "/events/2/report?format=markdown", "/events/9#/report"},
	"GET /events/{id}/boards":         {"/events/2/boards", "/events/1/boards", "/events/9#/boards"},
	"GET /api/events/{id}/statistics": {"/api/events/2/statistics", "/api/events/1/statistics", "/api/events/9#/statistics"},
	"GET /api/events/{id}/games":      {"/api/events/2/games", "/api/events/2/games?sort=score&reverse=1&offset=#", "/api/events/9#/games"},
	"GET /parts/events/{id}/games":    {"/parts/events/2/games", "/parts/events/2/games?sort=score&reverse=1&offset=#", "/parts/events/9#/games"},
	"GET /api/events/{id}/live":       {"/api/events/2/live", "/api/events/1/live", "/api/events/9#/live"},
	"GET /api/events/{id}/boards":     {"/api/events/2/boards", "/api/events/1/boards", "/api/events/9#/boards"},
}

var pageExamples = map[string][]string{
	"GET /{$}":                       {"/", "/?#"},
	"GET /":                          {"/nothing-#"},
	"GET /rules":                     {"/rules"},
	"GET /preview.png":               {"/preview.png"},
	"GET /games/{game}/preview.png":  {"/games/1/preview.png", "/games/9#00000/preview.png"},
	"GET /events/{id}/preview.png":   {"/events/1/preview.png", "/events/2/preview.png", "/events/9#/preview.png"},
	"GET /api/tv":                    {"/api/tv"},
	"GET /games/{game}":              {"/games/1", "/games/1.gif", "/games/1?ply=#", "/games/9#00000"},
	"GET /games/{game}/position.svg": {"/games/1/position.svg?ply=20", "/games/1/position.svg?ply=9#", "/games/9#00000/position.svg"},
	"GET /embed/games/{game}":        {"/embed/games/1", "/embed/games/9#00000"},
	"GET /api/games/{game}":          {"/api/games/1", "/api/games/9#00000"},
	"GET /api/games":                 {"/api/games", "/api/games?bot=nobody-#", "/api/games?event=2&ending=unfinished&before=#"},
	"GET /api/games/{game}/plies":    {"/api/games/1/plies", "/api/games/1/plies?from=9#", "/api/games/9#00000/plies"},
	"GET /api/games/{game}/logs":     {"/api/games/1/logs", "/api/games/9#00000/logs"},
	"GET /api/games/{game}/live":     {"/api/games/1/live", "/api/games/9#00000/live"},
	"GET /api/games/{game}/marks":    {"/api/games/1/marks", "/api/games/2/marks", "/api/games/9#00000/marks"},
	"GET /parts/games/{game}/marks":  {"/parts/games/3/marks", "/parts/games/4/marks", "/parts/games/9#00000/marks"},
	"GET /api/games/{game}/values":   {"/api/games/1/values", "/api/games/9#00000/values"},
	"GET /api/games/{game}/searches": {"/api/games/1/searches?from=1", "/api/games/9#00000/searches"},
	"GET /parts/games/{game}/curves": {"/parts/games/1/curves", "/parts/games/9#00000/curves"},
	"GET /parts/games/{game}/panels": {"/parts/games/1/panels?ply=10", "/parts/games/1/panels?ply=9#", "/parts/games/9#00000/panels"},
	"GET /api/games/{game}/text":     {"/api/games/1/text", "/api/games/9#00000/text"},
	"GET /api/games/{game}/record":   {"/api/games/1/record", "/api/games/9#00000/record"},
	"GET /analysis":                  {"/analysis?" + position, "/analysis?game=1&ply=20&explorer=1", "/analysis?setup=2&" + position, "/analysis?position=#"},
	"GET /api/exact":                 {"/api/exact?" + position, "/api/exact?game=1&ply=20", "/api/exact?position=#"},
	"GET /api/explorer":              {"/api/explorer?" + position, "/api/explorer?bot=nobody-#&" + position, "/api/explorer?position=#"},
	"GET /api/explorer/progress":     {"/api/explorer/progress?" + position, "/api/explorer/progress?bot=nobody-#&" + position},
	"GET /api/analysis/live":         {"/api/analysis/live?" + analysis, "/api/analysis/live?bot=nobody-#&" + position},
	"GET /parts/opinion":             {"/parts/opinion?" + analysis, "/parts/opinion?bot=nobody-#&" + position},
	"POST /parts/opinion":            {"/parts/opinion " + opinionBody, `/parts/opinion {"rules":"gpcc2015","position":"2,0/0,0 D 0 1","opinion":{"bot":"nobody-#","move":"N"}}`, "/parts/opinion {"},
	"GET /lobby":                     {"/lobby", "/lobby?#"},
	"GET /projector":                 {"/projector?event=2", "/projector?event=1", "/projector?event=9#"},
	"GET /api/lobby":                 {"/api/lobby"},
	"GET /api/lobby/live":            {"/api/lobby/live"},
	"GET /puzzles":                   {"/puzzles", "/puzzles?after=#", "/puzzles?after=1&role=attacker&rules=solo"},
	"GET /puzzles/{number}":          {"/puzzles/1", "/puzzles/2?role=attacker&size=3x3", "/puzzles/9#"},
	"GET /api/puzzles/{number}":      {"/api/puzzles/1", "/api/puzzles/9#"},
	"GET /play":                      {"/play", "/play?#"},
	"POST /api/play":                 {"/api/play " + playBody, `/api/play {"opponent":"nobody-#","role":"defender","rules":"gpcc2015","size":"4x4"}`, "/api/play {"},
	"POST /api/hint":                 {"/api/hint " + hintBody, `/api/hint {"bot":"nobody-#","rules":"gpcc2015","position":"2,0/0,0 D 0 1"}`, "/api/hint {"},
	"POST /api/mistakes":             {"/api/mistakes " + mistakesBody, `/api/mistakes {"record":"[Attacker \"nobody-#\"]\n1. (1,1) E"}`, "/api/mistakes {"},
	"POST /parts/hint":               {"/parts/hint " + hintBody, `/parts/hint {"bot":"nobody-#","rules":"gpcc2015","position":"2,0/0,0 D 0 1"}`, "/parts/hint {"},
}

// Parts of requests.
const (
	position    = "position=2,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0+D+0+3&rules=gpcc2015"
	analysis    = "bot=mcts&" + position
	playBody    = `{"opponent":"champion","role":"defender","rules":"gpcc2015","size":"4x4"}`
	opinionBody = `{"rules":"gpcc2015","position":"2,0/0,0 D 0 1","opinion":{"bot":"champion","move":"E"}}`

	mistakesBody = `{"record":"[Rules \"gpcc2016\"]\n1. (1,1) E 2. (1,2) S 3. (1,1) W"}`

	hintBody = `{"bot":"champion","rules":"gpcc2015","position":"2,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0 D 0 3"}`
)
