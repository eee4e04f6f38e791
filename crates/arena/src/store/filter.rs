use std::ops::Range;

use rusqlite::types::Value;

use floe_games::FaultKind;

/// A query for games; the default matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Games in which all of these play.
    pub entrants: Vec<usize>,
    /// Games with a fault; the fault of the first entrant, if entrants are given.
    pub faulty: bool,
    /// Games with a fault of this kind.
    pub fault: Option<FaultKind>,
    /// Games during which the machine was overloaded. No index covers these, so all games are read.
    pub overloaded: bool,
    /// Games of this unit.
    pub unit: Option<u64>,
    /// The game of this number.
    pub number: Option<u64>,
    /// Games with numbers in this range.
    pub range: Option<Range<u64>>,
    /// Games whose records begin at or after this byte of the file.
    pub from_byte: Option<u64>,
    /// Most games to return.
    pub most: Option<u64>,
    /// Return the last matches instead of the first.
    pub from_the_end: bool,
}

impl Filter {
    /// A query for the numbers of matching games, with its values; `None` if all match. With a
    /// limit, it reads little more than it returns, since some index has the games in order.
    pub(super) fn query(&self, table: usize) -> Option<(String, Vec<Value>)> {
        if *self == Filter::default() {
            return None;
        }
        let mut conditions: Vec<&str> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let integer = |number: u64| Value::Integer(number.min(i64::MAX as u64) as i64);
        let is_of_seats = !self.entrants.is_empty() || self.faulty || self.fault.is_some();
        if let Some((&first, others)) = self.entrants.split_first() {
            conditions.push("d.entrant = ?");
            values.push(integer(first as u64));
            for &other in others {
                conditions.push(
                    "EXISTS (SELECT 1 FROM seats o WHERE o.number = d.number AND o.entrant = ?)",
                );
                values.push(integer(other as u64));
            }
        }
        if self.faulty || self.fault.is_some() {
            conditions.push("d.fault IS NOT NULL");
        }
        if let Some(kind) = self.fault {
            conditions.push("d.fault = ?");
            values.push(Value::Text(kind.name().to_owned()));
        }
        if self.overloaded {
            conditions.push(match is_of_seats {
                true => {
                    "EXISTS (SELECT 1 FROM games b WHERE b.number = d.number AND b.pressure IS NOT NULL)"
                }
                false => "d.pressure IS NOT NULL",
            });
        }
        let first_of = |unit: u64| unit.saturating_mul(table as u64);
        let unit = (self.unit).map(|unit| first_of(unit)..first_of(unit.saturating_add(1)));
        for range in [&unit, &self.range].into_iter().flatten() {
            conditions.push("d.number >= ? AND d.number < ?");
            values.extend([integer(range.start), integer(range.end)]);
        }
        if let Some(number) = self.number {
            conditions.push("d.number = ?");
            values.push(integer(number));
        }
        if let Some(byte) = self.from_byte {
            conditions.push(match is_of_seats {
                true => {
                    "EXISTS (SELECT 1 FROM games b WHERE b.number = d.number AND b.start_byte >= ?)"
                }
                false => "d.start_byte >= ?",
            });
            values.push(integer(byte));
        }
        conditions.push("1");
        // A negative limit is none.
        values.push(self.most.map_or(Value::Integer(-1), integer));
        let (what, order) = (
            if is_of_seats { "seats" } else { "games" },
            if self.from_the_end { "DESC" } else { "ASC" },
        );
        let conditions = conditions.join(" AND ");
        // An entrant with two seats must not list a game twice. Without a limit, no order is
        // needed; the newest games are found by their place.
        let ordered = match self.most {
            Some(_) => format!("ORDER BY d.number {order} "),
            None => String::new(),
        };
        let query =
            format!("SELECT DISTINCT d.number FROM {what} d WHERE {conditions} {ordered}LIMIT ?");
        Some((query, values))
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::*;

    /// A part of a list is read from some index, in order: nothing is read to be left out or sorted.
    #[test]
    fn a_part_of_a_list_costs_no_more_than_itself() {
        let index = Index::in_memory().unwrap();
        let page = Filter {
            range: Some(4711..u64::MAX),
            most: Some(100),
            ..Filter::default()
        };
        let of_entrant = Filter {
            entrants: vec![7],
            ..page.clone()
        };
        for (filter, from) in [
            (page.clone(), "games"),
            (of_entrant.clone(), "games_of_entrants"),
            (
                Filter {
                    faulty: true,
                    ..of_entrant.clone()
                },
                "faults_of_entrants",
            ),
            (
                Filter {
                    entrants: vec![7, 8],
                    ..page.clone()
                },
                "games_of_entrants",
            ),
            (
                Filter {
                    faulty: true,
                    ..page
                },
                "faults",
            ),
            (
                Filter {
                    from_byte: Some(4711),
                    ..Filter::default()
                },
                "games_by_place",
            ),
        ] {
            for from_the_end in [false, true] {
                let filter = Filter {
                    from_the_end,
                    ..filter.clone()
                };
                let (query, values) = filter.query(2).unwrap();
                let plan = index.plan(&query, values);
                let whole = match from {
                    "games" => "SEARCH d USING INTEGER PRIMARY KEY",
                    _ => &format!("SEARCH d USING COVERING INDEX {from} ("),
                };
                assert!(plan[0].starts_with(whole), "{filter:?}: {plan:#?}");
                let is_bad = |step: &String| step.contains("SCAN") || step.contains("ORDER BY");
                assert!(!plan.iter().any(is_bad), "{filter:?}: {plan:#?}");
            }
        }
    }
}
