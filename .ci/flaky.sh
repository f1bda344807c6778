#!/usr/bin/env bash
# Runs the tests that have failed by chance on busy machines, each some times, while busy loops take the processors:
#   flaky.sh [TIMES] [LOOPS]   5 times beside 8 loops, if nothing else is said
# A test that fails here has come back. One that fails by chance elsewhere gets its line in the list.
set -euo pipefail
cd "$(dirname "$0")/.."

# list prints each package and test with the reason why it failed.
list() {
	cat <<-'END'
		cmd/arena TestBotComesBackAfterItsTime: a turn of 1 s was short for a busy machine
		cmd/arena TestBotTakesANumberedName: it failed on one core
		cmd/arena TestDatabaseMovedDuringTournament: the event was over before its database was moved
		cmd/arena TestFaultyBots: honest bots lost games by the short clock for the faulty one
		cmd/arena TestHangUpOfServe: processes heard no hang-up where the tests ran under nohup
		cmd/arena TestInterruptOfProcessGroupLosesNoGame: the event was over before the interrupt
		cmd/arena TestInterruptedTournamentPrintsResumeCommand: the event was over before the interrupt
		cmd/arena TestKilledArenaResumes: events were over before the kill
		cmd/arena TestKilledBotsComeBack: a kill at the end of an event made no game wait
		cmd/arena TestKilledDuringQuickGames: events were over before the kill
		cmd/arena TestKilledFarm: the event was over before it was resumed
		cmd/arena TestKilledFormatsResume: an event was over before the kill
		cmd/arena TestLogHasAddressBehindProxy: the log was read before its line was there
		cmd/arena TestOperatorFileIsWrittenBesideDatabase: the log was read before its line was there
		cmd/arena TestPauseStatusResumeStop: the pause came before the first game had begun
		cmd/arena TestRegretOutlivesTheArena: the worker had done all before the arena was killed
		cmd/arena TestResumeTrainingAfterKill: a quicker learner was done before the kills
		cmd/arena TestRequireTokens: the token was made before the arena was served
		cmd/arena TestResumeExperimentAfterInterrupt: the experiment was over before the interrupt
		cmd/arena TestResumeExperimentAfterKill: the experiment was over before the kill
		cmd/arena TestRevokedBotHasToLeave: the log was read before its line was there
		cmd/arena TestServeWithTLS: the token was made before the arena was served
		cmd/arena TestSilentConnections: a turn of 5 s was short for a busy machine
		cmd/arena TestStoppedArenaBlamesNobody: the arena was stopped between two turns
		cmd/arena TestStoppedFarmResumes: the event was over before it was stopped
		cmd/arena TestUnwelcomeWorkers: another test listened at the port that was to be free
		cmd/arena TestWorkersAreListed: a slow worker was no longer on the list
		cmd/internal/labcmd TestOtherResultIsFoundOut: the round was over before the wrong result was compared
		internal/check TestHonestKinds: the champion unpacked its network for longer than its slack
		internal/check TestWrongProcesses: a slack of 1 s was short for a busy machine
		internal/farm TestBatchThatIsTooLong: the round took longer than 20 s
		internal/farm TestCardsComeAndGo: a card was looked for before it was there
		internal/farm TestHalfOfACheckBlamesNobody: the match's task was taken again in place of the check's
		internal/farm TestNextArenaHasAShorterLease: the worker took longer than 20 s
		internal/farm TestWorkerWithoutRoom: the trouble had left the worker's card before it was read
		internal/farm/broker TestRestart: logging in took longer than 2 s
		internal/farm/broker TestTLSAndToken: logging in took longer than 2 s
		internal/server TestExcludedFromClosedLadder: walkovers from before the test looked were counted
		internal/server TestFailedHandshakesAreLoggedCalmly: a connection was reset instead of closed
		internal/server TestFinishedEventsLeaveMemory: others used memory for a moment
		internal/server TestMetricsOfAnArena: a request is counted after its connection is closed
		internal/server TestQueueKeepsPlaces: the bots were not there yet
		internal/server TestRevokedTokenEndsConnections: it took longer than 10 s
		internal/server TestSilentHandshakesEnd: a connection was reset instead of closed
		internal/server TestSilentRequestsEnd: a connection was reset instead of closed
		internal/server TestStopAndResume: the event was stopped twice
		internal/server TestStrangerBehindAProxyTakesNoRoomOfOthers: slow requests were more than the limit allowed at once
		internal/server TestStreamsLiveOn: the answer to the stop came after the end of the event
		internal/server TestStruckOutOfOpenLadder: a bot came back before the arena had noticed that it left
		internal/server TestWrongTokens: requests took longer than a hasty arena allows
		internal/server/budget TestAnswersArrive: the connection that was taken over stayed open
		internal/server/gate TestTooManyFromOneAddress: a place was not free yet
		internal/siege TestStrangers: honest bots lost games to the busy machine
		internal/web TestClockRunsOut: the clock had run out before it was looked at
		internal/web TestConnectedBotsAreAsked: the bot was too slow, and the page stopped
		internal/web TestEventLive: the page was without ratings
		internal/web TestGameList: the page did not listen yet
		internal/web TestJumps: the panel had moved what was clicked
		internal/web TestLoginInTheBrowser: the page was not as far as the test
		internal/web TestOpinionsAreBounded: a place was not free yet
		internal/web TestRatings: the page did not know the last games yet
		internal/web TestSearchPanel: the panel was replaced before the click
		internal/web TestShare: the list had moved what was clicked
		internal/web TestSteering: the event had not begun
		internal/web TestStoppedArena: the page had not loaded its last part
		lab/learning TestThreads: a thread that had stood still took back what others had learned
		players/process TestConformance: 2 s for a move were short for a busy machine
		players/process TestProcessesAreUsedAgain: a process had not settled in time
		players/process TestStartFails: the process ended before it was sent anything
		protocol TestClientReconnectsAfterGoodbye: the client was back before the arena had noticed that it left
		protocol TestConformance: 500 ms for a move were short for a busy machine
		results TestStatisticsTakeLittleMemory: garbage was collected late
		results/backup TestWhileGamesAreWritten: the backup was made before the first game was written
		internal/web/archive TestLists: lists that are slow to read are read again later
	END
}

main() {
	local times=${1:-5} loops=${2:-8} package tests status=0
	trap finish EXIT
	all_are_there
	go test -run '^$' ./... >/dev/null # builds before the load
	load "$loops"
	while read -r package tests; do
		go test -count "$times" -timeout 0 -run "^($tests)\$" "./$package" || status=1
	done < <(list | awk '{sub(":", "", $2); all[$1] = all[$1] "|" $2} END {for (p in all) print p, substr(all[p], 2)}' | sort)
	return "$status"
}

# all_are_there fails if a test of the list is not in its package.
all_are_there() {
	local package test status=0
	while read -r package test _; do
		grep -qs "^func ${test%:}(" "$package"/*_test.go || { echo "$package has no ${test%:}: change its line in .ci/flaky.sh" && status=1; }
	done < <(list)
	return "$status"
}

busy=()

# load starts busy loops.
load() {
	local _
	for _ in $(seq "$1"); do
		yes >/dev/null &
		busy+=($!)
	done
}

finish() {
	((${#busy[@]} == 0)) || kill "${busy[@]}"
}

main "$@"
