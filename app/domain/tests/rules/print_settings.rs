//! Who says what print files follow: goods before suppliers, and those before the house.

use crate::common::small_goods;
use domain::goods::{Goods, Problem};
use domain::print_settings::{PrintSettings, PrintStandard};

fn settings(standard: Option<PrintStandard>, profile: Option<&str>, total_ink: Option<u32>) -> PrintSettings {
    PrintSettings { standard, profile: profile.map(str::to_owned), total_ink }
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
