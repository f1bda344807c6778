// A bot for versus 2048.
//
//     ./bot                                 speaks the line protocol on stdin and stdout
//     ./bot perft gpcc2015 0,0/0,0 A 8      counts sequences of plies, to test the rules

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

const std::string NAME = "mybot", VERSION = "1";
const int LARGEST = 65536;  // two of these do not merge

// The rules. A board is a list of rows of tiles; 0 is an empty cell.
using Row = std::vector<int>;
using Board = std::vector<Row>;

// A legal move, the board after it, and the score of a slide.
struct Move {
    std::string text;
    Board after;
    int score;
};

// Slides a row to the left and returns the score.
int slide_row(Row& row) {
    Row out;
    int score = 0;
    bool open = false;  // the last tile can still merge
    for (int tile : row) {
        if (tile == 0) continue;
        const bool merges = open && out.back() == tile && tile != LARGEST;
        if (merges) score += out.back() *= 2;
        else out.push_back(tile);
        open = !merges;
    }
    out.resize(row.size());
    row = out;
    return score;
}

// Turns a board clockwise by so many quarters.
Board turned(Board board, int times) {
    for (; times > 0; times--) {
        Board next(board[0].size());
        for (auto row = board.rbegin(); row != board.rend(); ++row)
            for (size_t x = 0; x < next.size(); x++) next[x].push_back((*row)[x]);
        board = next;
    }
    return board;
}

// Returns the defender's legal moves. After n quarter turns, a slide goes to the left.
std::vector<Move> slides(const Board& board) {
    std::vector<Move> moves;
    for (int n = 0; n < 4; n++) {
        Board after = turned(board, n);
        int score = 0;
        for (Row& row : after) score += slide_row(row);
        after = turned(after, (4 - n) % 4);
        if (after != board) moves.push_back({std::string(1, "WSEN"[n]), after, score});
    }
    return moves;
}

// Returns the attacker's legal moves.
std::vector<Move> placements(const Board& board, const std::string& rules) {
    std::vector<Move> moves;
    for (size_t y = 0; y < board.size(); y++)
        for (size_t x = 0; x < board[y].size(); x++)
            for (int tile : {2, 4}) {
                if (board[y][x] != 0 || (tile == 4 && rules == "gpcc2015")) continue;
                Board after = board;
                after[y][x] = tile;
                std::string cell = "(" + std::to_string(x + 1) + "," + std::to_string(y + 1);
                moves.push_back({cell + (tile == 4 ? ",4)" : ")"), after, 0});
            }
    return moves;
}

// Values a board after a slide by its empty cells. Begin here to make the bot stronger.
int worth(const Board& board) {
    int empty = 0;
    for (const Row& row : board) empty += std::count(row.begin(), row.end(), 0);
    return empty;
}

// Returns the value of the best slide, and puts the slide into text. Nothing is worse than mate.
int best_slide(const Board& board, std::string& text) {
    int best = -1;
    for (const Move& m : slides(board))
        if (int v = m.score + worth(m.after); v > best) best = v, text = m.text;
    return best;
}

// Returns a move: the best slide, or the placement with the worst best answer.
std::string choose(const Board& board, const std::string& side, const std::string& rules) {
    std::string move, ignored;
    int worst = 1 << 30;
    if (side == "D") best_slide(board, move);
    if (side == "A")
        for (const Move& m : placements(board, rules))
            if (int v = best_slide(m.after, ignored); v < worst) worst = v, move = m.text;
    return move;
}

// Counts the sequences of so many plies.
long perft(const Board& board, const std::string& side, const std::string& rules, int plies) {
    if (plies == 0) return 1;
    long count = 0;
    for (const Move& m : side == "D" ? slides(board) : placements(board, rules))
        count += perft(m.after, side == "D" ? "A" : "D", rules, plies - 1);
    return count;
}

// Reads a board such as 2,0/0,4.
Board read(const std::string& text) {
    Board board;
    std::istringstream rows(text);
    for (std::string row, tile; std::getline(rows, row, '/');) {
        board.emplace_back();
        std::istringstream tiles(row);
        while (std::getline(tiles, tile, ',')) board.back().push_back(std::stoi(tile));
    }
    return board;
}

int main(int argc, char** argv) {
    std::vector<std::string> args(argv + 1, argv + argc);
    if (args.size() == 5 && args[0] == "perft") {
        for (int n = 1; n <= std::stoi(args[4]); n++)
            std::cout << perft(read(args[2]), args[3], args[1], n) << " ";
        std::cout << std::endl;
        return 0;
    }
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word, board, side, rules;
        words >> word;
        if (word == "v2048")
            std::cout << "id name " << NAME << "\nid version " << VERSION << "\nready" << std::endl;
        if (word == "go") {
            for (words >> board >> side; words >> word;)
                if (word.rfind("rules=", 0) == 0) rules = word.substr(6);
            std::cout << "move " << choose(read(board), side, rules) << std::endl;
        }
        if (word == "quit") return 0;
    }
}
