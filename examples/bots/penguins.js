// Plays Penguins in the contest's way: floe match penguins "node penguins.js" greedy
const fs = require('fs');
const NAME = 'icicle';
const stop = (code, why) => { console.error(why); process.exit(code); }; // 2: the state is wrong, 3: all else

const words = process.argv.slice(2);
if (words.includes('name')) { console.log(NAME); process.exit(0); }
const option = key => words.find(word => word.startsWith(key + '='))?.slice(key.length + 1);
const [input, output, ...more] = words.filter(word => !word.includes('='));
const phase = option('phase'), most = option('penguins') ?? '';
if (!output || more.length > 0 || !['placement', 'movement'].includes(phase))
  stop(3, 'usage: phase=placement penguins=N in out, or phase=movement in out, or name');
if (phase === 'placement' && !/^0*[1-9]\d*$/.test(most)) stop(3, 'penguins= needs a number of at least 1');
let original;
try { original = fs.readFileSync(input, 'utf8'); } catch (error) { stop(3, error.message); }

const lines = original.trimEnd().split('\n').map(line => line.trim().split(/\s+/));
const [rows, columns] = lines[0].map(word => /^\d+$/.test(word) ? Number(word) : 0);
const board = lines.slice(1, rows + 1), players = lines.slice(rows + 1);
if (!(rows > 0 && columns > 0) || lines[0].length !== 2 || board.length !== rows
  || board.some(row => row.length !== columns || row.some(field => !/^[0-3]\d$/.test(field))))
  stop(2, input + ': the board is not as line 1 says');
if (players.some(player => player.length !== 3 || !/^[1-9]$/.test(player[1]) || !/^\d+$/.test(player[2])))
  stop(2, input + ': a player has a name, a number from 1 to 9 and a score');
if ([0, 1].some(part => new Set(players.map(player => player[part])).size < players.length))
  stop(2, input + ': names and numbers are there once each');
const numbers = players.map(player => player[1]);
if (board.flat().some(field => field[1] !== '0' && !numbers.includes(field[1])))
  stop(2, input + ': a penguin belongs to no player');

let own = players.find(player => player[0] === NAME);
const me = own ? own[1] : String([1, 2, 3, 4, 5, 6, 7, 8, 9].find(n => !numbers.includes(String(n))));
const squares = board.flatMap((row, r) => row.map((_, c) => [r, c]));
const mine = squares.filter(([r, c]) => board[r][c][1] === me);
let best = { fish: 0 };
if (phase === 'placement' && mine.length < Number(most)) {
  const to = squares.find(([r, c]) => board[r][c] === '10');
  if (to) best = { fish: 1, to };
} else if (phase === 'movement' && own) {
  for (const [r, c] of mine)
    for (const [down, right] of [[-1, 0], [0, 1], [1, 0], [0, -1]])
      for (let y = r + down, x = c + right; /^[123]0$/.test(board[y]?.[x]); y += down, x += right)
        if (Number(board[y][x][0]) > best.fish) best = { fish: Number(board[y][x][0]), from: [r, c], to: [y, x] };
}
let result = original; // with nothing to do the state arrives as it came
if (best.to) {
  if (best.from) board[best.from[0]][best.from[1]] = '00';
  board[best.to[0]][best.to[1]] = '0' + me;
  if (!own) players.push(own = [NAME, me, '0']);
  own[2] = String(Number(own[2]) + best.fish);
  result = [[rows, columns], ...board, ...players].map(words => words.join(' ') + '\n').join('');
}
try { fs.writeFileSync(output, result); } catch (error) { stop(3, error.message); }
process.exit(best.to ? 0 : 1);
