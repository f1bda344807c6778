import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;

/**
 * A bot for versus 2048.
 *
 *     java Bot.java                                speaks the line protocol on stdin and stdout
 *     java Bot.java perft gpcc2015 0,0/0,0 A 8     counts sequences of plies, to test the rules
 */
public class Bot {
    static final String NAME = "mybot", VERSION = "1";
    static final int LARGEST = 65536; // two of these do not merge

    // The rules. A board is an array of rows of tiles; 0 is an empty cell.

    /** A legal move, the board after it, and the score of a slide. */
    record Move(String text, int[][] after, int score) {}

    /** Slides a row to the left and returns the score. */
    static int slideRow(int[] row) {
        int[] tiles = row.clone();
        Arrays.fill(row, 0);
        int score = 0, end = 0;
        boolean open = false; // the last tile can still merge
        for (int tile : tiles) {
            if (tile == 0) continue;
            boolean merges = open && row[end - 1] == tile && tile != LARGEST;
            if (merges) score += row[end - 1] *= 2;
            else row[end++] = tile;
            open = !merges;
        }
        return score;
    }

    /** Turns a board clockwise by so many quarters; returns a new one. */
    static int[][] turned(int[][] board, int times) {
        if (times == 0) return Arrays.stream(board).map(int[]::clone).toArray(int[][]::new);
        int height = board.length, width = board[0].length;
        int[][] next = new int[width][height];
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) next[x][height - 1 - y] = board[y][x];
        return turned(next, times - 1);
    }

    /** Returns the defender's legal moves. After n quarter turns, a slide goes to the left. */
    static List<Move> slides(int[][] board) {
        List<Move> moves = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            int[][] after = turned(board, n);
            int score = Arrays.stream(after).mapToInt(Bot::slideRow).sum();
            after = turned(after, (4 - n) % 4);
            String direction = "WSEN".substring(n, n + 1);
            if (!Arrays.deepEquals(after, board)) moves.add(new Move(direction, after, score));
        }
        return moves;
    }

    /** Returns the attacker's legal moves. */
    static List<Move> placements(int[][] board, String rules) {
        List<Move> moves = new ArrayList<>();
        for (int y = 0; y < board.length; y++)
            for (int x = 0; x < board[y].length; x++)
                for (int tile = 2; tile <= (rules.equals("gpcc2015") ? 2 : 4); tile += 2) {
                    if (board[y][x] != 0) continue;
                    int[][] after = turned(board, 0);
                    after[y][x] = tile;
                    String end = tile == 4 ? ",4)" : ")";
                    moves.add(new Move("(" + (x + 1) + "," + (y + 1) + end, after, 0));
                }
        return moves;
    }

    // The choice. Begin here to make the bot stronger.

    /** Says what a board is worth to the defender after a slide: a point for each empty cell. */
    static int worth(int[][] board) {
        return (int) Arrays.stream(board).flatMapToInt(Arrays::stream).filter(t -> t == 0).count();
    }

    /** Returns the best slide. Its score is its value; nothing is worse than mate. */
    static Move bestSlide(int[][] board) {
        Move best = new Move("", board, -1);
        for (Move m : slides(board)) {
            int value = m.score + worth(m.after);
            if (value > best.score) best = new Move(m.text, m.after, value);
        }
        return best;
    }

    /** Returns a move: the best slide, or the placement with the worst best answer. */
    static String choose(int[][] board, String side, String rules) {
        if (side.equals("D")) return bestSlide(board).text;
        Comparator<Move> byAnswer = Comparator.comparingInt(m -> bestSlide(m.after).score);
        return placements(board, rules).stream().min(byAnswer).get().text;
    }

    /** Counts the sequences of so many plies. */
    static long perft(int[][] board, String side, String rules, int plies) {
        if (plies == 0) return 1;
        boolean defends = side.equals("D");
        List<Move> moves = defends ? slides(board) : placements(board, rules);
        return moves.stream().mapToLong(m -> perft(m.after, defends ? "A" : "D", rules, plies - 1)).sum();
    }

    // The line protocol.

    /** Reads a board such as 2,0/0,4. */
    static int[][] read(String text) {
        return Arrays.stream(text.split("/"))
            .map(row -> Arrays.stream(row.split(",")).mapToInt(Integer::parseInt).toArray())
            .toArray(int[][]::new);
    }

    /** Answers a line of an arena; returns nothing where none is wanted. */
    static String answer(String[] words) {
        switch (words[0]) {
            case "v2048": return "id name " + NAME + "\nid version " + VERSION + "\nready\n";
            case "go":
                String rules = "";
                for (String word : words) if (word.startsWith("rules=")) rules = word.substring(6);
                return "move " + choose(read(words[1]), words[2], rules) + "\n";
            default: return "";
        }
    }

    public static void main(String[] args) {
        if (args.length == 5 && args[0].equals("perft")) {
            for (int n = 1; n <= Integer.parseInt(args[4]); n++)
                System.out.print(perft(read(args[2]), args[3], args[1], n) + " ");
            System.out.println();
            return;
        }
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine().trim();
            if (line.equals("quit")) return;
            System.out.print(answer(line.split("\\s+")));
            System.out.flush();
        }
    }
}
