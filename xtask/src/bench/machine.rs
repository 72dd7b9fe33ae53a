//! What the figures were measured on, and when.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Returns the lines above a table: machine, compiler and date, and the commands that give the figures again.
pub fn heading(commands: &[String]) -> String {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let days = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() / SECONDS_PER_DAY);
    let mut heading = format!(
        "{}, {cores} cores; {}; {}\n\n```sh\n",
        processor().unwrap_or_else(|| "unknown processor".to_owned()),
        compiler().unwrap_or_else(|| "unknown compiler".to_owned()),
        date(days)
    );
    for command in commands {
        heading.push_str(command);
        heading.push('\n');
    }
    heading + "```\n\n"
}

/// Returns the name of the processor, where the system has a file that tells it.
fn processor() -> Option<String> {
    let about = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = about.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn compiler() -> Option<String> {
    let output = Command::new("rustc").arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    Some(version.trim().to_owned())
}

/// Returns the date of a day that is so many days after 1970-01-01.
fn date(days: u64) -> String {
    let (mut year, mut rest) = (1970, days);
    while rest >= days_of_year(year) {
        rest -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", rest + 1)
}

fn days_of_year(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    365 + u64::from(is_leap)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_count_leap_years() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
