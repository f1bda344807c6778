// Package gate decides which connections an arena keeps when there are more than it has room for.
//
//	g, err := gate.New(listener, gate.DefaultLimits(), log)
//	if err != nil {
//		panic(err)
//	}
//	web := &http.Server{Handler: handler, ConnContext: g.ConnContext}
//	go web.Serve(g)
//
// Every connection begins as a stranger's. Strangers have a part of the room. When that part is full, the gate closes a
// silent connection of the address with the most strangers: silent connections cannot keep others out. A handler that
// knows its client calls [Conn.Keep]. If Keep returns true, the gate does not close the connection any more.
//
// A [Quota] limits the work that visitors start at once, such as games, in all and from each address.
//
// A [RequestLog] gives every HTTP request an id, and logs requests. Each line of the log about a request has its id: a
// handler logs with the context of its request. The answer names the id in the header X-Request-Id, so that a user can
// quote it in a complaint. A known reverse proxy may choose the id.
//
// An [OperatorFile] proves to an arena that a command runs as the user who started the arena. An [OperatorLink] logs
// that user's browser in.
//
// A [Registrar] decides which bots get a name of their own, with a token that the bot has made itself. A name is free
// if no token was ever made for it, and no bot of that name has played. A free name must not look like a name that has
// a token.
package gate
