"""Plays an event of two bots of the arena by the client that openapi-python-client has generated."""

import sys
import time

from arena_client import AuthenticatedClient
from arena_client.api.default import (
    get_events_id,
    get_events_id_games,
    get_events_id_standings,
    get_games_game,
    post_events,
)
from arena_client.models import Changed, EventRequest, Game, GamesAnswer, Progress, Standings

url, token = sys.argv[1:]
with AuthenticatedClient(base_url=url, token=token) as client:
    event = EventRequest(
        size="2x2", matches=1, concurrency=1, bots=["a=greedy", "b=random"], in_process=True
    )
    started = post_events.sync(client=client, body=event)
    assert isinstance(started, Changed), started
    while True:
        progress = get_events_id.sync(started.event, client=client)
        assert isinstance(progress, Progress), progress
        if progress.state not in ("running", "waiting"):
            break
        time.sleep(0.05)
    assert progress.state == "finished" and progress.done == 2, progress
    standings = get_events_id_standings.sync(started.event, client=client)
    assert isinstance(standings, Standings), standings
    assert sorted(place.name for place in standings.places) == ["a", "b"], standings
    games = get_events_id_games.sync(started.event, client=client)
    assert isinstance(games, GamesAnswer) and games.total == 2, games
    game = get_games_game.sync(games.games[0].game, client=client)
    assert isinstance(game, Game) and game.record.ending == "mate", game
    assert len(game.record.moves) > 0 and {game.record.attacker, game.record.defender} == {"a", "b"}
    print("played")
