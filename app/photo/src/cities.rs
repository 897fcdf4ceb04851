//! Which city a photo was taken in or near, by the name that Chinese readers know it by.
//!
//! The list is made of GeoNames' by `cities/make.py`. A position is looked up where a photo is received and goes no further: what
//! is kept of it is a name that thousands of photos have.

use std::fmt;

/// Name, latitude and longitude in degrees, thousands of people; one city a line.
const CITIES: &str = include_str!("../cities/cities.tsv");

/// The Earth's radius, in km.
const RADIUS_KM: f64 = 6371.0;
/// How far north a degree goes, in km.
const KM_A_DEGREE: f64 = 111.0;
/// How far from its middle a village's photos bear its name, in km, and those of the largest city.
const LEAST_REACH_KM: f64 = 25.0;
const MOST_REACH_KM: f64 = 80.0;

/// Where a camera was. It is asked for a [`city`](Self::city), and shows itself to nobody, logs among them.
#[derive(Clone, Copy, PartialEq)]
pub struct Position {
    /// In degrees north of the equator, from −90 to 90.
    pub(super) latitude: f64,
    /// In degrees east of Greenwich, from −180 to 180.
    pub(super) longitude: f64,
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Position")
    }
}

impl Position {
    /// The city that it belongs to: of those within reach the one with the strongest pull, which is a large one from further away.
    /// None in the wild, where a name would say more than is known. All cities are gone through, which takes about a millisecond.
    pub fn city(self) -> Option<&'static str> {
        let pull = |line: &'static str| {
            let (name, city, thousands) = read(line)?;
            if (city.latitude - self.latitude).abs() * KM_A_DEGREE > MOST_REACH_KM {
                return None;
            }
            let apart = self.apart(city);
            let reach = (LEAST_REACH_KM + thousands.sqrt() / 2.0).min(MOST_REACH_KM);
            (apart <= reach).then(|| ((thousands + 1.0) / (apart + 1.0).powf(2.5), name))
        };
        CITIES
            .lines()
            .filter_map(pull)
            .max_by(|(one, _), (other, _)| one.total_cmp(other))
            .map(|(_, name)| name)
    }

    /// How far it is to another one along the ground, in km (haversine).
    fn apart(self, other: Self) -> f64 {
        let half = |one: f64, other: f64| ((other - one).to_radians() / 2.0).sin().powi(2);
        let across = self.latitude.to_radians().cos() * other.latitude.to_radians().cos();
        let chord = half(self.latitude, other.latitude) + across * half(self.longitude, other.longitude);
        2.0 * RADIUS_KM * chord.sqrt().min(1.0).asin()
    }
}

fn read(line: &'static str) -> Option<(&'static str, Position, f64)> {
    let mut fields = line.split('\t');
    let name = fields.next()?;
    let mut number = || fields.next()?.parse().ok();
    Some((name, Position { latitude: number()?, longitude: number()? }, number()?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sights_are_named_by_their_cities() {
        // of maps, not of the list
        let sights = [
            ("大理古城", 25.69, 100.16, Some("大理")),
            ("玉龙雪山", 27.10, 100.18, Some("丽江")),
            ("外滩", 31.24, 121.49, Some("上海")),
            ("八达岭", 40.36, 116.02, Some("北京")),
            ("周庄", 31.115, 120.85, Some("周庄")),
            ("西湖", 30.24, 120.14, Some("杭州")),
            ("布达拉宫", 29.658, 91.117, Some("拉萨")),
            ("莫高窟", 40.037, 94.804, Some("敦煌")),
            ("兵马俑", 34.385, 109.273, Some("西安")),
            ("鼓浪屿", 24.447, 118.067, Some("厦门")),
            ("台北101", 25.034, 121.565, Some("台北")),
            ("尖沙咀", 22.295, 114.172, Some("香港")),
            ("清水寺", 34.995, 135.785, Some("京都")),
            ("镰仓大佛", 35.317, 139.536, Some("镰仓")),
            ("原爆圆顶馆", 34.395, 132.454, Some("广岛")),
            ("卢浮宫", 48.861, 2.336, Some("巴黎")),
            ("吴哥窟", 13.412, 103.867, Some("暹粒")),
            ("自由女神像", 40.689, -74.045, Some("纽约")),
            ("悉尼歌剧院", -33.857, 151.215, Some("悉尼")),
            ("喀纳斯", 48.70, 87.00, None),
            ("黄石公园", 44.46, -110.83, None),
            ("where cameras without a signal are", 0.0, 0.0, None),
        ];
        for (sight, latitude, longitude, city) in sights {
            assert_eq!(Position { latitude, longitude }.city(), city, "{sight}");
        }
    }

    #[test]
    fn every_line_is_a_city() {
        let cities: Vec<_> = CITIES.lines().map(|line| read(line).unwrap()).collect();
        assert!(cities.len() > 10_000);
        for (name, Position { latitude, longitude }, thousands) in cities {
            assert!(name.chars().count() >= 2 && name.chars().all(|c| c == '·' || c >= '\u{3400}'), "{name}");
            assert!(latitude.abs() <= 90.0 && longitude.abs() <= 180.0 && thousands >= 0.0, "{name}");
        }
    }

    #[test]
    fn the_date_line_is_no_border() {
        let suva = |longitude| Position { latitude: -16.0, longitude };
        assert!((suva(179.9).apart(suva(-179.9)) - 21.4).abs() < 0.5);
    }
}
