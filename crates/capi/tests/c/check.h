// What the test programs share: a check that says where it failed and ends the program.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

#define CHECK_BOARD(game, expected)                \
    do {                                           \
        char *text = gamma_board(game);            \
        CHECK(text != NULL);                       \
        CHECK(strcmp(text, (expected)) == 0);      \
        free(text);                                \
    } while (0)

#endif
