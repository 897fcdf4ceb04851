//! Who may open what, as the program's own lists say; a test of the program holds `policies.txt` against them.

use std::sync::LazyLock;

use domain::sub_member::Role;
use domain::tier::Feature;

/// A route's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    Everybody,
    Public,
    Member,
    Needs(Feature),
    /// For whoever in the back office has some capability.
    Staff,
    StaffAny,
}

/// What a route is at a house's desk; one that is not named there is shut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtDesk {
    Own,
    House(Role),
}

type Line = (&'static str, Policy, Option<AtDesk>);

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let lines = include_str!("policies.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| read(line).unwrap_or_else(|| panic!("{line}"))).collect()
});

fn read(line: &'static str) -> Option<Line> {
    let mut words = line.split_whitespace();
    let (pattern, policy, desk) = (words.next()?, words.next()?, words.next()?);
    let policy = match policy {
        "Everybody" => Policy::Everybody,
        "Public" => Policy::Public,
        "Member" => Policy::Member,
        "StaffAny" => Policy::StaffAny,
        _ if policy.starts_with("Staff(") => Policy::Staff,
        _ => Policy::Needs(Feature::all().find(|feature| policy == format!("Needs({feature:?})"))?),
    };
    let desk = match desk {
        "-" => None,
        "Own" => Some(AtDesk::Own),
        "House(Viewer)" => Some(AtDesk::House(Role::Viewer)),
        "House(Editor)" => Some(AtDesk::House(Role::Editor)),
        _ => return None,
    };
    Some((pattern, policy, desk))
}

/// Every route's policy, by the router's own pattern.
pub fn policies() -> impl Iterator<Item = (&'static str, Policy)> {
    LINES.iter().map(|(pattern, policy, _)| (*pattern, *policy))
}

/// What a route is at a house's desk.
pub fn desk(pattern: &str) -> Option<AtDesk> {
    LINES.iter().find(|(known, ..)| *known == pattern).and_then(|(.., desk)| *desk)
}
