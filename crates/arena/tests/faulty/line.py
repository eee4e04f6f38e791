import os, sys, time

def answer(rows, seat):
    height = len(rows)
    free = [(c, height - r, "") for r, row in enumerate(rows) for c, field in enumerate(row) if field == "."]
    if free:
        return free[len(free) // 2]
    for r, row in enumerate(rows):
        for c, field in enumerate(row):
            if field != str(seat):
                return c, height - r, "!"

def name(c, row, height):
    return chr(ord("a") + c) + str(row)

def say(text):
    print(text, flush=True)

def read():
    return sys.stdin.readline()

made = 0
while True:
    line = read()
    if not line:
        break
    words = line.split()
    if words[0] == "floe":
        seat = int(words[3][5:])
        say("ok Base")
    elif words[0] == "position":
        text = []
        while True:
            line = read().rstrip("\n")
            if line == ".":
                break
            text.append(line)
        rows = text[2:]
    elif words[0] == "go":
        c, row, mark = answer(rows, seat)
        say("move " + name(c, row, len(rows)) + mark)
        made += 1
    elif words[0] == "end":
        break
