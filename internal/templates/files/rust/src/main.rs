//! A bot for versus 2048.
//!
//!     bot                                     speaks the line protocol on stdin and stdout
//!     bot perft gpcc2015 0,0/0,0 A 8          counts sequences of plies, to test the rules

use std::io::{stdin, stdout, BufRead, Write};

const NAME: &str = "mybot";
const VERSION: &str = "1";
const LARGEST: u32 = 65536; // two of these do not merge

// The rules. A board is a list of rows of tiles; 0 is an empty cell.
type Board = Vec<Vec<u32>>;

/// A legal move, the board after it, and the score of a slide.
struct Move {
    text: String,
    after: Board,
    score: i64,
}

/// Slides a row to the left; returns the row after it, and the score.
fn slide_row(row: &[u32]) -> (Vec<u32>, i64) {
    let (mut out, mut score, mut open) = (Vec::new(), 0, false); // open: the last tile can merge
    for &tile in row.iter().filter(|&&tile| tile != 0) {
        if open && out.last() == Some(&tile) && tile != LARGEST {
            out.pop();
            out.push(2 * tile);
            score += 2 * i64::from(tile);
            open = false;
        } else {
            out.push(tile);
            open = true;
        }
    }
    out.resize(row.len(), 0);
    (out, score)
}

/// Turns a board clockwise by so many quarters.
fn turned(board: &Board, times: usize) -> Board {
    let mut b = board.clone();
    for _ in 0..times {
        b = (0..b[0].len()).map(|x| b.iter().rev().map(|row| row[x]).collect()).collect();
    }
    b
}

/// Returns the defender's legal moves. After n quarter turns, a slide goes to the left.
fn slides(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for (n, direction) in ["W", "S", "E", "N"].iter().enumerate() {
        let slid: Vec<_> = turned(board, n).iter().map(|row| slide_row(row)).collect();
        let score = slid.iter().map(|(_, score)| score).sum();
        let after = turned(&slid.into_iter().map(|(row, _)| row).collect(), (4 - n) % 4);
        if after != *board {
            moves.push(Move { text: direction.to_string(), after, score });
        }
    }
    moves
}

/// Returns the attacker's legal moves.
fn placements(board: &Board, rules: &str) -> Vec<Move> {
    let tiles: &[u32] = if rules == "gpcc2015" { &[2] } else { &[2, 4] };
    let mut moves = Vec::new();
    for (y, row) in board.iter().enumerate() {
        for x in (0..row.len()).filter(|&x| row[x] == 0) {
            for &tile in tiles {
                let mut after = board.clone();
                after[y][x] = tile;
                let end = if tile == 4 { ",4" } else { "" };
                moves.push(Move { text: format!("({},{}{})", x + 1, y + 1, end), after, score: 0 });
            }
        }
    }
    moves
}

/// Says what a board is worth to the defender after a slide: a point for each empty cell.
/// Begin here to make the bot stronger.
fn worth(board: &Board) -> i64 {
    board.iter().flatten().filter(|&&tile| tile == 0).count() as i64
}

/// Returns the value of the best slide, and the slide. Nothing is worse than mate.
fn best_slide(board: &Board) -> (i64, String) {
    let valued = slides(board).into_iter().map(|m| (m.score + worth(&m.after), m.text));
    valued.max().unwrap_or((-1, String::new()))
}

/// Returns a move: the best slide, or the placement with the worst best answer.
fn choose(board: &Board, side: &str, rules: &str) -> String {
    if side == "D" {
        return best_slide(board).1;
    }
    let worst = placements(board, rules).into_iter().min_by_key(|m| best_slide(&m.after).0);
    worst.expect("an attacker can always move").text
}

/// Counts the sequences of so many plies.
fn perft(board: &Board, side: &str, rules: &str, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    let (moves, other) = match side {
        "D" => (slides(board), "A"),
        _ => (placements(board, rules), "D"),
    };
    moves.iter().map(|m| perft(&m.after, other, rules, plies - 1)).sum()
}

/// Reads a board such as 2,0/0,4.
fn read(text: &str) -> Board {
    let tile = |text: &str| text.parse().expect("a tile is a number");
    text.split('/').map(|row| row.split(',').map(tile).collect()).collect()
}

/// Answers the lines of an arena.
fn answer_lines() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"v2048") => println!("id name {NAME}\nid version {VERSION}\nready"),
            Some(&"go") => {
                let rules = words.iter().find_map(|word| word.strip_prefix("rules="));
                println!("move {}", choose(&read(words[1]), words[2], rules.unwrap_or("")));
            }
            Some(&"quit") => return,
            _ => {} // lines and keys that a bot does not know are ignored
        }
        stdout().flush().expect("the arena reads");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["perft", rules, board, side, plies] => {
            for n in 1..=plies.parse().expect("a number of plies") {
                print!("{} ", perft(&read(board), side, rules, n));
            }
            println!();
        }
        _ => answer_lines(),
    }
}
