//! Date-times (RFC 3339), and those that are numbers of seconds.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Deref, Sub, SubAssign};
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp as Instant};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire_rules::date_time::{self, last};

use crate::wire::scalar::{Reading, Scalar};

/// An instant, written as a date-time (RFC 3339).
///
/// It dereferences to [`jiff::Timestamp`] and converts from one with `into()`:
///
/// ```
/// use openapi_bindings_runtime::Timestamp;
///
/// let end: Timestamp = "2025-12-31T23:59:59Z".parse()?;
/// assert_eq!(end.as_second(), 1_767_225_599);
/// assert_eq!(Timestamp::from(*end), end);
/// # Ok::<_, jiff::Error>(())
/// ```
///
/// It converts from and into [`SystemTime`]. A [`Duration`] can be added and subtracted; the result is not before the
/// first instant, nor after the last one. The difference of two is a [`SignedDuration`]. Everything else, such as
/// calendars and time zones, is in [`jiff`], which this crate exports:
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use openapi_bindings_runtime::{Timestamp, jiff::tz::TimeZone};
///
/// let start: Timestamp = "2025-12-31T23:59:00Z".parse()?;
/// let end = start + Duration::from_secs(90);
/// assert_eq!(end.to_string(), "2026-01-01T00:00:30Z");
/// assert_eq!((end - start).as_secs(), 90);
/// assert!(end < Timestamp::from(SystemTime::now()));
/// assert_eq!(end.to_zoned(TimeZone::UTC).strftime("%A").to_string(), "Thursday");
/// # Ok::<_, openapi_bindings_runtime::jiff::Error>(())
/// ```
///
/// Unlike [`jiff::Timestamp`], which ends 26 hours earlier, it covers all of the year 9999: many services write
/// `9999-12-31T23:59:59Z` for "never". Dereferenced, such an instant is [`jiff::Timestamp::MAX`].
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    instant: Instant,
    /// Nanoseconds after `instant` if that is the maximum of jiff, else zero.
    beyond: u64,
}

/// The maximum offset of RFC 3339.
const LAST_OFFSET: SignedDuration = SignedDuration::from_mins(23 * 60 + 59);

impl Timestamp {
    /// Returns the current time of the system.
    pub fn now() -> Self {
        Instant::now().into()
    }

    /// Returns the nanoseconds since 1970-01-01T00:00:00Z.
    fn nanoseconds(self) -> i128 {
        self.instant.as_nanosecond() + i128::from(self.beyond)
    }

    /// Returns the instant after so many nanoseconds since 1970-01-01T00:00:00Z, or the nearest one.
    fn at(nanoseconds: i128) -> Self {
        if let Ok(instant) = Instant::from_nanosecond(nanoseconds) {
            return instant.into();
        }
        let beyond = nanoseconds.saturating_sub(Instant::MAX.as_nanosecond());
        let longest = (DateTime::MAX.duration_since(last()) + LAST_OFFSET).as_nanos();
        match u64::try_from(beyond.min(longest)) {
            Ok(beyond) => Self { instant: Instant::MAX, beyond },
            Err(_) => Instant::MIN.into(),
        }
    }
}

impl Deref for Timestamp {
    type Target = Instant;

    fn deref(&self) -> &Instant {
        &self.instant
    }
}

impl From<Instant> for Timestamp {
    fn from(instant: Instant) -> Self {
        Self { instant, beyond: 0 }
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => Self::default() + after,
            Err(before) => Self::default() - before.duration(),
        }
    }
}

impl From<Timestamp> for SystemTime {
    fn from(timestamp: Timestamp) -> Self {
        Self::from(timestamp.instant) + Duration::from_nanos(timestamp.beyond)
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self::at(self.nanoseconds().saturating_add_unsigned(duration.as_nanos()))
    }
}

impl AddAssign<Duration> for Timestamp {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self::at(self.nanoseconds().saturating_sub_unsigned(duration.as_nanos()))
    }
}

impl SubAssign<Duration> for Timestamp {
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

/// The time between two instants.
impl Sub for Timestamp {
    type Output = SignedDuration;

    fn sub(self, other: Self) -> SignedDuration {
        SignedDuration::from_nanos_i128(self.nanoseconds() - other.nanoseconds())
    }
}

impl FromStr for Timestamp {
    type Err = jiff::Error;

    /// Parses a date-time (RFC 3339, section 5.6), leniently. Digits after nanoseconds are ignored, and a leap second is
    /// the second before it.
    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        date_time::parse(text).map(|(instant, beyond)| Self { instant, beyond })
    }
}

impl Scalar for Timestamp {
    /// Reads a leap second as the second before, and only the nanoseconds of a fraction. If lenient, it reads a date-time
    /// without an offset, which many frameworks write, as UTC.
    fn read(&mut self, text: &str, is_lenient: bool) -> Reading {
        let is_rounded = date_time::is_rounded(text);
        let parsed = text.parse();
        let is_own = parsed.is_ok() && !is_rounded;
        let parsed = parsed.or_else(|error| {
            if is_lenient || is_rounded { format!("{text}Z").parse() } else { Err(error) }
        });
        let Ok(value) = parsed else { return Reading::Unfit };
        *self = value;
        match (is_own, date_time::is_rfc_3339(text)) {
            (true, true) => Reading::Described,
            (true, false) => Reading::OtherForm,
            (false, _) => Reading::StandIn,
        }
    }

    fn expected(&self) -> &'static str {
        "a date-time (RFC 3339)"
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.beyond == 0 {
            return self.instant.fmt(f);
        }
        let beyond = SignedDuration::from_nanos_i128(self.beyond.into());
        match last().checked_add(beyond) {
            Ok(utc) => write!(f, "{utc}Z"),
            // In the year 10000 of UTC, which RFC 3339 does not have, at the westernmost offset.
            Err(_) => write!(f, "{}-23:59", last().saturating_add(beyond - LAST_OFFSET)),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq<Instant> for Timestamp {
    fn eq(&self, other: &Instant) -> bool {
        *self == Self::from(*other)
    }
}

impl PartialOrd<Instant> for Timestamp {
    fn partial_cmp(&self, other: &Instant) -> Option<Ordering> {
        Some(self.cmp(&Self::from(*other)))
    }
}

/// An instant that is a number of seconds since 1970-01-01T00:00:00Z, for `[types]` in `codegen.toml`:
/// `"integer unixtime" = "runtime::UnixTime"`. It is written without a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixTime(pub Timestamp);

impl Serialize for UnixTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.as_second())
    }
}

impl<'de> Deserialize<'de> for UnixTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = SignedDuration::try_from_secs_f64(f64::deserialize(deserializer)?);
        let instant = seconds.and_then(Instant::from_duration).map_err(D::Error::custom)?;
        Ok(Self(instant.into()))
    }
}
