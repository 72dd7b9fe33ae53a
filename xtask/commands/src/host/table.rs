//! Tables in Markdown.

use std::fmt;

/// A table, filled row by row.
#[derive(Debug)]
pub struct TextTable {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Returns a table with these columns. The first is aligned left, the others right.
    pub fn new<const COLUMNS: usize>(head: [&str; COLUMNS]) -> Self {
        Self { head: head.map(str::to_owned).into(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn row<const COLUMNS: usize>(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.into());
    }
}

/// Aligns the columns, so that the table is readable without rendering.
impl fmt::Display for TextTable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| {
                let cells = self.rows.iter().chain([&self.head]);
                let lengths = cells.filter_map(|row| Some(row.get(column)?.chars().count()));
                lengths.max().unwrap_or_default().max(3)
            })
            .collect();
        let mut line = |row: &[String]| {
            for (column, &width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                match column {
                    0 => write!(formatter, "| {cell:<width$} ")?,
                    _ => write!(formatter, "| {cell:>width$} ")?,
                }
            }
            writeln!(formatter, "|")
        };
        line(&self.head)?;
        let rules = widths.iter().enumerate().map(|(column, &width)| match column {
            0 => "-".repeat(width),
            _ => "-".repeat(width - 1) + ":",
        });
        line(&rules.collect::<Vec<_>>())?;
        self.rows.iter().try_for_each(|row| line(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_words_left_and_figures_right() {
        let mut table = TextTable::new(["what", "time"]);
        table.row(["lower".to_owned(), "9.1 ms".to_owned()]);
        table.row(["größer".to_owned(), "120.0 ms".to_owned()]);
        table.row(["none".to_owned()]);
        let expected = "\
| what   |     time |
| ------ | -------: |
| lower  |   9.1 ms |
| größer | 120.0 ms |
| none   |          |
";
        assert_eq!(table.to_string(), expected);
    }
}
