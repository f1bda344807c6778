// A bot for versus 2048 that searches with alpha-beta, ever deeper until its time is up, with a
// transposition table. It speaks the line protocol (docs/STDIO.md) on stdin and stdout.
//
//     g++ -O2 -std=c++17 -o alphabeta alphabeta.cpp
//     arena event run --bot 'ab=exec:./alphabeta' --bot evminimax

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

// The cells of a board, row by row, as exponents: 0 is an empty cell, 1 a 2, 16 a 65536.
using Board = std::array<uint8_t, 16>;
const int LARGEST = 16;  // two of these do not merge

// A move is a direction, 0 to 3, or a placement: 4 + cell, and 32 more for a 4.
using Move = int;
const Move NONE = -1;
const int FOUR = 32;

// Rules knows the moves on boards of one size.
struct Rules {
    int width, height;
    bool fours;                                      // the attacker may place a 4
    std::array<std::vector<std::vector<int>>, 4> lines;  // of N, S, W, E: cells, the wall first

    Rules(int width, int height, bool fours) : width(width), height(height), fours(fours) {
        for (int direction = 0; direction < 4; direction++) {
            bool vertical = direction < 2, back = direction % 2;
            for (int n = 0; n < (vertical ? width : height); n++) {
                std::vector<int> line;
                for (int i = 0; i < (vertical ? height : width); i++)
                    line.push_back(vertical ? i * width + n : n * width + i);
                if (back) std::reverse(line.begin(), line.end());
                lines[direction].push_back(line);
            }
        }
    }

    int cells() const { return width * height; }

    // Slides a board and adds to the score. Returns whether anything moved.
    bool slide(Board& board, int direction, int& score) const {
        Board before = board;
        for (const auto& line : lines[direction]) {
            size_t end = 0;
            bool open = false;  // the last tile can still merge
            for (int cell : line) {
                uint8_t tile = board[cell];
                if (tile == 0) continue;
                board[cell] = 0;
                if (open && board[line[end - 1]] == tile && tile != LARGEST) {
                    score += 1 << ++board[line[end - 1]];
                    open = false;
                } else {
                    board[line[end++]] = tile;
                    open = true;
                }
            }
        }
        return board != before;
    }

    // Plays a move, and adds to the score. Returns whether it is legal.
    bool play(Board& board, Move move, int& score) const {
        if (move < 4) return slide(board, move, score);
        int cell = (move & ~FOUR) - 4;
        if (board[cell] != 0) return false;
        board[cell] = move & FOUR ? 2 : 1;
        return true;
    }

    // Returns what may be legal for a side.
    std::vector<Move> moves(bool defends) const {
        if (defends) return {0, 1, 2, 3};
        std::vector<Move> all;
        for (int cell = 0; cell < cells(); cell++) {
            all.push_back(4 + cell);
            if (fours) all.push_back((4 + cell) | FOUR);
        }
        return all;
    }

    std::string text(Move move) const {
        if (move < 4) return std::string(1, "NSWE"[move]);
        int cell = (move & ~FOUR) - 4;
        std::string at = std::to_string(cell % width + 1) + "," + std::to_string(cell / width + 1);
        return "(" + at + (move & FOUR ? ",4)" : ")");
    }
};

// Entry is what the search remembers of a position.
struct Entry {
    uint64_t key = 0;
    int value = 0, depth = -1;
    enum { EXACT, LOWER, UPPER } bound = EXACT;
    Move move = NONE;
};

// Search finds a move in one position. Values are the points that the defender still gets.
class Search {
  public:
    const Rules& rules;
    long nodes = 0;

    Search(const Rules& rules, std::vector<Entry>& table, Clock::time_point end)
        : rules(rules), table(table), end(end) {}

    // Returns the best move, and prints what the deepest search has found.
    Move best(const Board& board, bool defends, int most) {
        auto began = Clock::now();
        Move move = NONE;
        std::ostringstream info;
        for (int depth = 1, value = 0; depth <= most && value > -MATE / 2; depth++) {
            stoppable = depth > 1;  // the first depth always ends
            try {
                value = alphabeta(board, defends, depth, -WORST, WORST);
            } catch (const Stopped&) {
                break;
            }
            move = at(board, defends).move;
            auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
            info.str("");
            info << "info depth=" << depth << " nodes=" << nodes << " value=" << value
                      << " pv=" << line(board, defends, depth) << " time_ms=" << ms.count();
            if (Clock::now() - began > (end - began) / 2) break;  // the next one would not end
        }
        std::cout << info.str() << std::endl;
        return move;
    }

  private:
    struct Stopped {};
    static const int WORST = 1 << 28, MATE = 100'000;
    std::vector<Entry>& table;
    Clock::time_point end;
    bool stoppable = false;

    // Returns what stands for a position in the table, by the finalizer of SplitMix64.
    uint64_t key(const Board& board, bool defends) const {
        uint64_t halves[2];
        std::memcpy(halves, board.data(), sizeof halves);
        uint64_t game = defends + 2 * rules.fours + 4 * rules.width;
        return mixed(mixed(mixed(game) ^ halves[0]) ^ halves[1]);
    }

    static uint64_t mixed(uint64_t z) {
        z += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    Entry& at(const Board& board, bool defends) {
        return table[key(board, defends) % table.size()];
    }

    // Returns what the defender gets from here on, if that is between alpha and beta.
    int alphabeta(const Board& board, bool defends, int depth, int alpha, int beta) {
        if (++nodes % 1024 == 0 && stoppable && Clock::now() >= end) throw Stopped{};
        uint64_t k = key(board, defends);
        Entry& entry = table[k % table.size()];
        Move first = entry.key == k ? entry.move : NONE;
        if (entry.key == k && entry.depth >= depth &&
            (entry.bound == Entry::EXACT || (entry.bound == Entry::LOWER && entry.value >= beta) ||
             (entry.bound == Entry::UPPER && entry.value <= alpha)))
            return entry.value;

        if (depth == 0 && !defends) return evaluation(board);
        Entry found;
        found.key = k, found.depth = depth, found.value = defends ? -WORST : WORST;
        int low = alpha, high = beta;
        auto attempt = [&](Move move) {
            Board after = board;
            int gain = 0;
            if (!rules.play(after, move, gain)) return;
            int next = std::max(depth - 1, 0);
            int value = gain + alphabeta(after, !defends, next, low - gain, high - gain);
            bool better = defends ? value > found.value : value < found.value;
            if (!better && found.move != NONE) return;
            found.value = value, found.move = move;
            (defends ? low : high) = defends ? std::max(low, value) : std::min(high, value);
        };
        if (first != NONE) attempt(first);
        for (Move move : rules.moves(defends))
            if (move != first && low < high) attempt(move);
        if (found.move == NONE) return -MATE;
        if (found.value <= alpha) found.bound = Entry::UPPER;
        if (found.value >= beta) found.bound = Entry::LOWER;
        table[k % table.size()] = found;
        return found.value;
    }

    // Estimates what the defender still gets, before a placement: room, and equal neighbours.
    int evaluation(const Board& board) const {
        int value = 0;
        for (int cell = 0; cell < rules.cells(); cell++) {
            if (board[cell] == 0) value += 16;
            if (cell % rules.width + 1 < rules.width) value += pair(board[cell], board[cell + 1]);
            int below = cell + rules.width;
            if (below < rules.cells()) value += pair(board[cell], board[below]);
        }
        return value;
    }

    static int pair(int a, int b) {
        if (a == 0 || b == 0) return 0;
        return a == b ? 8 : -2 * std::abs(a - b);
    }

    // Returns the moves that the search expects, as far as it remembers them.
    std::string line(Board board, bool defends, int most) {
        std::string text;
        for (int ply = 0; ply < most; ply++, defends = !defends) {
            const Entry& entry = at(board, defends);
            int gain = 0;
            if (entry.key != key(board, defends) || entry.move == NONE) break;
            if (!rules.play(board, entry.move, gain)) break;
            text += (ply ? "," : "") + rules.text(entry.move);
        }
        return text;
    }
};

// Reads a board such as 2,0/0,4.
Board read(const std::string& text, int& width, int& height) {
    Board board{};
    int cell = 0;
    height = 1 + std::count(text.begin(), text.end(), '/');
    std::istringstream tiles(text);
    for (int tile; tiles >> tile; tiles.get(), cell++)
        for (; tile > 1; tile /= 2) board[cell]++;
    width = cell / height;
    return board;
}

// Answers a go line.
void answer(std::istringstream& words, int time_ms, int depth, std::vector<Entry>& table) {
    auto now = Clock::now();
    std::string text, side, word;
    words >> text >> side;
    std::map<std::string, std::string> keys;
    while (words >> word) keys[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    if (keys.count("left_ms"))
        time_ms = std::min<long long>(time_ms, std::stoll(keys["left_ms"]) / 3);

    int width, height;
    Board board = read(text, width, height);
    Rules rules(width, height, keys["rules"] != "gpcc2015");
    Search search(rules, table, now + std::chrono::milliseconds(time_ms));
    Move move = search.best(board, side == "D", depth);
    std::cout << "move " << rules.text(move) << std::endl;
}

int main(int argc, char** argv) {
    std::vector<Entry> table(1 << 20);
    int time_ms = 100, depth = 40;
    auto change = [&](const std::string& text) {
        if (text.rfind("time_ms=", 0) == 0) time_ms = std::stoi(text.substr(8));
        if (text.rfind("depth=", 0) == 0) depth = std::stoi(text.substr(6));
    };
    std::for_each(argv + 1, argv + argc, change);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "v2048")
            std::cout << "id name alphabeta\nid version 1\n"
                      << "option name=time_ms type=int min=1 max=600000 default=" << time_ms
                      << "\noption name=depth type=int min=1 max=100 default=" << depth
                      << "\nready" << std::endl;
        if (word == "set") {
            words >> word;
            change(word);
        }
        if (word == "new") std::fill(table.begin(), table.end(), Entry{});
        if (word == "go") answer(words, time_ms, depth, table);
        if (word == "quit") return 0;
    }
}
