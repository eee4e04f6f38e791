// Plays Flood Wars in the contest's way: g++ -O2 -o flood_cpp flood.cpp; floe match flood ./flood_cpp greedy
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Board = std::vector<std::string>;

// Paints the one-coloured piece around a square and counts its squares.
static int paint(Board &board, int row, int column, char to) {
    char from = board[row][column];
    std::vector<std::pair<int, int>> todo{{row, column}};
    board[row][column] = to;
    int count = 0;
    while (!todo.empty()) {
        auto [r, c] = todo.back();
        todo.pop_back();
        count++;
        for (auto [down, right] : {std::pair{-1, 0}, {0, 1}, {1, 0}, {0, -1}}) {
            int y = r + down, x = c + right;
            if (y < 0 || y >= int(board.size()) || x < 0 || x >= int(board[0].size())) continue;
            if (board[y][x] != from) continue;
            board[y][x] = to;
            todo.push_back({y, x});
        }
    }
    return count;
}

int main() {
    char letter, best = 0;
    int most = -1;
    std::string line;
    Board board;
    if (!(std::cin >> letter)) return 2;
    while (std::cin >> line) board.push_back(line);
    if (board.empty()) return 2;
    int rows = board.size(), columns = board[0].size();
    int row = letter == 'J' ? rows - 1 : 0, column = letter == 'J' ? 0 : columns - 1;
    char own = board[row][column], other = board[rows - 1 - row][columns - 1 - column];
    for (char colour : std::string("@#+.*")) {
        if (colour == own || colour == other) continue;
        Board after = board;
        paint(after, row, column, colour);
        int count = paint(after, row, column, '!'); // to any colour, only to count
        if (count > most) most = count, best = colour;
    }
    paint(board, row, column, best);
    std::cout << (letter == 'J' ? 'S' : 'J') << '\n';
    for (const auto &text : board) std::cout << text << '\n';
}
