//! Licences: who belongs to an organisation, and who gets a seat.

use std::net::IpAddr;

use domain::licence::{
    LicenceState, MailDomain, NetworkRange, NotSeated, Standing, Way, each, may_sit, shown_by,
};
use proptest::prelude::*;

fn domains(text: &str) -> Result<Vec<String>, String> {
    let read = |part: &str| MailDomain::read(part).map_err(|problem| problem.to_string());
    each(text, read).map(|found| found.iter().map(ToString::to_string).collect())
}

fn ranges(text: &str) -> Result<Vec<String>, String> {
    let read = |part: &str| NetworkRange::read(part).map_err(|problem| problem.to_string());
    each(text, read).map(|found| found.iter().map(ToString::to_string).collect())
}

#[test]
fn a_mail_domain_is_an_organisations_own() {
    let read = domains("School.edu.cn，@press.example\nteacher@school.edu.cn、school。edu。cn");
    assert_eq!(read.unwrap(), ["school.edu.cn", "press.example"]);
    for open in ["qq.com", "me@QQ.com", "163.com", "gmail.com"] {
        assert!(domains(open).unwrap_err().contains("公共邮箱"), "{open}");
    }
    for wrong in ["school", "学校", "a@", "school..cn", "-school.cn x"] {
        assert!(domains(wrong).unwrap_err().contains("写成 school.edu.cn 这样"), "{wrong}");
    }
    let domain = MailDomain::read("school.edu.cn").unwrap();
    for (mailbox, is_there) in [
        ("li@school.edu.cn", true),
        ("Li@CS.School.edu.cn", true),
        ("li@myschool.edu.cn", false),
        ("school.edu.cn@evil.example", false),
        ("li@school.edu.cn.evil.example", false),
        ("13800138000", false),
    ] {
        assert_eq!(domain.has(mailbox), is_there, "{mailbox}");
    }
}

#[test]
fn a_range_is_an_address_or_a_network() {
    let read = ranges("203.0.113.77/24 203.0.113.0/24; 198.51.100.7，2001:db8:1::5/48 ::ffff:198.51.100.7");
    assert_eq!(read.unwrap(), ["203.0.113.0/24", "198.51.100.7", "2001:db8:1::/48"]);
    for wide in ["10.0.0.0/8", "0.0.0.0/0", "::/0", "2001::/16"] {
        assert!(ranges(wide).unwrap_err().contains("范围太大"), "{wide}");
    }
    for wrong in ["203.0.113", "203.0.113.0/33", "校园网", "203.0.113.0-203.0.113.9"] {
        assert!(ranges(wrong).unwrap_err().contains("写成 203.0.113.0/24"), "{wrong}");
    }
}

#[test]
fn who_belongs_is_seen_by_mailbox_or_network() {
    let domains = [MailDomain::read("school.edu.cn").unwrap()];
    let ranges = [NetworkRange::read("203.0.113.0/24").unwrap()];
    let address = |text: &str| Some(text.parse::<IpAddr>().unwrap());
    let shown = |mailbox, address| shown_by(&domains, &ranges, mailbox, address);
    assert_eq!(shown(Some("li@school.edu.cn"), address("192.0.2.1")), Some(Way::Mail));
    assert_eq!(shown(Some("li@qq.com"), address("203.0.113.9")), Some(Way::Network));
    assert_eq!(
        shown(None, address("::ffff:203.0.113.9")),
        Some(Way::Network),
        "a mapped address is the same"
    );
    assert_eq!(shown(Some("li@qq.com"), address("203.0.114.9")), None);
    assert_eq!(shown(None, None), None);
    assert_eq!(shown_by(&[], &[], Some("li@school.edu.cn"), address("203.0.113.9")), None);
}

proptest! {
    /// No sequence of readers sits on more seats than there are.
    #[test]
    fn no_more_sit_than_there_are_seats(
        seats in 1_i64..20,
        steps in prop::collection::vec((0_usize..30, any::<bool>()), 0..200),
    ) {
        // of each reader: no seat, one that was taken back, or one
        let mut held: Vec<Option<bool>> = vec![None; 30];
        for (reader, takes) in steps {
            let taken = held.iter().filter(|seat| **seat == Some(false)).count() as i64;
            prop_assert!(taken <= seats);
            if !takes {
                held[reader] = held[reader].map(|_| true);
                continue;
            }
            let state = LicenceState::Running;
            match may_sit(Standing { state, is_own: false, seat: held[reader], seats, taken }) {
                Ok(true) => held[reader] = Some(false),
                Ok(false) => prop_assert_eq!(held[reader], Some(false)),
                Err(NotSeated::Full) => prop_assert_eq!(taken, seats),
                Err(reason) => prop_assert_eq!((reason, held[reader]), (NotSeated::TakenBack, Some(true))),
            }
        }
    }
}

#[test]
fn nobody_sits_where_it_is_over_or_its_own() {
    let standing = Standing { state: LicenceState::Running, is_own: false, seat: None, seats: 1, taken: 0 };
    assert_eq!(may_sit(standing), Ok(true));
    assert_eq!(may_sit(Standing { is_own: true, ..standing }), Err(NotSeated::Own));
    for (until, is_ended) in [(5, false), (50, true)] {
        let state = LicenceState::of(until, is_ended, 10);
        // also who sat there
        assert_eq!(may_sit(Standing { state, seat: Some(false), ..standing }), Err(NotSeated::Over));
    }
}
