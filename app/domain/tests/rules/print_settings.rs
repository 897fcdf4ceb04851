//! Who says what print files follow: goods before suppliers, and those before the house.

use crate::common::small_goods;
use domain::goods::{Goods, Problem};
use domain::print_settings::{PrintSettings, PrintStandard};

fn settings(standard: Option<PrintStandard>, profile: Option<&str>, total_ink: Option<u32>) -> PrintSettings {
    PrintSettings { standard, profile: profile.map(str::to_owned), total_ink, spots: None }
}

#[test]
fn what_is_said_first_counts_each_for_itself() {
    let all = [None, Some(1), Some(2)];
    let standard = |which: Option<u32>| {
        which.map(|which| if which == 1 { PrintStandard::X4 } else { PrintStandard::X1a })
    };
    let profile = |which: Option<u32>| which.map(|which| if which == 1 { "甲" } else { "乙" });
    for goods in all {
        for supplier in all {
            let above = settings(standard(goods), profile(goods), goods.map(|ink| 200 + ink));
            let below = settings(standard(supplier), profile(supplier), supplier.map(|ink| 200 + ink));
            let counts = goods.or(supplier);
            let expected = settings(standard(counts), profile(counts), counts.map(|ink| 200 + ink));
            assert_eq!(above.over(&below), expected, "{goods:?} over {supplier:?}");
        }
    }
    // one of them leaves the others to whoever comes next
    let goods = settings(Some(PrintStandard::X1a), None, None);
    let supplier = settings(Some(PrintStandard::X4), Some("甲"), Some(280));
    assert_eq!(goods.over(&supplier), settings(Some(PrintStandard::X1a), Some("甲"), Some(280)));
}

#[test]
fn a_profile_says_how_much_ink_its_press_lays() {
    for (said, problem) in [
        (settings(None, None, None), None),
        (settings(Some(PrintStandard::X1a), None, Some(150)), None),
        (settings(None, Some("甲"), Some(400)), None),
        (settings(None, Some("甲"), None), Some("total_ink")),
        (settings(None, Some(" "), Some(300)), Some("profile")),
        (settings(None, None, Some(149)), Some("150 到 400")),
        (settings(None, None, Some(401)), Some("150 到 400")),
    ] {
        let found = said.problem();
        assert_eq!(found.is_some(), problem.is_some(), "{said:?}: {found:?}");
        if let (Some(found), Some(problem)) = (found, problem) {
            assert!(found.contains(problem), "{found}");
        }
    }
}

#[test]
fn spot_colours_are_named_once_and_are_no_plates_that_there_are() {
    let spots = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    for (names, problem) in [
        (&["PANTONE 185 C", "金色"][..], None),
        (&[], None),
        (&["A", "B", "C", "D", "E", "F", "G"], Some("至多 6 个")),
        (&["PANTONE 185 C", "PANTONE 185 C"], Some("“PANTONE 185 C”写了两次")),
        (&["Magenta"], Some("“Magenta”")),
        (&["All"], Some("“All”")),
        (&["烫金"], Some("“烫金”")),
        (&[""], Some("不能为空")),
        (&["PANTONE "], Some("空格")),
    ] {
        let said = PrintSettings { spots: spots(names), ..PrintSettings::default() };
        let found = said.problem();
        assert!(
            found.as_deref().map(|found| problem.is_some_and(|problem| found.contains(problem)))
                == problem.map(|_| true),
            "{names:?}: {found:?}"
        );
    }
    let strict =
        PrintSettings { spots: spots(&["金色"]), ..settings(Some(PrintStandard::X1a), None, None) };
    assert!(strict.problem().is_some_and(|problem| problem.contains("pdfx-1a")));
    // goods may say that they print none, whatever their supplier does
    let below = PrintSettings { spots: spots(&["金色"]), ..PrintSettings::default() };
    let none = PrintSettings { spots: spots(&[]), ..PrintSettings::default() };
    assert_eq!((none.over(&below).spots, below.over(&none).spots), (spots(&[]), spots(&["金色"])));
    assert_eq!(PrintSettings::default().over(&below).spots, spots(&["金色"]));
}

#[test]
fn goods_files_say_it_and_what_can_not_be_is_told() {
    let mut goods = small_goods();
    goods.supplier = Some("城西一厂".to_owned());
    goods.print = settings(Some(PrintStandard::X1a), Some("胶版纸"), Some(280));
    assert_eq!(goods.validate(), Ok(()));
    let text = toml::to_string(&goods).expect("TOML");
    assert!(text.contains("standard = \"pdfx-1a\"") && text.contains("supplier = \"城西一厂\""), "{text}");
    assert_eq!(toml::from_str::<Goods>(&text).expect("TOML"), goods);
    let other = text.replace("pdfx-1a", "pdfx-3");
    assert!(toml::from_str::<Goods>(&other).expect_err("no such standard").message().contains("pdfx-3"));
    goods.supplier = Some("  ".to_owned());
    goods.print.total_ink = None;
    let found = goods.validate().expect_err("problems");
    assert!(matches!(&found[..], [Problem::Print(_), Problem::NoSupplierName]), "{found:?}");
    // what was written before there were such settings has none, and says none
    let plain = toml::to_string(&small_goods()).expect("TOML");
    assert!(!plain.contains("supplier") && !plain.contains("[print]"), "{plain}");
}
