//! HTTP-dates (RFC 9110, section 5.6.7).

use jiff::ToSpan as _;
use jiff::civil::DateTime;

/// Reads the three forms of an HTTP-date, without the day of the week.
pub fn parse(text: &str, now: DateTime) -> Option<DateTime> {
    let (_, date) = text.split_once([' ', ','])?;
    let date = date.trim_start();
    let read = |form| DateTime::strptime(form, date).ok();
    read("%d %b %Y %H:%M:%S GMT")
        .or_else(|| read("%b %e %H:%M:%S %Y"))
        .or_else(|| Some(nearest(read("%d-%b-%y %H:%M:%S GMT")?, now)))
        .or_else(|| read("%d-%b-%Y %H:%M:%S GMT"))
}

/// Returns the date whose year has the same last two digits and is at most 50 years away.
fn nearest(date: DateTime, now: DateTime) -> DateTime {
    let century = match date.year() - now.year() {
        51.. => (-100).years(),
        ..-50 => 100.years(),
        _ => return date,
    };
    date.saturating_add(century)
}
