//! The likelihood of all games under given strengths, and its maximum.

use std::collections::BTreeMap;

use crate::climb::climb;
use crate::matrix::solve_iteratively;

/// A point of the likelihood: each seat's strength, then the first move's, then `ln ν`.
#[derive(Debug, Clone)]
pub(super) struct Peak {
    pub(super) at: Vec<f64>,
    /// Whether there are draws; without one, `ν` is 0 and has no logarithm.
    pub(super) draws: bool,
}

impl Peak {
    pub(super) fn flat(seats: usize) -> Self {
        Peak {
            at: vec![0.0; seats + 2],
            draws: true,
        }
    }

    /// The same for `seats` seats: new seats are average.
    pub(super) fn for_seats(mut self, seats: usize) -> Self {
        let shared = self.at.split_off(self.seats());
        self.at.resize(seats, 0.0);
        self.at.extend(shared);
        self
    }

    fn seats(&self) -> usize {
        self.at.len() - 2
    }

    pub(super) fn nu(&self) -> f64 {
        if self.draws {
            self.at[self.seats() + 1].exp()
        } else {
            0.0
        }
    }

    pub(super) fn draw_rate(&self) -> f64 {
        self.nu() / (2.0 + self.nu())
    }

    /// Elo per natural unit of strength. The slope of the expected score at equality is `1 / (4 +
    /// 2ν)` here and ¼ on the scale of Elo.
    pub(super) fn scale(&self) -> f64 {
        400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + self.nu())
    }

    /// The seats' Elo above the anchor, then the first move's.
    pub(super) fn elo(&self, weights: &[f64]) -> Vec<f64> {
        let n = self.seats();
        let zero: f64 = self.at.iter().zip(weights).map(|(v, w)| v * w).sum();
        let mut elo: Vec<f64> = self.at[..n]
            .iter()
            .map(|v| (v - zero) * self.scale())
            .collect();
        elo.push(self.at[n] * self.scale());
        elo
    }
}

/// All games in which one seat begins against another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Losses of the seat that begins.
    losses: f64,
    draws: f64,
    wins: f64,
}

impl Class {
    pub(super) fn total(&self) -> f64 {
        self.losses + self.draws + self.wins
    }
}

pub(super) struct Games {
    pub(super) seats: usize,
    pub(super) classes: Vec<Class>,
}

/// Virtual games of each seat against an average opponent, half of them won.
pub(super) const VIRTUAL: f64 = 0.5;

impl Games {
    pub(super) fn new(seats: usize, pairs: &BTreeMap<(u32, u32), [[u64; 3]; 3]>) -> Self {
        let mut classes = Vec::with_capacity(2 * pairs.len());
        for (&(one, other), counts) in pairs {
            let (first, second) = (one as usize, other as usize);
            let began = |e: usize| counts[e].iter().sum::<u64>() as f64;
            let followed = |e: usize| counts.iter().map(|row| row[e]).sum::<u64>() as f64;
            classes.push(Class {
                first,
                second,
                losses: began(0),
                draws: began(1),
                wins: began(2),
            });
            // The opponent began these games, so the results are reversed.
            classes.push(Class {
                first: second,
                second: first,
                losses: followed(2),
                draws: followed(1),
                wins: followed(0),
            });
        }
        Games { seats, classes }
    }

    pub(super) fn climb(&self, start: Peak) -> Peak {
        let draws = self.classes.iter().any(|class| class.draws > 0.0);
        let peak = |at: &[f64]| Peak {
            at: at.to_vec(),
            draws,
        };
        let step = |at: &[f64]| {
            let peak = peak(at);
            let (slope, curvature) = (self.slope(&peak), self.curvature(&peak));
            let apply = |x: &[f64], out: &mut [f64]| curvature.apply(self, x, out);
            Some(solve_iteratively(&curvature.diagonal, &slope, apply))
        };
        Peak {
            at: climb(start.at, |at| self.height(&peak(at)), step),
            draws,
        }
    }

    /// All classes, then two virtual games between equals, one won by each side.
    fn each(&self, peak: &Peak, mut visit: impl FnMut(Option<&Class>, f64)) {
        let h = peak.at[self.seats];
        for class in &self.classes {
            visit(
                Some(class),
                peak.at[class.first] - peak.at[class.second] + h,
            );
        }
        visit(None, h);
    }

    /// The logarithm of the likelihood.
    fn height(&self, peak: &Peak) -> f64 {
        let nu = peak.nu();
        let ln_nu = peak.at[self.seats + 1];
        let mut height = 0.0;
        self.each(peak, |class, d| {
            let all = ln_total(d, nu);
            match class {
                Some(class) => {
                    height += (class.wins - class.losses) * d / 2.0 - class.total() * all;
                    height += class.draws * ln_nu;
                }
                None => height -= 2.0 * all,
            }
        });
        let prior: f64 = peak.at[..self.seats]
            .iter()
            .map(|&r| ln_total(r, 0.0))
            .sum();
        height - VIRTUAL * prior
    }

    fn slope(&self, peak: &Peak) -> Vec<f64> {
        let (n, nu) = (self.seats, peak.nu());
        let mut slope = vec![0.0; n + 2];
        self.each(peak, |class, d| {
            let [win, draw, loss] = chances(d, nu);
            let (total, ahead, draws) =
                class.map_or((2.0, 0.0, 0.0), |c| (c.total(), c.wins - c.losses, c.draws));
            let push = (ahead - total * (win - loss)) / 2.0;
            if let Some(class) = class {
                slope[class.first] += push;
                slope[class.second] -= push;
            }
            slope[n] += push;
            slope[n + 1] += draws - total * draw;
        });
        for (slope, &r) in slope[..n].iter_mut().zip(&peak.at) {
            let [win, _, loss] = chances(r, 0.0);
            *slope -= VIRTUAL * (win - loss) / 2.0;
        }
        if !peak.draws {
            slope[n + 1] = 0.0;
        }
        slope
    }

    pub(super) fn curvature(&self, peak: &Peak) -> Curvature {
        let (n, nu) = (self.seats, peak.nu());
        let mut diagonal = vec![0.0; n + 2];
        let mut bends = Vec::with_capacity(self.classes.len() + 1);
        self.each(peak, |class, d| {
            let [win, draw, loss] = chances(d, nu);
            let total = class.map_or(2.0, Class::total);
            let bend = Bend {
                lead: total * (win + loss - (win - loss).powi(2)) / 4.0,
                both: -total * (win - loss) * draw / 2.0,
                draw: total * draw * (1.0 - draw),
            };
            if let Some(class) = class {
                diagonal[class.first] += bend.lead;
                diagonal[class.second] += bend.lead;
            }
            diagonal[n] += bend.lead;
            diagonal[n + 1] += bend.draw;
            bends.push(bend);
        });
        let prior: Vec<f64> = peak.at[..n]
            .iter()
            .map(|&r| {
                let [win, _, loss] = chances(r, 0.0);
                VIRTUAL * win * loss
            })
            .collect();
        diagonal.iter_mut().zip(&prior).for_each(|(d, p)| *d += p);
        if !peak.draws {
            // Neither slope nor curvature depends on ν here, so any nonzero divisor works.
            diagonal[n + 1] = 1.0;
        }
        Curvature {
            diagonal,
            bends,
            prior,
        }
    }
}

/// Second derivatives of one class's log-likelihood: by the lead `d`, by `ln ν`, and mixed.
pub(super) struct Bend {
    pub(super) lead: f64,
    both: f64,
    draw: f64,
}

pub(super) struct Curvature {
    pub(super) diagonal: Vec<f64>,
    /// By class, then for the virtual games between equals.
    pub(super) bends: Vec<Bend>,
    pub(super) prior: Vec<f64>,
}

impl Curvature {
    /// The whole matrix, row after row.
    pub(super) fn matrix(&self, games: &Games, draws: bool) -> Vec<f64> {
        let (n, size) = (games.seats, games.seats + 2);
        let mut matrix = vec![0.0; size * size];
        let virtual_class = std::iter::once(None);
        let classes = games.classes.iter().map(Some).chain(virtual_class);
        for (class, bend) in classes.zip(&self.bends) {
            let seats = class.map(|class| [(class.first, 1.0), (class.second, -1.0)]);
            let mut parts: Vec<(usize, f64)> = seats.into_iter().flatten().collect();
            parts.push((n, 1.0));
            for &(i, a) in &parts {
                for &(j, b) in &parts {
                    matrix[i * size + j] += a * b * bend.lead;
                }
                matrix[i * size + n + 1] += a * bend.both;
                matrix[(n + 1) * size + i] += a * bend.both;
            }
            matrix[(n + 1) * (size + 1)] += bend.draw;
        }
        for (seat, prior) in self.prior.iter().enumerate() {
            matrix[seat * (size + 1)] += prior;
        }
        if !draws {
            matrix[(n + 1) * (size + 1)] = 1.0;
        }
        matrix
    }

    pub(super) fn apply(&self, games: &Games, x: &[f64], out: &mut [f64]) {
        let n = games.seats;
        let (h, ln_nu) = (x[n], x[n + 1]);
        let (mut on_h, mut on_nu) = (0.0, 0.0);
        for (class, bend) in games.classes.iter().zip(&self.bends) {
            let d = x[class.first] - x[class.second] + h;
            let push = bend.lead * d + bend.both * ln_nu;
            out[class.first] += push;
            out[class.second] -= push;
            on_h += push;
            on_nu += bend.both * d + bend.draw * ln_nu;
        }
        if let Some(bend) = self.bends.last() {
            on_h += bend.lead * h + bend.both * ln_nu;
            on_nu += bend.both * h + bend.draw * ln_nu;
        }
        out[n] += on_h;
        out[n + 1] += on_nu;
        for ((out, x), prior) in out.iter_mut().zip(x).zip(&self.prior) {
            *out += prior * x;
        }
    }
}

/// `ln(e^(d/2) + e^(-d/2) + ν)` without overflow.
pub(super) fn ln_total(d: f64, nu: f64) -> f64 {
    let half = d.abs() / 2.0;
    half + (1.0 + (-2.0 * half).exp() + nu * (-half).exp()).ln()
}

/// The probabilities of win, draw and loss for a player who leads by `d`.
pub(super) fn chances(d: f64, nu: f64) -> [f64; 3] {
    let half = d.abs() / 2.0;
    let (draw, lesser) = (nu * (-half).exp(), (-2.0 * half).exp());
    let total = 1.0 + draw + lesser;
    let (ahead, behind) = (1.0 / total, lesser / total);
    if d >= 0.0 {
        [ahead, draw / total, behind]
    } else {
        [behind, draw / total, ahead]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_height_and_the_curvature_that_of_the_slope() {
        let counts = [[1, 2, 0], [0, 3, 1], [5, 0, 2]];
        let pairs = [(0, 1), (1, 2), (0, 2)].map(|seats| (seats, counts));
        let games = Games::new(3, &pairs.into_iter().collect());
        let peak = Peak {
            at: vec![0.3, -0.5, 0.9, 0.2, -0.4],
            draws: true,
        };
        let (slope, curvature) = (games.slope(&peak), games.curvature(&peak));
        for i in 0..5 {
            let moved = |by: f64| {
                let mut moved = peak.clone();
                moved.at[i] += by;
                moved
            };
            let rise = (games.height(&moved(1e-5)) - games.height(&moved(-1e-5))) / 2e-5;
            assert!(
                (rise - slope[i]).abs() < 1e-8,
                "slope {i}: {rise} {}",
                slope[i]
            );
            let (up, down) = (games.slope(&moved(1e-5)), games.slope(&moved(-1e-5)));
            let mut unit = vec![0.0; 5];
            unit[i] = 1.0;
            let mut product = vec![0.0; 5];
            curvature.apply(&games, &unit, &mut product);
            for j in 0..5 {
                let bend = (down[j] - up[j]) / 2e-5;
                assert!(
                    (bend - product[j]).abs() < 1e-7,
                    "{i} {j}: {bend} {}",
                    product[j]
                );
            }
            assert!((product[i] - curvature.diagonal[i]).abs() < 1e-12);
            let matrix = curvature.matrix(&games, true);
            for j in 0..5 {
                assert!((product[j] - matrix[i * 5 + j]).abs() < 1e-12);
            }
        }
    }
}
