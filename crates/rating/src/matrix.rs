//! The linear algebra for ratings: symmetric, positive definite, dense matrices.

/// Up to this many seats, whole matrices are factored, which takes tens of milliseconds.
pub(super) const DENSE: usize = 400;

/// The lower triangle of `A = L·Lᵀ`, row after row.
pub(super) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors a symmetric matrix, O(n³ / 6); `None` if it is not positive definite.
    pub(super) fn new(size: usize, mut matrix: Vec<f64>) -> Option<Self> {
        for row in 0..size {
            let (above, this) = matrix.split_at_mut(row * size);
            for column in 0..row {
                let other = &above[column * size..][..=column];
                let sum: f64 = (0..column).map(|k| this[k] * other[k]).sum();
                this[column] = (this[column] - sum) / other[column];
            }
            let sum: f64 = this[..row].iter().map(|x| x * x).sum();
            let square = this[row] - sum;
            if square.is_nan() || square <= 0.0 {
                return None;
            }
            this[row] = square.sqrt();
        }
        Some(Cholesky {
            size,
            lower: matrix,
        })
    }

    /// Solves `A·x = b` in place, O(n²).
    pub(super) fn solve(&self, b: &mut [f64]) {
        let n = self.size;
        for row in 0..n {
            let line = &self.lower[row * n..][..=row];
            let sum: f64 = (0..row).map(|k| line[k] * b[k]).sum();
            b[row] = (b[row] - sum) / line[row];
        }
        for row in (0..n).rev() {
            let line = &self.lower[row * n..][..=row];
            b[row] /= line[row];
            let found = b[row];
            for k in 0..row {
                b[k] -= line[k] * found;
            }
        }
    }
}

/// Multiplies a contrast of ratings by an inverse. Without the whole inverse, `add_near` adds the
/// effect on one seat: the mean of so many seats hardly changes.
pub(super) fn times_inverse(
    whole: Option<&Cholesky>,
    contrast: &[f64],
    add_near: impl Fn(usize, f64, &mut [f64]),
) -> Vec<f64> {
    let mut along = contrast.to_vec();
    match whole {
        Some(factors) => factors.solve(&mut along),
        None => {
            along.fill(0.0);
            let parts = contrast.iter().enumerate();
            for (seat, &part) in parts.filter(|(_, part)| part.abs() > 0.5) {
                add_near(seat, part, &mut along);
            }
        }
    }
    along
}

/// Solves `A·x = b` for a whole symmetric matrix; `None` if it is not positive definite.
pub(super) fn solve(matrix: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    if n <= DENSE {
        Cholesky::new(n, matrix)?.solve(&mut b);
        return Some(b);
    }
    let diagonal: Vec<f64> = (0..n).map(|i| matrix[i * (n + 1)]).collect();
    Some(solve_iteratively(&diagonal, &b, |x, out| {
        for (out, row) in out.iter_mut().zip(matrix.chunks_exact(n)) {
            *out += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        }
    }))
}

/// Solves `A·x = b` by conjugate gradients, where `apply` multiplies by `A` and `diagonal` is
/// `A`'s. In matrices of games a few steps connect all seats, so a handful of products is enough.
pub(super) fn solve_iteratively(
    diagonal: &[f64],
    b: &[f64],
    mut apply: impl FnMut(&[f64], &mut [f64]),
) -> Vec<f64> {
    let n = b.len();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let scaled = |r: &[f64]| -> Vec<f64> { r.iter().zip(diagonal).map(|(r, d)| r / d).collect() };
    let mut x = vec![0.0; n];
    let mut rest = b.to_vec();
    let mut direction = scaled(&rest);
    let mut size = dot(&rest, &direction);
    let enough = size * 1e-18;
    let mut product = vec![0.0; n];
    for _ in 0..1000 {
        if size <= enough {
            break;
        }
        product.fill(0.0);
        apply(&direction, &mut product);
        let step = size / dot(&direction, &product);
        if !step.is_finite() {
            break;
        }
        for i in 0..n {
            x[i] += step * direction[i];
            rest[i] -= step * product[i];
        }
        let next = scaled(&rest);
        let next_size = dot(&rest, &next);
        let keep = next_size / size;
        for i in 0..n {
            direction[i] = next[i] + keep * direction[i];
        }
        size = next_size;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_solutions_solve() {
        let n = 12;
        let root: Vec<f64> = (0..n * n).map(|at| (at as f64 * 12.9898).sin()).collect();
        let entry = |i: usize, j: usize| -> f64 {
            let product: f64 = (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum();
            product + if i == j { 1.0 } else { 0.0 }
        };
        let matrix: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
        let wanted: Vec<f64> = (0..n).map(|i| i as f64 - 4.0).collect();
        let multiply = |x: &[f64], out: &mut [f64]| {
            for i in 0..n {
                out[i] += (0..n).map(|j| matrix[i * n + j] * x[j]).sum::<f64>();
            }
        };
        let mut b = vec![0.0; n];
        multiply(&wanted, &mut b);
        let diagonal: Vec<f64> = (0..n).map(|i| matrix[i * n + i]).collect();
        let iterated = solve_iteratively(&diagonal, &b, multiply);
        Cholesky::new(n, matrix.clone()).unwrap().solve(&mut b);
        for i in 0..n {
            assert!((b[i] - wanted[i]).abs() < 1e-8 && (iterated[i] - wanted[i]).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        assert!(Cholesky::new(2, vec![1.0, 2.0, 2.0, 1.0]).is_none());
    }

    /// As large as the sum of its rows elsewhere, and 1 more.
    fn chain(size: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            matrix[row * (size + 1)] = 3.0;
            if row > 0 {
                matrix[row * size + row - 1] = -1.0;
                matrix[(row - 1) * size + row] = -1.0;
            }
        }
        matrix
    }

    #[test]
    fn matrices_of_any_size_are_solved() {
        for size in [3, DENSE, DENSE + 1] {
            // Every row of the chain but the first and the last takes 1 from 3 twice.
            let mut b = vec![1.0; size];
            (b[0], b[size - 1]) = (2.0, 2.0);
            let found = solve(chain(size), b).unwrap();
            assert!(found.iter().all(|x| (x - 1.0).abs() < 1e-6), "{size}");
        }
        assert_eq!(solve(vec![1.0, 2.0, 2.0, 1.0], vec![1.0, 1.0]), None);
    }

    /// Rows as different as seats with few games and with many: divided by the diagonal they are alike.
    #[test]
    fn a_large_matrix_of_very_different_rows_is_solved() {
        let size = DENSE + 1;
        let unit = |at: usize| 10f64.powi((at % 7) as i32 - 3);
        let mut matrix = chain(size);
        for (at, entry) in matrix.iter_mut().enumerate() {
            *entry *= unit(at / size) * unit(at % size);
        }
        let mut b: Vec<f64> = (0..size).map(unit).collect();
        b[0] *= 2.0;
        b[size - 1] *= 2.0;
        let found = solve(matrix, b).unwrap();
        for (at, x) in found.into_iter().enumerate() {
            assert!((x * unit(at) - 1.0).abs() < 1e-6, "{at}: {x}");
        }
    }

    /// Steepest descent would take 85 products, conjugate directions take 21.
    #[test]
    fn conjugate_directions_take_few_products() {
        let (size, mut products) = (60, 0);
        let matrix = chain(size);
        let b: Vec<f64> = (0..size).map(|at| (at % 7) as f64).collect();
        solve_iteratively(&vec![3.0; size], &b, |x, out| {
            products += 1;
            for (out, row) in out.iter_mut().zip(matrix.chunks_exact(size)) {
                *out += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
        });
        assert!(products <= 25, "{products}");
    }

    #[test]
    fn numbers_of_very_different_size_take_one_step_where_nothing_ties_them() {
        let diagonal = [1e-6, 1.0, 7.0, 1e9];
        let mut products = 0;
        let found = solve_iteratively(&diagonal, &[1.0, 2.0, 3.0, 4.0], |x, out| {
            products += 1;
            for ((out, d), x) in out.iter_mut().zip(&diagonal).zip(x) {
                *out += d * x;
            }
        });
        assert_eq!(products, 1);
        assert!((found[0] - 1e6).abs() < 1e-3 && (found[3] - 4e-9).abs() < 1e-18);
        // Nothing to solve takes nothing.
        assert_eq!(solve_iteratively(&[1.0], &[0.0], |_, _| panic!()), [0.0]);
    }

    #[test]
    fn only_seats_of_more_than_half_a_contrast_are_near() {
        let found = times_inverse(None, &[0.5, -0.75, 0.25], |seat, part, along| {
            along[seat] += 2.0 * part;
        });
        assert_eq!(found, [0.0, -1.5, 0.0]);
    }
}
