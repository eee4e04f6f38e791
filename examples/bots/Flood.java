// Plays Flood Wars in the contest's way: javac Flood.java; jar --create --file flood.jar --main-class Flood
// Flood*.class; floe match flood "java -jar flood.jar" greedy
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Scanner;

public class Flood {
    static int rows, columns;

    /** Paints the one-coloured piece around a square and counts its squares. */
    static int paint(char[][] board, int row, int column, char to) {
        char from = board[row][column];
        var todo = new ArrayDeque<int[]>();
        todo.push(new int[] {row, column});
        board[row][column] = to;
        int count = 0;
        while (!todo.isEmpty()) {
            int[] at = todo.pop();
            count++;
            for (int[] step : new int[][] {{-1, 0}, {0, 1}, {1, 0}, {0, -1}}) {
                int r = at[0] + step[0], c = at[1] + step[1];
                if (r < 0 || r >= rows || c < 0 || c >= columns || board[r][c] != from) continue;
                board[r][c] = to;
                todo.push(new int[] {r, c});
            }
        }
        return count;
    }

    public static void main(String[] arguments) {
        var input = new Scanner(System.in);
        char letter = input.next().charAt(0);
        var lines = new ArrayList<char[]>();
        while (input.hasNext()) lines.add(input.next().toCharArray());
        char[][] board = lines.toArray(new char[0][]);
        rows = board.length;
        columns = board[0].length;
        int row = letter == 'J' ? rows - 1 : 0, column = letter == 'J' ? 0 : columns - 1;
        char own = board[row][column], other = board[rows - 1 - row][columns - 1 - column];
        char best = own;
        int most = -1;
        for (char colour : "@#+.*".toCharArray()) {
            if (colour == own || colour == other) continue;
            var after = new char[rows][];
            for (int r = 0; r < rows; r++) after[r] = board[r].clone();
            paint(after, row, column, colour);
            int count = paint(after, row, column, '!'); // to any colour, only to count
            if (count > most) {
                most = count;
                best = colour;
            }
        }
        paint(board, row, column, best);
        var output = new StringBuilder().append(letter == 'J' ? 'S' : 'J').append('\n');
        for (char[] line : board) output.append(line).append('\n');
        System.out.print(output);
    }
}
