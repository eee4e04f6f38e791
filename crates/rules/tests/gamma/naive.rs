//! Gamma straight from its rules: an array, flood fill, and every question by trying.

pub(crate) struct Naive {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) players: u32,
    pub(crate) areas: usize,
    pub(crate) owners: Vec<u32>,
    pub(crate) golden_used: Vec<bool>,
}

impl Naive {
    pub(crate) fn new(width: u32, height: u32, players: u32, areas: u32) -> Self {
        Naive {
            width: width as usize,
            height: height as usize,
            players,
            areas: areas as usize,
            owners: vec![0; width as usize * height as usize],
            golden_used: vec![false; players as usize + 1],
        }
    }

    fn beside(&self, field: usize) -> Vec<usize> {
        let (x, y) = (field % self.width, field / self.width);
        let mut all = Vec::new();
        if x > 0 {
            all.push(field - 1);
        }
        if x + 1 < self.width {
            all.push(field + 1);
        }
        if y > 0 {
            all.push(field - self.width);
        }
        if y + 1 < self.height {
            all.push(field + self.width);
        }
        all
    }

    pub(crate) fn area_count(&self, player: u32) -> usize {
        let mut seen = vec![false; self.owners.len()];
        let mut count = 0;
        for start in 0..self.owners.len() {
            if self.owners[start] != player || seen[start] {
                continue;
            }
            count += 1;
            seen[start] = true;
            let mut stack = vec![start];
            while let Some(field) = stack.pop() {
                for next in self.beside(field) {
                    if self.owners[next] == player && !seen[next] {
                        seen[next] = true;
                        stack.push(next);
                    }
                }
            }
        }
        count
    }

    fn valid(&self, player: u32, x: u32, y: u32) -> Option<usize> {
        let on_board = (x as usize) < self.width && (y as usize) < self.height;
        (player >= 1 && player <= self.players && on_board)
            .then(|| y as usize * self.width + x as usize)
    }

    pub(crate) fn take(&mut self, player: u32, x: u32, y: u32) -> bool {
        let Some(field) = self.valid(player, x, y) else {
            return false;
        };
        if self.owners[field] != 0 {
            return false;
        }
        self.owners[field] = player;
        let fine = self.area_count(player) <= self.areas;
        if !fine {
            self.owners[field] = 0;
        }
        fine
    }

    pub(crate) fn take_golden(&mut self, player: u32, x: u32, y: u32) -> bool {
        let Some(field) = self.valid(player, x, y) else {
            return false;
        };
        let victim = self.owners[field];
        if victim == 0 || victim == player || self.golden_used[player as usize] {
            return false;
        }
        self.owners[field] = player;
        let fine = self.area_count(player) <= self.areas && self.area_count(victim) <= self.areas;
        if fine {
            self.golden_used[player as usize] = true;
        } else {
            self.owners[field] = victim;
        }
        fine
    }

    pub(crate) fn busy_fields(&self, player: u32) -> u64 {
        self.owners
            .iter()
            .filter(|&&owner| owner == player && owner != 0)
            .count() as u64
    }

    pub(crate) fn free_fields(&mut self, player: u32) -> u64 {
        self.count(player, |board, x, y| {
            let field = y as usize * board.width + x as usize;
            let fine = board.take(player, x, y);
            if fine {
                board.owners[field] = 0;
            }
            fine
        })
    }

    pub(crate) fn golden_moves(&mut self, player: u32) -> u64 {
        self.count(player, |board, x, y| {
            let field = y as usize * board.width + x as usize;
            let victim = board.owners[field];
            let fine = board.take_golden(player, x, y);
            if fine {
                board.owners[field] = victim;
                board.golden_used[player as usize] = false;
            }
            fine
        })
    }

    fn count(&mut self, _: u32, mut can: impl FnMut(&mut Self, u32, u32) -> bool) -> u64 {
        let mut count = 0;
        for y in 0..self.height as u32 {
            for x in 0..self.width as u32 {
                count += u64::from(can(self, x, y));
            }
        }
        count
    }
}
