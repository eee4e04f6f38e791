// Plays Flood Wars in the contest's way: go build -o flood_go flood.go; floe match flood ./flood_go greedy
package main

import (
	"fmt"
	"os"
)

var rows, columns int

// Paints the one-coloured piece around a square and counts its squares.
func paint(board [][]byte, row, column int, to byte) int {
	from := board[row][column]
	todo := [][2]int{{row, column}}
	board[row][column] = to
	count := 0
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		count++
		for _, step := range [][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}} {
			r, c := at[0]+step[0], at[1]+step[1]
			if r < 0 || r >= rows || c < 0 || c >= columns || board[r][c] != from {
				continue
			}
			board[r][c] = to
			todo = append(todo, [2]int{r, c})
		}
	}
	return count
}

func main() {
	var letter, line string
	var board [][]byte
	fmt.Scan(&letter)
	for {
		if count, _ := fmt.Scan(&line); count != 1 {
			break
		}
		board = append(board, []byte(line))
	}
	if len(board) == 0 {
		os.Exit(2)
	}
	rows, columns = len(board), len(board[0])
	row, column, next := 0, columns-1, "J"
	if letter == "J" {
		row, column, next = rows-1, 0, "S"
	}
	own, other := board[row][column], board[rows-1-row][columns-1-column]
	most, best := -1, own
	for _, colour := range []byte("@#+.*") {
		if colour == own || colour == other {
			continue
		}
		after := make([][]byte, rows)
		for r := range board {
			after[r] = append([]byte(nil), board[r]...)
		}
		paint(after, row, column, colour)
		if count := paint(after, row, column, '!'); count > most { // to any colour, only to count
			most, best = count, colour
		}
	}
	paint(board, row, column, best)
	fmt.Println(next)
	for _, text := range board {
		fmt.Println(string(text))
	}
}
