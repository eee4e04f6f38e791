// Plays Flood Wars in the contest's way: floe match flood "node flood.js" greedy
const [letter, ...board] = require('fs').readFileSync(0, 'utf8').split(/\s+/).filter(line => line);
const [rows, columns] = [board.length, board[0].length];
const corners = { J: [rows - 1, 0], S: [0, columns - 1] };

const flood = (board, [row, column]) => { // the squares of one colour that hang together with this one
  const found = new Set([row * columns + column]);
  for (const at of found) // a set hands out what is added meanwhile, too
    for (const [down, right] of [[-1, 0], [0, 1], [1, 0], [0, -1]]) {
      const [r, c] = [Math.floor(at / columns) + down, at % columns + right];
      if (board[r]?.[c] === board[row][column]) found.add(r * columns + c);
    }
  return found;
};
const own = flood(board, corners[letter]);
const taken = Object.values(corners).map(([row, column]) => board[row][column]);
const choose = colour => // the board afterwards
  board.map((line, r) => [...line].map((old, c) => own.has(r * columns + c) ? colour : old).join(''));
const boards = ['@', '#', '+', '.', '*'].filter(colour => !taken.includes(colour)).map(choose);
const size = board => flood(board, corners[letter]).size;
const best = boards.reduce((best, next) => size(next) > size(best) ? next : best);
process.stdout.write([letter === 'J' ? 'S' : 'J', ...best, ''].join('\n'));
