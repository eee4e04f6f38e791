// The header is good for C++, and needs no other before it.
#include "gamma.h"
#include "gamma.h"

#include <cstdlib>

int main() {
    gamma_t *g = gamma_new(2, 2, 2, 1);
    bool fine = g != nullptr && gamma_move(g, 1, 0, 0) && !gamma_golden_move(g, 1, 0, 0);
    char *text = gamma_board(g);
    fine = fine && text != nullptr && text[3] == '1';
    std::free(text);
    gamma_delete(g);
    return fine ? 0 : 1;
}
