import os, sys

arguments = sys.argv[1:]
if arguments == ["name"]:
    print("mini")
    sys.exit(0)
phase, source, target = arguments[0].split("=")[1], arguments[-2], arguments[-1]
lines = open(source).read().splitlines()
height, width = map(int, lines[0].split()[:2])
board = [line.split() for line in lines[1:1 + height]]
players = [line.split() for line in lines[1 + height:] if line.strip()]
mine = [player for player in players if player[0] == "mini"]
if not mine:
    used = {player[1] for player in players}
    mine = [["mini", next(str(n) for n in range(1, 10) if str(n) not in used), "0"]]
    players += mine
me = mine[0]

def fields():
    return [(r, c) for r in range(height) for c in range(width)]

def chosen(number):
    if phase == "placement":
        return next(((None, at) for at in fields() if board[at[0]][at[1]] == "10"), None)
    for r, c in fields():
        if board[r][c] == "0" + number:
            for row, column in (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1):
                if 0 <= row < height and 0 <= column < width and board[row][column][0] != "0":
                    return (r, c), (row, column)

move = chosen(me[1])
if move:
    start, end = move
    me[2] = str(int(me[2]) + int(board[end[0]][end[1]][0]))
    board[end[0]][end[1]] = "0" + me[1]
    if start:
        board[start[0]][start[1]] = "00"
rows = [" ".join(row) for row in board]
with open(target, "w") as file:
    file.write("\n".join([f"{height} {width}"] + rows + [" ".join(player) for player in players]) + "\n")
sys.exit(0 if move else 1)
