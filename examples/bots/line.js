// Plays all games of Floe in the line protocol: floe match gamma "line:node line.js" greedy
const name = ([row, column], board) => { // a square in words: a1 is at the bottom left, after z comes aa
  let letters = '';
  for (column++; column > 0; column = Math.floor((column - 1) / 26))
    letters = String.fromCharCode(97 + (column - 1) % 26) + letters;
  return letters + (board.length - row);
};
const fields = (board, kind) =>
  board.flatMap((row, r) => row.map((field, c) => [r, c, field])).filter(([, , field]) => field === kind);
const around = ([r, c], board) =>
  [[r - 1, c], [r, c + 1], [r + 1, c], [r, c - 1]].filter(([r, c]) => board[r]?.[c] !== undefined);
const area = ([row, column], board, seen = new Set()) => { // how many fields of one kind hang together
  const todo = [[row, column]];
  seen.add(row + ',' + column);
  let size = 0;
  for (; todo.length > 0; size++)
    for (const [r, c] of around(todo.pop(), board))
      if (board[r][c] === board[row][column] && !seen.has(r + ',' + c)) {
        seen.add(r + ',' + c);
        todo.push([r, c]);
      }
  return size;
};
const games = {
  penguins(text, me) {
    const board = text.slice(1, 1 + parseInt(text[0])).map(line => line.split(/\s+/));
    if (text[0].includes('phase=placement')) return name(fields(board, '10')[0], board);
    let best = ['0'];
    for (const [r, c] of fields(board, '0' + me))
      for (const [row, column] of around([r, c], board))
        for (let y = row, x = column; board[y]?.[x] > '09' && board[y][x][1] === '0'; y += row - r, x += column - c)
          if (board[y][x] > best[0]) best = [board[y][x], name([r, c], board) + '-' + name([y, x], board)];
    return best[1]; // the slide to most fish
  },
  gamma(text, me) {
    const limit = Number(text[0].split(' ')[4]);
    const board = text.slice(2).map(line => line.trim().split(line.trim().includes(' ') ? /\s+/ : ''));
    const areas = (player, seen = new Set()) =>
      fields(board, player).filter(([r, c]) => !seen.has(r + ',' + c) && area([r, c], board, seen)).length;
    const mine = areas(me);
    const free = fields(board, '.').find(at => mine < limit || around(at, board).some(([r, c]) => board[r][c] === me));
    if (free) return name(free, board);
    for (const victim of new Set(board.flat().filter(field => field !== '.' && field !== me)))
      for (const [r, c] of fields(board, victim)) { // the golden move
        board[r][c] = me;
        if (areas(me) <= limit && areas(victim) <= limit) return name([r, c], board) + '!';
        board[r][c] = victim;
      }
  },
  flood(text, me) {
    const board = text.slice(1).map(line => line.split(''));
    const corners = [[board.length - 1, 0], [0, board[0].length - 1]];
    const [home, away] = me === '1' ? corners : corners.reverse();
    const own = new Set(), taken = [home, away].map(([r, c]) => board[r][c]);
    area(home, board, own);
    const size = colour =>
      area(home, board.map((row, r) => row.map((field, c) => own.has(r + ',' + c) ? colour : field)));
    return ['@', '#', '+', '.', '*'].filter(colour => !taken.includes(colour)).sort((a, b) => size(b) - size(a))[0];
  },
};
let play, me, text = null;
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  if (text === null) {
    const words = line.split(' '); // floe 1 GAME seat=1 seats=2
    if (words[0] === 'floe') { play = games[words[2]]; me = words[3].slice(5); console.log('ok Jason'); }
    if (words[0] === 'position') text = [];
    if (words[0] === 'end') process.exit(0);
  } else if (line.startsWith('go ') && text.at(-1) === '.') { // a dot and `go` end the position
    console.log('move ' + play(text.slice(0, -1), me));
    text = null;
  } else text.push(line.trimEnd());
});
