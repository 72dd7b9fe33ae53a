//! The costs of compiling, as bars.

use super::svg::{Anchor, Picture, Theme};

/// The header of the table, in docs/performance.md.
pub const HEADER: &str = "| large document | check | user CPU | memory |";

/// A crate, with the time of `cargo check` and the memory of the compiler.
#[derive(Debug, PartialEq)]
pub struct Row {
    name: String,
    seconds: f64,
    mebibytes: f64,
}

/// Returns the rows of the table that have a time in seconds and a size in MiB. `None` if there are none.
pub fn rows(page: &str) -> Option<Vec<Row>> {
    let (_, table) = page.split_once(HEADER)?;
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, check, _, memory, _] = cells[..] else { return None };
        let number = |text: &str, unit: &str| text.strip_suffix(unit)?.trim().parse::<f64>().ok();
        Some(Row {
            name: name.to_owned(),
            seconds: number(check, "s")?,
            mebibytes: number(memory, "MiB")?,
        })
    };
    let rows: Vec<Row> = lines.filter_map(row).collect();
    (!rows.is_empty()).then_some(rows)
}

/// A chart: its left edge, its title, the value of a row, and how it is shown.
type Chart = (f64, &'static str, fn(&Row) -> f64, fn(f64) -> String);

const NAMES: f64 = 210.0;
const LONGEST: f64 = 215.0;
const LINE: f64 = 26.0;

/// Draws the picture: time on the left, memory on the right.
pub fn picture(rows: &[Row], theme: &Theme) -> String {
    let mut picture = Picture::new(theme);
    let charts: [Chart; 2] = [
        (NAMES + 10.0, "cargo check, seconds", |row| row.seconds, |value| format!("{value:.1}")),
        (NAMES + 345.0, "memory of rustc, MiB", |row| row.mebibytes, |value| format!("{value:.0}")),
    ];
    for (left, title, value, shown) in charts {
        picture.text((left, 16.0), Anchor::Start, (13, theme.muted), title);
        let most = rows.iter().map(value).fold(f64::MIN_POSITIVE, f64::max);
        let mut top = 30.0;
        for (index, row) in rows.iter().enumerate() {
            if left < NAMES * 2.0 {
                picture.text((NAMES, top + 14.0), Anchor::End, (13, theme.text), &row.name);
            }
            let color = if index < 2 { theme.accent } else { theme.muted };
            let width = LONGEST * value(row) / most;
            picture.rectangle((left, top), (width, LINE - 8.0), color);
            let text = shown(value(row));
            picture.text((left + width + 6.0, top + 14.0), Anchor::Start, (13, theme.text), &text);
            top += LINE;
        }
    }
    let height =
        u32::try_from(rows.len()).unwrap_or(u32::MAX).saturating_mul(26).saturating_add(36);
    picture.finish(
        (880, height),
        "Time and memory of cargo check, in comparison with other generators",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let page = format!(
            "a\n\n{HEADER}\n|---|---:|---:|---:|\n| this, all features | 14.7 s | 13.8 s | 1332 MiB |\n\
             | other 0.1 | 63 s | | 3517 MiB |\n| ratio | 0.25× | | 0.39× |\n\n| other | table |\n"
        );
        let row =
            |name: &str, seconds, mebibytes| Row { name: name.to_owned(), seconds, mebibytes };
        let expected =
            vec![row("this, all features", 14.7, 1332.0), row("other 0.1", 63.0, 3517.0)];
        assert_eq!(rows(&page), Some(expected));
        assert_eq!(rows("| large document | check |\n"), None);
    }
}
