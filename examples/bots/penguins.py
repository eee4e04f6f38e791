"""Plays Penguins in the contest's way: floe match penguins "python3 penguins.py" greedy"""
import sys

NAME = "pingu"

def stop(code, why):  # 1: nothing to do, 2: the state is wrong, 3: everything else
    print(why, file=sys.stderr)
    sys.exit(code)

words = sys.argv[1:]
if "name" in words:
    print(NAME)
    sys.exit(0)
options = dict(word.split("=", 1) for word in words if "=" in word)
files = [word for word in words if "=" not in word]
number = options.get("penguins", "")
placing = options.get("phase") == "placement"
if len(files) != 2 or options.get("phase") not in ("placement", "movement"):
    stop(3, "usage: phase=placement penguins=N in out, or phase=movement in out, or name")
if placing and (not number.isdigit() or int(number) < 1):
    stop(3, "penguins= needs a number of at least 1")
try:
    with open(files[0], newline="") as file:
        original = file.read()
except OSError as error:
    stop(3, error)

try:
    lines = original.rstrip().split("\n")
    rows, columns = map(int, lines[0].split())
    board = [line.split() for line in lines[1:rows + 1]]
    good = [fish + owner for fish in "0123" for owner in "0123456789"]
    if len(board) != rows or any(len(row) != columns or set(row) - set(good) for row in board):
        raise ValueError("the board is not as line 1 says")
    players = [line.split() for line in lines[rows + 1:]]
    numbers = {name: int(number) for name, number, score in players if int(score) >= 0}
    if len(numbers) < len(players) or sorted(set(numbers.values()) & set(range(1, 10))) != sorted(numbers.values()):
        raise ValueError("names and numbers from 1 to 9 are there once each")
    if {int(field[1]) for row in board for field in row} - {0, *numbers.values()}:
        raise ValueError("a penguin belongs to no player")
except ValueError as error:
    stop(2, f"{files[0]}: {error}")

me = numbers.get(NAME) or min(set(range(1, 11)) - set(numbers.values()))
mine = [(r, c) for r in range(rows) for c in range(columns) if board[r][c][1] == str(me)]
moves = []  # fish, from where, to where
if placing and len(mine) < int(number):
    moves = [(1, None, (r, c)) for r in range(rows) for c in range(columns) if board[r][c] == "10"]
elif not placing and NAME in numbers:
    for start in mine:
        for down, right in (-1, 0), (0, 1), (1, 0), (0, -1):
            r, c = start[0] + down, start[1] + right
            while 0 <= r < rows and 0 <= c < columns and board[r][c] in ("10", "20", "30"):
                moves.append((int(board[r][c][0]), start, (r, c)))
                r, c = r + down, c + right
result = original
if moves:
    fish, start, (r, c) = max(moves, key=lambda move: move[0])
    if start:
        board[start[0]][start[1]] = "00"
    board[r][c] = f"0{me}"
    if NAME not in numbers:
        players.append([NAME, str(me), "0"])
    own = next(player for player in players if player[0] == NAME)
    own[2] = str(int(own[2]) + fish)
    result = "".join(" ".join(row) + "\n" for row in [[str(rows), str(columns)], *board, *players])
try:
    with open(files[1], "w", newline="") as file:
        file.write(result)
except OSError as error:
    stop(3, error)
sys.exit(0 if moves else 1)
