/**
 * @file gamma.h
 * Gamma: a board game of areas and golden moves, as a C library.
 *
 * A board has width x height square fields; fields are adjacent when they share an edge. An area
 * is a maximal connected set of one player's fields. A player takes a free field by a move, as
 * long as he then has at most `areas` areas, and once a game another player's field by the golden
 * move, as long as then neither of the two has more. Any player may move at any time: the library
 * knows no turns.
 *
 * Players are numbered from 1. Columns x and rows y are numbered from 0; the field (0, 0) is at
 * the bottom left.
 *
 * Every `g` must be NULL or a game made by gamma_new() and not yet deleted. Games share nothing:
 * different threads may use different games at the same time, but a game takes one call at a time.
 *
 * No call ends the program. If the library should find a bug in itself, it says so on the standard
 * error stream and the call returns what it returns for a wrong parameter.
 */

#ifndef GAMMA_H
#define GAMMA_H

#include <stdbool.h>
#include <stdint.h>

/**
 * A game: the board and what the players have done so far.
 */
typedef struct gamma_t gamma_t;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Makes a game on an empty board.
 *
 * All four parameters must be positive. This takes next to no time, however large the board:
 * memory is used as fields are taken.
 *
 * @param width   - columns of the board,
 * @param height  - rows of the board,
 * @param players - the number of players,
 * @param areas   - the most areas a player may have.
 * @return The game, to be deleted with gamma_delete(); NULL if a parameter is 0 or there is not
 * enough memory.
 */
gamma_t *gamma_new(uint32_t width, uint32_t height, uint32_t players, uint32_t areas);

/**
 * Deletes a game and all its memory. Does nothing if the pointer is NULL.
 *
 * @param g - the game.
 */
void gamma_delete(gamma_t *g);

/**
 * Makes a move: the player takes the free field (x, y).
 *
 * @param g      - the game,
 * @param player - the player's number, from 1,
 * @param x      - the column, from 0,
 * @param y      - the row, from 0.
 * @return True if the move was made; false if it is illegal, a parameter is wrong or there is not
 * enough memory, and then the game is as it was.
 */
bool gamma_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y);

/**
 * Makes a golden move: the player takes the field (x, y) from another player.
 *
 * Each player may do so once a game; an attempt that fails does not count.
 *
 * @param g      - the game,
 * @param player - the player's number, from 1,
 * @param x      - the column, from 0,
 * @param y      - the row, from 0.
 * @return True if the move was made; false if it is illegal, a parameter is wrong or there is not
 * enough memory, and then the game is as it was.
 */
bool gamma_golden_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y);

/**
 * Counts the fields that the player holds.
 *
 * @param g      - the game,
 * @param player - the player's number, from 1.
 * @return The number of fields; 0 if a parameter is wrong.
 */
uint64_t gamma_busy_fields(gamma_t *g, uint32_t player);

/**
 * Counts the fields that the player could take now by a move.
 *
 * Those are all free fields while he has fewer areas than the limit, and the free fields adjacent
 * to his own once he has reached it.
 *
 * @param g      - the game,
 * @param player - the player's number, from 1.
 * @return The number of fields; 0 if a parameter is wrong.
 */
uint64_t gamma_free_fields(gamma_t *g, uint32_t player);

/**
 * Returns whether the player could make a golden move now.
 *
 * @param g      - the game,
 * @param player - the player's number, from 1.
 * @return True if at least one golden move by this player is legal now; false if none is, or if a
 * parameter is wrong.
 */
bool gamma_golden_possible(gamma_t *g, uint32_t player);

/**
 * Draws the board as text.
 *
 * Rows from the top down, each ended by a newline; `.` is a free field. With at most 9 players a
 * field is one character; with more, every field is right-aligned to the width of the largest
 * player number, and the fields of a row are separated by one blank.
 *
 * @param g - the game.
 * @return The text, to be freed with free(); NULL if the pointer is NULL or there is not enough
 * memory.
 */
char *gamma_board(gamma_t *g);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

#endif  /* GAMMA_H */
