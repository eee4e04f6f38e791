//! A position in the search: changed by moves, and changed back.
//!
//! For either side every component has a distance: how many components a flood crosses to reach it;
//! zero for the side's own components. A move brings some components nearer, all by one: those it
//! absorbs, and components whose shortest path leads through them. Only this *wave* is updated, one
//! ring for each distance, together with the part each component adds to the evaluation. So the
//! evaluation is always up to date.
//!
//! Components that the opponent absorbs do not block the way: distances only ever fall, and lie
//! between those of the path straight through and of the path around.

#[cfg(test)]
mod tests;

use floe_rules::flood::{Colour, FloodPosition, J, MOST_MOVES, S};
use floe_rules::key::mix;

use super::field::{Each, Field, Ground, Set, bits, each};
use super::reach::{FAR, ReachValues, SQUARE, Worth};
use super::waves::{Mark, Wave, Waves};

/// A position on a [`Field`], and the way back to the first one.
pub(super) struct SearchState<const W: usize, const N: usize> {
    pub(super) field: Field<W, N>,
    values: ReachValues,
    /// Unowned components.
    pub(super) free: Set<W>,
    /// By side, how far every component is from its territory.
    pub(super) far: [Each<u8, W>; 2],
    /// By side and distance, the components so far away.
    levels: [Vec<Set<W>>; 2],
    /// By side, what it owns.
    pub(super) squares: [u32; 2],
    /// Free squares by colour, of the whole board.
    left: [u32; 5],
    pub(super) colours: [u8; 2],
    /// Moves made since the game began.
    pub(super) made: u32,
    /// By side, of the components absorbed since the search began. The colours and who moves are
    /// added when a table is asked.
    keys: [u64; 2],
    /// The components' part of the evaluation, for J.
    sum: i64,
    pub(super) waves: Waves,
    /// Components that came nearer.
    log: Vec<Mark>,
    undo: Vec<Undo<W>>,
    /// Moves that can be undone.
    plies: usize,
    /// Components from J's territory to S's, all free when they were found.
    pub(super) bridge: Vec<u16>,
}

/// The data that undoes a move.
struct Undo<const W: usize> {
    far: Each<u8, W>,
    gained: Set<W>,
    logged: usize,
    size: u32,
    colour: u8,
    key: u64,
    sum: i64,
}

impl<const W: usize, const N: usize> SearchState<W, N> {
    /// The first position; `waves` lend their memory.
    pub(super) fn new(position: &FloodPosition, ground: &Ground, mut waves: Waves) -> Self {
        waves.clear();
        let field = ground.field::<W, N>(position);
        let mut far = [each(FAR), each(FAR)];
        let mut levels = [Vec::new(), Vec::new()];
        for (side, levels) in levels.iter_mut().enumerate() {
            let mut unseen = field.all;
            let mut wave = field.fronts[side];
            levels.push([0; W]);
            while levels.len() < usize::from(FAR) && Field::<W, N>::any(&wave).is_some() {
                for (i, &word) in wave.iter().enumerate() {
                    unseen[i] &= !word;
                    for bit in bits(word) {
                        far[side][i][bit] = levels.len() as u8;
                    }
                }
                levels.push(wave);
                let mut next = [0; W];
                field.spread(&wave, &mut next);
                wave = std::array::from_fn(|i| next[i] & unseen[i]);
            }
            // Where to look for what comes nearer next.
            levels.extend([[0; W]; 2]);
        }
        let squares = [J, S].map(|player| position.squares(player));
        let values = ReachValues::new(levels[0].len().max(levels[1].len()) as u8);
        let mut sum = ReachValues::owned(squares);
        for (i, &word) in field.all.iter().enumerate() {
            for bit in bits(word) {
                let size = i64::from(field.sizes[i][bit]);
                sum += values.part(far[0][i][bit], far[1][i][bit]) * size;
            }
        }
        SearchState {
            values,
            free: field.all,
            far,
            levels,
            squares,
            left: Colour::ALL.map(|colour| position.free(colour)),
            colours: [J, S].map(|player| position.colour(player).index() as u8),
            made: position.moves_made(),
            keys: [0; 2],
            sum,
            waves,
            log: Vec::new(),
            undo: Vec::new(),
            plies: 0,
            bridge: Vec::new(),
            field,
        }
    }

    /// The side to move: 0 for J, 1 for S.
    #[inline]
    pub(super) fn side(&self) -> usize {
        (self.made % 2) as usize
    }

    /// The three colours that may be chosen.
    #[inline]
    pub(super) fn choices(&self) -> [u8; 3] {
        choices(self.colours)
    }

    /// By side, what touches its territory and is free.
    #[inline]
    pub(super) fn front(&self, side: usize) -> Set<W> {
        let front = &self.levels[side][1];
        std::array::from_fn(|i| front[i] & self.free[i])
    }

    /// A choice of the mover and what it gains.
    #[inline]
    pub(super) fn choice(&self, colour: u8) -> Choice {
        let side = self.side();
        let (mut gain, mut change) = (0, 0);
        for (i, &word) in self.gained(side, colour).iter().enumerate() {
            for bit in bits(word) {
                gain += self.field.sizes[i][bit];
                change ^= self.field.keys[i][bit][side];
            }
        }
        Choice {
            colour,
            gain,
            change,
            added: None,
        }
    }

    /// The key for a table after a choice of the mover; `is_numbered` says
    /// whether the number of moves is part of it.
    #[inline]
    pub(super) fn key_after(&self, choice: &Choice, is_numbered: bool) -> u64 {
        let mut colours = self.colours;
        colours[self.side()] = choice.colour;
        let [j, s] = colours.map(u64::from);
        let made = self.made + 1;
        let number = u64::from(if is_numbered { made } else { made % 2 });
        self.keys[0] ^ self.keys[1] ^ choice.change ^ mix(1 << 40 | j << 32 | s << 24 | number)
    }

    /// Whether waves are remembered.
    const REMEMBERS: bool = W > 6;

    /// What a choice adds to the sum that gains a set. With `KEEP`, it brings nearer what it does.
    #[inline]
    fn draw_in<const KEEP: bool>(&mut self, choice: &Choice, gained: &Set<W>) -> i64 {
        if choice.gain == 0 {
            return 0;
        }
        if !Self::REMEMBERS {
            return self.follow::<KEEP>(gained);
        }
        let side = self.side();
        let wave = self.wave(choice, gained);
        let added = match choice.added {
            Some(added) if KEEP => {
                self.approach(&wave);
                added
            }
            _ => self.repeat::<KEEP>(&wave),
        };
        if KEEP {
            let marks = self.waves.marks(&wave);
            move_marks(&mut self.levels[side], marks);
            self.log.extend_from_slice(marks);
        }
        added
    }

    /// The same, ring by ring as the wave spreads.
    #[inline]
    fn follow<const KEEP: bool>(&mut self, gained: &Set<W>) -> i64 {
        let side = self.side();
        let [far_j, far_s] = &mut self.far;
        let (own, other) = match side {
            0 => (far_j, &*far_s),
            _ => (far_s, &*far_j),
        };
        let levels = &mut self.levels[side];
        let field = &self.field;
        let mut sum = 0;
        let mut wave = *gained;
        let mut next = [0; W];
        let mut distance = 0;
        loop {
            let steps = self.values.steps(side, distance);
            for i in 0..W {
                let word = wave[i];
                if word == 0 {
                    continue;
                }
                let (nodes, sizes) = (&field.nodes[i], &field.sizes[i]);
                let (other, own) = (&other[i], &mut own[i]);
                // Registers, not memory: each member adds to the same words.
                let mut near = [0u64; N];
                for bit in bits(word) {
                    for (to, from) in near.iter_mut().zip(nodes[bit].near) {
                        *to |= from;
                    }
                    if KEEP {
                        own[bit] = distance as u8;
                    }
                    sum += steps[usize::from(other[bit] & FAR)] * i64::from(sizes[bit]);
                }
                field.join(i, word, near, &mut next);
            }
            let Some([to_level, from_level]) = levels
                .get_mut(distance + 1..distance + 3)
                .and_then(|pair| <&mut [Set<W>; 2]>::try_from(pair).ok())
            else {
                return sum;
            };
            let mut any = 0;
            for i in 0..W {
                let bits = next[i] & from_level[i];
                next[i] = 0;
                wave[i] = bits;
                any |= bits;
                if KEEP && bits != 0 {
                    from_level[i] ^= bits;
                    to_level[i] ^= bits;
                    self.log.push(Mark {
                        bits,
                        word: i as u16,
                        distance: distance as u16 + 1,
                    });
                }
            }
            if any == 0 {
                return sum;
            }
            distance += 1;
        }
    }

    /// The wave of a choice that gains a set.
    #[inline]
    fn wave(&mut self, choice: &Choice, gained: &Set<W>) -> Wave {
        let side = self.side();
        let key = self.keys[side].rotate_left(1) ^ choice.change;
        match self.waves.find(key) {
            Some(wave) => wave,
            None => (self.waves).add(key, &self.field, &self.levels[side], gained),
        }
    }

    /// What a remembered wave adds to the sum. With `KEEP`, distances change.
    #[inline]
    fn repeat<const KEEP: bool>(&mut self, wave: &Wave) -> i64 {
        let side = self.side();
        let [far_j, far_s] = &mut self.far;
        let (own, other) = match side {
            0 => (far_j, &*far_s),
            _ => (far_s, &*far_j),
        };
        let (own, other) = (own.as_flattened_mut(), other.as_flattened());
        let sizes = self.field.sizes.as_flattened();
        let mut sum = 0;
        for (distance, ring) in self.waves.rings(wave).enumerate() {
            let steps = self.values.steps(side, distance);
            for &component in ring {
                let i = usize::from(component);
                sum += steps[usize::from(other[i] & FAR)] * i64::from(sizes[i]);
                if KEEP {
                    own[i] = distance as u8;
                }
            }
        }
        sum
    }

    /// Changes the distances that a remembered wave does.
    #[inline]
    fn approach(&mut self, wave: &Wave) {
        let side = self.side();
        let own = self.far[side].as_flattened_mut();
        for (distance, ring) in self.waves.rings(wave).enumerate() {
            for &component in ring {
                own[usize::from(component)] = distance as u8;
            }
        }
    }

    fn gained(&self, side: usize, colour: u8) -> Set<W> {
        let front = &self.levels[side][1];
        let class = &self.field.classes[usize::from(colour)];
        std::array::from_fn(|i| front[i] & self.free[i] & class[i])
    }

    /// Makes a move. Costs the components that come nearer, a nanosecond or two each.
    pub(super) fn play(&mut self, choice: &Choice) {
        let side = self.side();
        let gained = self.gained(side, choice.colour);
        if self.undo.len() == self.plies {
            self.undo.push(Undo {
                far: each(0),
                gained,
                logged: 0,
                size: 0,
                colour: 0,
                key: 0,
                sum: 0,
            });
        }
        let undo = &mut self.undo[self.plies];
        self.plies += 1;
        *undo.far = *self.far[side];
        undo.gained = gained;
        undo.logged = self.log.len();
        undo.size = choice.gain;
        undo.colour = self.colours[side];
        undo.key = self.keys[side];
        undo.sum = self.sum;
        let front = &mut self.levels[side][1];
        for i in 0..W {
            front[i] &= !gained[i];
            self.free[i] &= !gained[i];
        }
        self.sum += self.draw_in::<true>(choice, &gained);
        self.keys[side] ^= choice.change;
        self.squares[side] += choice.gain;
        self.left[usize::from(choice.colour)] -= choice.gain;
        self.colours[side] = choice.colour;
        self.made += 1;
    }

    /// Takes back the last move.
    pub(super) fn take_back(&mut self) {
        self.plies -= 1;
        let undo = &self.undo[self.plies];
        self.made -= 1;
        let side = self.side();
        *self.far[side] = *undo.far;
        let levels = &mut self.levels[side];
        move_marks(levels, &self.log[undo.logged..]);
        self.log.truncate(undo.logged);
        let sets = levels[1].iter_mut().zip(&mut self.free);
        for ((front, free), gained) in sets.zip(undo.gained) {
            *front |= gained;
            *free |= gained;
        }
        self.squares[side] -= undo.size;
        self.left[usize::from(self.colours[side])] += undo.size;
        self.colours[side] = undo.colour;
        self.keys[side] = undo.key;
        self.sum = undo.sum;
    }

    /// The worth of the position after a move, for who moves then: the same as making the move,
    /// asking and taking it back. The choice remembers what it adds.
    pub(super) fn worth_after(&mut self, choice: &mut Choice) -> Worth {
        let side = self.side();
        let gained = self.gained(side, choice.colour);
        let added = self.draw_in::<false>(choice, &gained);
        choice.added = Some(added);
        let sum = self.sum + added;
        let mut left = self.left;
        left[usize::from(choice.colour)] -= choice.gain;
        let mut colours = self.colours;
        colours[side] = choice.colour;
        self.set_far(side, &gained, 0);
        let is_plain = !is_over(self.made + 1, choices(colours), left)
            && (!self.field.is_whole || self.is_bridged());
        self.set_far(side, &gained, 1);
        if is_plain {
            return Worth {
                value: ReachValues::value(sum, 1 - side),
                is_proven: false,
            };
        }
        self.play(choice);
        let worth = self.worth();
        self.take_back();
        worth
    }

    fn set_far(&mut self, side: usize, set: &Set<W>, distance: u8) {
        for (i, &word) in set.iter().enumerate() {
            for bit in bits(word) {
                self.far[side][i][bit] = distance;
            }
        }
    }

    /// Whether the game is over: two colours are left, or the last move was made.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        is_over(self.made, self.choices(), self.left)
    }

    /// The worth of the position for the mover. Cheap, but where the scores are settled it costs
    /// the free components.
    #[inline]
    pub(super) fn worth(&mut self) -> Worth {
        let is_whole = self.field.is_whole;
        if self.is_over() || is_whole && !self.is_contested() {
            let scores = self.scores();
            let side = self.side();
            return Worth {
                value: (scores[side] - scores[1 - side]) as i32 * SQUARE,
                is_proven: is_whole,
            };
        }
        Worth {
            value: ReachValues::value(self.sum, self.side()),
            is_proven: false,
        }
    }
}

/// Moves components between their level and the next one, there or back.
#[inline]
fn move_marks<const W: usize>(levels: &mut [Set<W>], marks: &[Mark]) {
    for mark in marks {
        let [near, far] = &mut levels[usize::from(mark.distance)..][..2] else {
            continue;
        };
        near[usize::from(mark.word)] ^= mark.bits;
        far[usize::from(mark.word)] ^= mark.bits;
    }
}

/// A colour that may be chosen, and what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) colour: u8,
    /// Squares it gains.
    pub(super) gain: u32,
    /// Its change of the key.
    pub(super) change: u64,
    /// What it adds to the sum, if that is known.
    added: Option<i64>,
}

#[inline]
fn choices(colours: [u8; 2]) -> [u8; 3] {
    let [a, b] = colours;
    let (low, high) = (a.min(b), a.max(b));
    // The numbers 0, 1, 2 moved past the two that are taken.
    [0, 1, 2].map(|i| {
        let i = i + u8::from(i >= low);
        i + u8::from(i >= high)
    })
}

#[inline]
fn is_over(made: u32, choices: [u8; 3], left: [u32; 5]) -> bool {
    made >= MOST_MOVES || choices.iter().all(|&c| left[c as usize] == 0)
}
