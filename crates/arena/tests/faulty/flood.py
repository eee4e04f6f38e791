import os, sys

lines = sys.stdin.read().split("\n")
me = lines[0].strip()
rows = [list(line) for line in lines[1:] if line]
height, width = len(rows), len(rows[0])
home, away = (height - 1, 0), (0, width - 1)
if me == "S":
    home, away = away, home
own, theirs = rows[home[0]][home[1]], rows[away[0]][away[1]]
colour = [c for c in "@#+.*" if c not in (own, theirs)][0]
todo = [home]
while todo:
    r, c = todo.pop()
    if 0 <= r < height and 0 <= c < width and rows[r][c] == own:
        rows[r][c] = colour
        todo += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
print("S" if me == "J" else "J")
for row in rows:
    print("".join(row))
