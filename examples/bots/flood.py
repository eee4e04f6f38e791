"""Plays Flood Wars in the contest's way: floe match flood "python3 flood.py" greedy"""
import sys

letter, *board = sys.stdin.read().split()
rows, columns = len(board), len(board[0])
corners = {"J": (rows - 1, 0), "S": (0, columns - 1)}
other = "S" if letter == "J" else "J"

def flood(board, start):  # the squares of one colour that hang together with this one
    found, todo = {start}, [start]
    while todo:
        row, column = todo.pop()
        for r, c in (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1):
            if 0 <= r < rows and 0 <= c < columns and (r, c) not in found and board[r][c] == board[row][column]:
                found.add((r, c))
                todo.append((r, c))
    return found

def choose(colour):  # the board afterwards
    return ["".join(colour if (r, c) in own else board[r][c] for c in range(columns)) for r in range(rows)]

own = flood(board, corners[letter])
taken = [board[row][column] for row, column in corners.values()]
boards = [choose(colour) for colour in "@#+.*" if colour not in taken]
best = max(boards, key=lambda board: len(flood(board, corners[letter])))
print(other, *best, sep="\n")
