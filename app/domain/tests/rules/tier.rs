//! Specification section 6, row by row.

use domain::tier::{Feature, Tier, allows};

#[test]
fn features_open_for_the_tiers_of_the_specification() {
    for (feature, basic, vip, super_member, enterprise) in [
        (Feature::SubMembers, false, true, true, true),
        (Feature::Statistics, false, true, true, true),
        (Feature::Ebook, false, false, true, false),
        (Feature::EpaperSubscription, false, false, true, false),
        (Feature::OnlineEditor, true, true, true, true),
    ] {
        let allowed = Tier::ALL.map(|tier| allows(tier, feature));
        assert_eq!(allowed, [basic, vip, super_member, enterprise], "{feature:?}");
        assert!(!feature.opened_by().is_empty());
    }
    assert_eq!(Feature::all().count(), 5);
}

#[test]
fn tiers_go_by_their_names() {
    for (tier, name) in Tier::ALL.into_iter().zip(["普通会员", "VIP", "超级会员", "企业高级版"])
    {
        assert_eq!(tier.to_string(), name);
        assert_eq!(name.parse(), Ok(tier));
        assert_eq!(serde_json::to_string(&tier).expect("JSON"), format!("\"{name}\""));
    }
    assert!("vip".parse::<Tier>().is_err() && "".parse::<Tier>().is_err());
    assert_eq!(Tier::default(), Tier::Basic);
}

#[test]
fn a_higher_tier_never_keeps_fewer_photos() {
    assert!(Tier::ALL.map(Tier::photo_quota).is_sorted());
    // One photo may have 100 MB: the lowest tier must hold more than a few.
    assert!(Tier::Basic.photo_quota() >= 1 << 30);
}
