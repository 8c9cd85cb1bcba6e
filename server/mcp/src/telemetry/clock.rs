//! The time as log lines have it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 86_400;
/// Days in 400 years of the Gregorian calendar, after which it repeats.
const DAYS_AN_ERA: u64 = 146_097;
/// Days from 0000-03-01, where the first era begins, to 1970-01-01.
const DAYS_TO_EPOCH: u64 = 719_468;

/// `time` in UTC by RFC 3339, to the millisecond. A time before 1970 (a clock that was never set) is shown as 1970.
pub(super) fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since.as_secs();
    let (year, month, day) = civil(seconds / SECONDS_A_DAY);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day of a count of days since 1970-01-01. Years are counted from March, so that the leap day is a
/// year's last and a month's number follows from its day by one division (Howard Hinnant, `civil_from_days`).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_TO_EPOCH;
    let day_of_era = days % DAYS_AN_ERA;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = days / DAYS_AN_ERA * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(seconds: u64, millis: u64) -> String {
        rfc3339(UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(millis))
    }

    #[test]
    fn known_times_are_shown_right() {
        // From `date -u -d @SECONDS`.
        assert_eq!(shown(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(shown(951_782_399, 999), "2000-02-28T23:59:59.999Z");
        assert_eq!(shown(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(shown(1_798_761_599, 7), "2026-12-31T23:59:59.007Z");
        assert_eq!(shown(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
        assert_eq!(shown(253_402_300_799, 0), "9999-12-31T23:59:59.000Z");
    }

    #[test]
    fn every_day_follows_the_day_before() {
        let leap =
            |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let mut expected = (1970, 1, 1);
        for days in 0..200_000 {
            assert_eq!(civil(days), expected);
            let (year, month, day) = expected;
            let last = match month {
                4 | 6 | 9 | 11 => 30,
                2 => 28 + u64::from(leap(year)),
                _ => 31,
            };
            expected = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                (_, day) if day == last => (year, month + 1, 1),
                _ => (year, month, day + 1),
            };
        }
    }

    #[test]
    fn a_clock_before_1970_is_shown_as_1970() {
        assert_eq!(rfc3339(UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00.000Z");
    }
}
