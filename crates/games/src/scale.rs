use floe_rules::Player;

use crate::AnyPosition;

/// The weight of a lead: one scale for a whole game, wherever leads are shown as shares of a bar or
/// as a height in a graph.
///
/// A lead of a number of points means the same on the first turn and on the last. How much that is
/// depends on the size of the board: half the square root of its fields is a lead that gives 73 %
/// of the bar to one of two, three times as much gives 95 %. If the rules bound the lead, as in
/// games that are only won or lost, the largest one gives 95 %.
///
/// ```
/// use floe_games::LeadScale;
/// let start = floe_games::find("gamma")?.start("10x10", 1)?;
/// let scale = LeadScale::of(&*start);
/// // Five points on a board of a hundred fields.
/// let shares = scale.shares(&[40, 35]);
/// assert_eq!(format!("{:.2} {:.2}", shares[0], shares[1]), "0.73 0.27");
/// // Only the lead counts, not how much was scored.
/// assert_eq!(scale.shares(&[5, 0]), shares);
/// assert_eq!(scale.shares(&[9, 9]), [0.5, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeadScale {
    /// The lead that multiplies a player's winning odds by `e`.
    points: f64,
}

impl LeadScale {
    /// The scale of this position's game, the same for all its positions. Costs a
    /// [`view`](AnyPosition::view).
    pub fn of(position: &dyn AnyPosition) -> Self {
        let view = position.view();
        let fields = f64::from(view.width) * f64::from(view.height);
        let by_size = (fields.sqrt() / 2.0).max(0.5);
        let by_rules = position.largest_margin().map(|most| most as f64 / 3.0);
        let points = by_rules.map_or(by_size, |points| points.min(by_size));
        LeadScale {
            points: points.max(f64::MIN_POSITIVE),
        }
    }

    /// Each seat's part of a bar for these expected scores; the parts add up to 1.
    pub fn shares(&self, scores: &[i64]) -> Vec<f64> {
        let best = scores.iter().copied().max().unwrap_or(0);
        let weight = |&score: &i64| (best.saturating_sub(score) as f64 / -self.points).exp();
        let weights: Vec<f64> = scores.iter().map(weight).collect();
        let all: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / all).collect()
    }

    /// One seat's share; 0 for a missing seat.
    pub fn share(&self, scores: &[i64], player: Player) -> f64 {
        let shares = self.shares(scores);
        shares.get(player.index()).copied().unwrap_or(0.0)
    }
}
