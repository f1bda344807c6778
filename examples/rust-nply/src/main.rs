//! A bot for versus 2048 that searches a fixed number of plies, each first move in a thread of its
//! own. It speaks the line protocol (docs/STDIO.md) on stdin and stdout.
//!
//!     cargo build --release
//!     arena event run --bot 'nply=exec:target/release/nply' --bot evminimax
//!
//! Since no clock ends its search, it plays the same moves on every machine, as long as its moves
//! are not in a hurry.

use std::collections::HashMap;
use std::io::{stdin, stdout, BufRead, Write};
use std::thread;
use std::time::Instant;

const MATE: i64 = -100_000; // what is lost when no slide is left
const HURRY_MS: u64 = 200; // with less time than this for a move, two plies have to do

// The rules.

/// The board as exponents: 0 is an empty cell, 1 a 2, 16 a 65536. Rows have four cells; those past
/// the width are not used.
#[derive(Clone, Copy, PartialEq)]
struct Board {
    cells: [[u8; 4]; 4],
    width: usize,
    height: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Attacker,
    Defender,
}

#[derive(Clone, Copy)]
enum Move {
    Slide(char),
    Place { x: usize, y: usize, tile: u8 },
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match *self {
            Move::Slide(direction) => write!(f, "{direction}"),
            Move::Place { x, y, tile: 1 } => write!(f, "({},{})", x + 1, y + 1),
            Move::Place { x, y, tile } => write!(f, "({},{},{})", x + 1, y + 1, 1 << tile),
        }
    }
}

impl Board {
    /// Reads a board such as 2,0/0,4.
    fn read(text: &str) -> Option<Board> {
        let rows: Vec<Vec<u32>> = text
            .split('/')
            .map(|row| row.split(',').map(|tile| tile.parse().ok()).collect())
            .collect::<Option<_>>()?;
        let mut board = Board { cells: [[0; 4]; 4], width: rows[0].len(), height: rows.len() };
        for (y, row) in rows.iter().enumerate() {
            for (x, &tile) in row.iter().enumerate() {
                *board.cells.get_mut(y)?.get_mut(x)? = tile.max(1).trailing_zeros() as u8;
            }
        }
        Some(board)
    }

    /// Returns the board after a slide and the slide's score, or nothing if it changes nothing.
    fn slide(&self, direction: char) -> Option<(Board, i64)> {
        let (mut after, mut score) = (*self, 0);
        let vertical = direction == 'N' || direction == 'S';
        let (lines, length) =
            if vertical { (self.width, self.height) } else { (self.height, self.width) };
        for n in 0..lines {
            let cell = |i: usize| match direction {
                'N' => (i, n),
                'S' => (length - 1 - i, n),
                'W' => (n, i),
                _ => (n, length - 1 - i),
            };
            let (mut end, mut open) = (0, false); // open: the last tile can still merge
            for i in 0..length {
                let (y, x) = cell(i);
                let tile = std::mem::take(&mut after.cells[y][x]);
                if tile == 0 {
                    continue;
                }
                if open && tile < 16 {
                    let (y, x) = cell(end - 1);
                    if after.cells[y][x] == tile {
                        after.cells[y][x] += 1;
                        score += 2 << tile;
                        open = false;
                        continue;
                    }
                }
                let (y, x) = cell(end);
                after.cells[y][x] = tile;
                end += 1;
                open = true;
            }
        }
        (after != *self).then_some((after, score))
    }

    /// Returns the legal moves of a side, each with the board after it and its score.
    fn moves(&self, side: Side, fours: bool) -> Vec<(Move, Board, i64)> {
        let mut moves = Vec::new();
        if side == Side::Defender {
            for direction in ['N', 'S', 'W', 'E'] {
                if let Some((after, score)) = self.slide(direction) {
                    moves.push((Move::Slide(direction), after, score));
                }
            }
            return moves;
        }
        for y in 0..self.height {
            for x in (0..self.width).filter(|&x| self.cells[y][x] == 0) {
                for tile in 1..=if fours { 2 } else { 1 } {
                    let mut after = *self;
                    after.cells[y][x] = tile;
                    moves.push((Move::Place { x, y, tile }, after, 0));
                }
            }
        }
        moves
    }

    /// Estimates what the defender still gets: room, and how little neighbours differ.
    fn worth(&self) -> i64 {
        let mut value = 0;
        for y in 0..self.height {
            for x in 0..self.width {
                let tile = i64::from(self.cells[y][x]);
                if tile == 0 {
                    value += 16;
                    continue;
                }
                let right = (x + 1 < self.width).then(|| self.cells[y][x + 1]);
                let below = (y + 1 < self.height).then(|| self.cells[y + 1][x]);
                for other in [right, below].into_iter().flatten().filter(|&other| other > 0) {
                    value += 4 - 2 * (tile - i64::from(other)).abs();
                }
            }
        }
        value
    }
}

// The search.

/// Returns what the defender gets in so many plies, and an estimate of what follows.
fn minimax(board: &Board, side: Side, fours: bool, plies: u32, nodes: &mut u64) -> i64 {
    *nodes += 1;
    let moves = board.moves(side, fours);
    if moves.is_empty() {
        return MATE;
    }
    if plies == 0 {
        return board.worth();
    }
    let values = moves.iter().map(|(_, after, score)| {
        score + minimax(after, other(side), fours, plies - 1, nodes)
    });
    match side {
        Side::Defender => values.max(),
        Side::Attacker => values.min(),
    }
    .expect("there is a move")
}

fn other(side: Side) -> Side {
    match side {
        Side::Attacker => Side::Defender,
        Side::Defender => Side::Attacker,
    }
}

/// Returns the legal moves with their values and the positions searched, the best one first.
fn search(board: &Board, side: Side, fours: bool, plies: u32) -> Vec<(Move, i64, u64)> {
    let mut found: Vec<_> = thread::scope(|threads| {
        let searches: Vec<_> = board
            .moves(side, fours)
            .into_iter()
            .map(|(m, after, score)| {
                threads.spawn(move || {
                    let mut nodes = 0;
                    let value = minimax(&after, other(side), fours, plies - 1, &mut nodes);
                    (m, score + value, nodes)
                })
            })
            .collect();
        searches.into_iter().map(|search| search.join().expect("a search ends")).collect()
    });
    found.sort_by_key(|&(_, value, _)| if side == Side::Defender { -value } else { value });
    found
}

// The line protocol.

/// Answers a go line: the words after "go".
fn answer(words: &[&str], plies: u32) -> Option<String> {
    let began = Instant::now();
    let (&text, &side) = (words.first()?, words.get(1)?);
    let keys: HashMap<_, _> = words.iter().filter_map(|word| word.split_once('=')).collect();
    let left: Option<u64> = keys.get("left_ms").and_then(|ms| ms.parse().ok());
    let plies = if left.map_or(false, |ms| ms < HURRY_MS) { plies.min(2) } else { plies };

    let side = if side == "D" { Side::Defender } else { Side::Attacker };
    let fours = keys.get("rules").map_or(false, |&rules| rules != "gpcc2015");
    let found = search(&Board::read(text)?, side, fours, plies);
    let nodes: u64 = found.iter().map(|(_, _, nodes)| nodes).sum();
    let mut lines =
        format!("info depth={plies} nodes={nodes} time_ms={}\n", began.elapsed().as_millis());
    for (m, value, nodes) in &found {
        lines += &format!("info move={m} visits={nodes} value={value}\n");
    }
    Some(lines + &format!("move {}", found.first()?.0))
}

/// Returns the number of plies after a setting such as plies=3.
fn changed(plies: u32, setting: &str) -> u32 {
    let value = setting.strip_prefix("plies=").and_then(|value| value.parse().ok());
    value.unwrap_or(plies).clamp(1, 8)
}

fn main() {
    let mut plies = std::env::args().skip(1).fold(4, |plies, setting| changed(plies, &setting));
    for line in stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["v2048", ..] => {
                println!("id name nply\nid version 1");
                println!("option name=plies type=int min=1 max=8 default={plies}\nready");
            }
            ["set", setting] => plies = changed(plies, setting),
            ["go", ..] => match answer(&words[1..], plies) {
                Some(lines) => println!("{lines}"),
                None => println!("error there is no move in: {line}"),
            },
            ["quit"] => return,
            _ => {} // lines and keys that a bot does not know are ignored
        }
        stdout().flush().expect("the arena reads");
    }
}
