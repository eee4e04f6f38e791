//! Sorting where it is rare: at the root of a search, and among lines.
//!
//! A sort is compiled for every type and key it is used with. What is sorted once in a thought shares
//! one sort of numbers, so that a WebAssembly module stays small.

use crate::EVERY_SIZE;

/// Sorts by a number, the lowest first; equals stay in their order.
pub(crate) fn by_number<T>(items: &mut [T], mut number: impl FnMut(&T) -> i64) {
    let mut order: Vec<(i64, usize)> = (items.iter().enumerate())
        .map(|(place, item)| (number(item), place))
        .collect();
    sort(&mut order);
    for place in 0..order.len() {
        // Places before this one have what they shall have: whatever stood there was swapped away.
        let mut from = order[place].1;
        while from < place {
            from = order[from].1;
        }
        items.swap(place, from);
    }
}

/// Sorts short lists where it is frequent, the lowest number first; equals stay in their order.
pub(crate) fn often<T: Copy>(items: &mut [T], number: impl Fn(&T) -> i32) {
    match EVERY_SIZE {
        true => items.sort_by_key(number),
        false => insert(items, number),
    }
}

/// The same in the fewest instructions.
fn insert<T: Copy>(items: &mut [T], number: impl Fn(&T) -> i32) {
    for next in 1..items.len() {
        let item = items[next];
        let mut place = next;
        while place > 0 && number(&items[place - 1]) > number(&item) {
            items[place] = items[place - 1];
            place -= 1;
        }
        items[place] = item;
    }
}

/// A number that orders as `total_cmp` does, the highest first.
pub(crate) fn falling(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    !(bits ^ ((bits >> 63) as u64 >> 1) as i64)
}

#[inline(never)]
fn sort(order: &mut [(i64, usize)]) {
    order.sort_unstable();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equals_stay_in_their_order(numbers in prop::collection::vec(-5i64..5, 0..60)) {
            let mut items: Vec<(i64, usize)> = numbers.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(number, _)| number);
            let mut inserted = items.clone();
            insert(&mut inserted, |&(number, _)| number as i32);
            prop_assert_eq!(&inserted, &expected);
            by_number(&mut items, |&(number, _)| number);
            prop_assert_eq!(items, expected);
        }

        #[test]
        fn higher_values_have_lower_numbers(a in any::<f64>(), b in any::<f64>()) {
            prop_assert_eq!(falling(a).cmp(&falling(b)), b.total_cmp(&a));
        }
    }
}
