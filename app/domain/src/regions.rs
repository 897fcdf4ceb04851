//! Provinces, their cities and the cities' districts: what an address form offers (product page, section 3,
//! "Accounts"). Where the list comes from stands in `data/README.md`.

use std::sync::LazyLock;

/// A city's name and its districts.
type City = (&'static str, Vec<&'static str>);

static REGIONS: LazyLock<Vec<(&'static str, Vec<City>)>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/regions.json"))
        .unwrap_or_else(|error| unreachable!("the list of regions is part of the program: {error}"))
});

/// The full names of all provinces.
pub fn provinces() -> impl Iterator<Item = &'static str> {
    REGIONS.iter().map(|(province, _)| *province)
}

/// The cities of a province; none of an unknown one.
pub fn cities(province: &str) -> impl Iterator<Item = &'static str> + use<> {
    cities_of(province).iter().map(|(city, _)| *city)
}

/// The districts of a city; none of an unknown one.
pub fn districts(province: &str, city: &str) -> &'static [&'static str] {
    cities_of(province).iter().find(|(name, _)| *name == city).map_or(&[], |(_, districts)| districts)
}

/// Whether there is such a district in such a city of such a province.
pub fn is_known(province: &str, city: &str, district: &str) -> bool {
    districts(province, city).contains(&district)
}

fn cities_of(province: &str) -> &'static [City] {
    REGIONS.iter().find(|(name, _)| *name == province).map_or(&[], |(_, cities)| cities)
}
