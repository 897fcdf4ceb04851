//! In which province a network address is, as far as the operator supplied the data: a file in the MaxMind DB format with
//! subdivisions, such as GeoLite2 City or DB-IP City Lite. None is part of the program: their licences forbid it, and they
//! age within months.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;

use maxminddb::{Reader, geoip2};

/// The largest part of a name that is kept.
const NAME_LENGTH: usize = 40;

/// See the module.
pub struct Regions(Reader<Vec<u8>>);

impl Regions {
    /// Reads a file, which is held in memory.
    ///
    /// # Errors
    /// It can't be read, or is no such file.
    pub fn open(path: &Path) -> Result<Self, String> {
        let said = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let bytes = std::fs::read(path).map_err(|error| said(&error))?;
        Reader::from_source(bytes).map(Self).map_err(|error| said(&error))
    }

    /// The province, in China; elsewhere the country. Names are Chinese where the file has them.
    pub fn name_of(&self, address: IpAddr) -> Option<String> {
        let address = match address {
            IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(address, IpAddr::V4),
            IpAddr::V4(_) => address,
        };
        let city: geoip2::City = self.0.lookup(address).ok()?.decode().ok()??;
        let named = |names: &geoip2::Names| names.simplified_chinese.or(names.english).map(str::to_owned);
        let province = city.subdivisions.first().and_then(|province| named(&province.names));
        let name = match city.country.iso_code {
            Some("CN") => province.or_else(|| named(&city.country.names)),
            _ => named(&city.country.names),
        };
        // every file calls them otherwise
        let name = name?;
        let short = ["特别行政区", "维吾尔自治区", "壮族自治区", "回族自治区", "自治区", "省", "市"]
            .into_iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(&name);
        Some(short.chars().filter(|c| !c.is_control()).take(NAME_LENGTH).collect())
    }
}

impl fmt::Debug for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.metadata().database_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file holds made-up networks; it was written with mmdb-writer (PyPI).
    #[test]
    fn addresses_are_in_provinces_and_countries() {
        let file = Path::new(env!("BINDERY_CHECKOUT")).join("app/base/tests/regions.mmdb");
        let regions = Regions::open(&file).expect("the file");
        for (address, name) in [
            ("127.0.0.1", Some("浙江")),
            ("::ffff:127.0.0.9", Some("浙江")),
            ("10.1.0.1", Some("广西")),
            ("10.2.0.1", Some("新加坡")),
            ("10.3.0.1", Some("Atlantis")),
            ("10.4.0.1", Some("中国")),
            ("192.0.2.1", None),
            ("2001:db8::1", Some("香港")),
        ] {
            let address = address.parse().expect("an address");
            assert_eq!(regions.name_of(address).as_deref(), name, "{address}");
        }
        let other = Path::new(env!("BINDERY_CHECKOUT")).join("app/base/Cargo.toml");
        assert!(Regions::open(&other).is_err() && Regions::open(Path::new("/nowhere")).is_err());
    }
}
