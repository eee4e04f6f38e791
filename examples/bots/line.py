"""Plays all games of Floe in the line protocol: floe match gamma "line:python3 line.py" greedy"""
import sys

def name(at, board):  # a square in words: a1 is at the bottom left, after z comes aa
    letters, column = "", at[1] + 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{len(board) - at[0]}"

def fields(board, kind):
    return [(r, c) for r, row in enumerate(board) for c, field in enumerate(row) if field == kind]

def around(at, board):
    near = [(at[0] - 1, at[1]), (at[0], at[1] + 1), (at[0] + 1, at[1]), (at[0], at[1] - 1)]
    return [(r, c) for r, c in near if 0 <= r < len(board) and 0 <= c < len(board[r])]

def area(start, board):  # the fields of one kind that hang together with this one
    found, todo = {start}, [start]
    while todo:
        for r, c in around(todo.pop(), board):
            if (r, c) not in found and board[r][c] == board[start[0]][start[1]]:
                found.add((r, c))
                todo.append((r, c))
    return found

def penguins(text, me):
    board = [line.split() for line in text[1:1 + int(text[0].split()[0])]]
    if "phase=placement" in text[0]:
        return name(fields(board, "10")[0], board)
    slides = []
    for r, c in fields(board, f"0{me}"):
        for row, column in around((r, c), board):
            down, right = row - r, column - c
            while 0 <= row < len(board) and 0 <= column < len(board[0]) and board[row][column][0] > "0":
                slides.append((board[row][column], name((r, c), board) + "-" + name((row, column), board)))
                row, column = row + down, column + right
    return max(slides)[1]  # the one with most fish

def gamma(text, me):
    me, limit = str(me), int(text[0].split()[4])
    board = [line.split() if " " in line.strip() else list(line.strip()) for line in text[2:]]
    areas = lambda player: len({min(area(at, board)) for at in fields(board, player)})
    mine = areas(me)
    for at in fields(board, "."):
        if mine < limit or any(board[r][c] == me for r, c in around(at, board)):
            return name(at, board)
    for victim in {field for row in board for field in row} - {".", me}:  # the golden move
        for r, c in fields(board, victim):
            board[r][c] = me
            if areas(me) <= limit and areas(victim) <= limit:
                return name((r, c), board) + "!"
            board[r][c] = victim

def flood(text, me):
    board = [list(line) for line in text[1:]]
    home, away = [(len(board) - 1, 0), (0, len(board[0]) - 1)][::1 if me == 1 else -1]
    def size(colour):
        after = [[colour if (r, c) in own else field for c, field in enumerate(row)] for r, row in enumerate(board)]
        return len(area(home, after))
    own, taken = area(home, board), board[home[0]][home[1]] + board[away[0]][away[1]]
    return max((colour for colour in "@#+.*" if colour not in taken), key=size)

for line in sys.stdin:
    words = line.split()
    if words[0] == "floe":  # floe 1 GAME seat=1 seats=2
        play, me = {"penguins": penguins, "gamma": gamma, "flood": flood}[words[2]], int(words[3][5:])
        print("ok Pythia", flush=True)
    elif words[0] == "position":  # its lines, then a dot, then `go` and the milliseconds for the move
        text = []
        for line in sys.stdin:
            if line.startswith("go ") and text[-1] == ".":
                break
            text.append(line.rstrip())
        print("move", play(text[:-1], me), flush=True)
    else:  # end 12 9
        break
