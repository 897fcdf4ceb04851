use std::ffi::OsString;

use proptest::prelude::*;

use super::reading::understand;
use super::{Kind, Usual, Variable};

static PUBLIC: Variable = Variable::new("BINDERY_PUBLIC_URL", Kind::Text, Usual::Words("none"), "where");
static COOKIES: Variable = Variable::new("BINDERY_SECURE_COOKIES", Kind::Switch, Usual::Value("0"), "safe");
static RESERVE: Variable =
    Variable::new("BINDERY_DISK_RESERVE", Kind::Whole(1..=99), Usual::Value("25"), "room");
static STANDARD: Variable = Variable::new(
    "BINDERY_PRINT_STANDARD",
    Kind::Word(&["pdfx-4", "pdfx-1a"]),
    Usual::Value("pdfx-4"),
    "files",
);
static KEY: Variable = Variable::new("BINDERY_SIGN_KEY", Kind::Text, Usual::Words("none"), "secret").secret();
static PEM: Variable = Variable::new("BINDERY_ALIPAY_KEY_FILE", Kind::Text, Usual::Words("none"), "a path");

static ALL: [&Variable; 6] = [&PUBLIC, &COOKIES, &RESERVE, &STANDARD, &KEY, &PEM];

/// The secrets that were read, and what is wrong.
fn read(set: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let set = set.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let (secrets, faults) = understand(&ALL, set);
    (secrets.into_values().collect(), faults.iter().map(ToString::to_string).collect())
}

#[test]
fn what_nobody_declared_is_refused_with_the_name_that_is_near() {
    for (wrong, meant) in [
        ("BINDERY_PUBLC_URL", "BINDERY_PUBLIC_URL"),
        ("BINDERY_PUBLIC_ULR", "BINDERY_PUBLIC_URL"),
        ("BINDERY_SECURECOOKIES", "BINDERY_SECURE_COOKIES"),
        ("BINDERY_SIGN_KEY_FIEL", "BINDERY_SIGN_KEY_FILE"),
        // no file stands for what is no secret
        ("BINDERY_PRINT_STANDARD_FILE", "BINDERY_PRINT_STANDARD"),
    ] {
        let expected = format!("{wrong}: there is no such setting; perhaps {meant} is meant");
        assert_eq!(read(&[(wrong, "x")]).1, [expected]);
    }
    // nothing is near
    for wrong in ["BINDERY_COLOUR", "LEPTOS_ENV"] {
        let (_, faults) = read(&[(wrong, "x")]);
        assert!(faults.len() == 1 && faults[0].ends_with("there is no such setting"), "{faults:?}");
    }
    // of other programs and of the tests, and what is set to nothing
    assert_eq!(read(&[("PATH", "/bin"), ("BINDERY_CHECKOUT", "/src"), ("BINDERY_COLOUR", "")]).1, [""; 0]);
}

#[test]
fn every_fault_is_told_at_once_with_what_stands_in_the_line() {
    let (_, faults) = read(&[
        ("BINDERY_SECURE_COOKIES", "ja"),
        ("BINDERY_DISK_RESERVE", "100"),
        ("BINDERY_PRINT_STANDARD", "pdfx-3"),
        ("BINDERY_PUBLIC_URL", "\"https://books.example\""),
        ("BINDERY_ALIPAY_KEY_FILE", "/etc/alipay.pem\r"),
    ]);
    assert_eq!(
        faults,
        [
            "BINDERY_ALIPAY_KEY_FILE: it ends with a carriage return: the file was written with the line ends of Windows",
            "BINDERY_DISK_RESERVE: \"100\" is no whole number from 1 to 99",
            "BINDERY_PRINT_STANDARD: \"pdfx-3\" is neither pdfx-4 nor pdfx-1a",
            "BINDERY_PUBLIC_URL: the quotes around it became part of it; leave them out",
            "BINDERY_SECURE_COOKIES: \"ja\" is neither 1 nor 0",
        ]
    );
}

#[test]
fn a_secret_may_lie_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    let path = file.to_str().unwrap();
    let by_file = [("BINDERY_SIGN_KEY_FILE", path)];
    for (content, read_as) in [("s3cret\n", "s3cret"), ("s3cret", "s3cret"), ("a b \r\n", "a b ")] {
        std::fs::write(&file, content).unwrap();
        assert_eq!(read(&by_file), (vec![read_as.to_owned()], vec![]), "{content:?}");
    }
    // one line, and no more than its end is taken away
    for content in ["", "\n", "s3cret\n\n", "s3cret\nmore\n"] {
        std::fs::write(&file, content).unwrap();
        let (secrets, faults) = read(&by_file);
        assert!(secrets.is_empty() && faults.len() == 1 && !faults[0].contains("s3cret"), "{faults:?}");
    }
    let both = [("BINDERY_SIGN_KEY", "s3cret"), ("BINDERY_SIGN_KEY_FILE", path)];
    let expected = "both BINDERY_SIGN_KEY and BINDERY_SIGN_KEY_FILE are set; leave one of them out";
    assert_eq!(read(&both).1, [expected]);
    let (_, faults) = read(&[("BINDERY_SIGN_KEY_FILE", "/nowhere/key")]);
    assert!(faults[0].starts_with("BINDERY_SIGN_KEY_FILE: /nowhere/key: it can't be read"), "{faults:?}");
    // whose own name ends so is itself
    assert_eq!(read(&[("BINDERY_ALIPAY_KEY_FILE", "/nowhere/key.pem")]), (vec![], vec![]));
}

proptest! {
    /// Whatever is set: what is declared is told by its own rule, and nothing of this program's passes unseen.
    #[test]
    fn nothing_passes_unseen(name in "(BINDERY|LEPTOS|AWS)_[A-Z_]{1,12}", value in "[ -~]{1,8}") {
        let (_, faults) = read(&[(&name, &value)]);
        let is_declared = ALL.iter().any(|one| one.name == name) || name == "BINDERY_SIGN_KEY_FILE";
        let is_ours = !name.starts_with("AWS") && !super::OF_TESTS.contains(&name.as_str());
        prop_assert!(is_declared || faults.len() == usize::from(is_ours));
    }

    /// One slip of the hand is always understood.
    #[test]
    fn one_slip_is_understood(which in 0..ALL.len(), at in 8_usize..14, letter in "[A-Z]") {
        let right = ALL[which].name;
        let mut slipped = right.to_owned();
        slipped.replace_range(at..=at, &letter);
        if slipped != right {
            let meant = super::nearest(&ALL, &slipped);
            prop_assert_eq!(meant.as_deref(), Some(right));
        }
    }
}
