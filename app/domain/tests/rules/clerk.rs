//! Accounts of the back office: who may do what to whom, and that somebody can always manage them.

use domain::clerk::{
    Act, Actor, Refused, Target, Way, may_agree, may_remove_passkey, new_sign_in_name, sign_in_name, way,
};
use domain::staff::Role;
use proptest::prelude::*;

use Role::{Editor, Finance, Owner, Printing, Service};

fn by(roles: &[Role]) -> Actor<'_> {
    Actor::Clerk { roles, is_target: false }
}

fn works(roles: &[Role]) -> Target<'_> {
    Target { roles, works: true, others_manage: 1 }
}

fn ended(roles: &[Role]) -> Target<'_> {
    Target { works: false, ..works(roles) }
}

#[test]
fn who_may_do_what_to_whom() {
    let (alone, both) = (Ok(Way::Alone), Ok(Way::WithAnother));
    let one = |role: Role| match role {
        Service => &[Service][..],
        Printing => &[Printing],
        Finance => &[Finance],
        Editor => &[Editor],
        Owner => &[Owner],
    };
    // nobody but the owner does anything, to anybody
    for roles in [&[][..], &[Service, Printing, Finance, Editor]] {
        for act in
            [Act::Add(&[Editor]), Act::Roles(&[Editor]), Act::End, Act::TakeBack, Act::Reset, Act::EndLogins]
        {
            assert_eq!(way(by(roles), act, works(&[Printing])), Err(Refused::NotAllowed), "{act:?}");
        }
    }
    // roles that handle money need another one, however they are come by
    for (role, wanted) in
        [(Service, both), (Printing, alone), (Finance, both), (Editor, alone), (Owner, both)]
    {
        let roles = one(role);
        assert_eq!(way(by(&[Owner]), Act::Add(roles), works(&[])), wanted, "{role}");
        assert_eq!(way(by(&[Owner]), Act::Roles(roles), works(&[Printing, Editor])), wanted, "{role}");
        assert_eq!(way(by(&[Owner]), Act::Reset, works(roles)), wanted, "{role}");
        assert_eq!(way(by(&[Owner]), Act::TakeBack, ended(roles)), wanted, "{role}");
        // what is taken away does not wait
        assert_eq!(way(by(&[Owner]), Act::End, works(roles)), alone, "{role}");
        assert_eq!(way(by(&[Owner]), Act::EndLogins, works(roles)), alone, "{role}");
        assert_eq!(way(by(&[Owner]), Act::Roles(&[Editor]), works(&[role, Editor])), alone, "{role}");
    }
    // what it had before is not given again
    assert_eq!(way(by(&[Owner]), Act::Roles(&[Finance, Editor]), works(&[Finance])), alone);
    assert_eq!(way(by(&[Owner]), Act::Roles(&[Finance, Service]), works(&[Finance])), both);
    // nobody works without a role, or is ended or taken back twice
    assert_eq!(way(by(&[Owner]), Act::Add(&[]), works(&[])), Err(Refused::NoRole));
    assert_eq!(way(by(&[Owner]), Act::Roles(&[]), works(&[Editor])), Err(Refused::NoRole));
    assert_eq!(way(by(&[Owner]), Act::TakeBack, works(&[Editor])), Err(Refused::Works));
    for act in [Act::Roles(&[Editor]), Act::End, Act::Reset, Act::EndLogins] {
        assert_eq!(way(by(&[Owner]), act, ended(&[Printing])), Err(Refused::Ended), "{act:?}");
    }
}

#[test]
fn nobody_changes_its_own_account_but_its_logins() {
    let own = Actor::Clerk { roles: &[Owner], is_target: true };
    for act in [Act::Roles(&[Owner, Finance]), Act::Roles(&[Editor]), Act::End, Act::Reset] {
        assert_eq!(way(own, act, works(&[Owner])), Err(Refused::Oneself), "{act:?}");
        assert_eq!(may_agree(("lin", own), "wang", act, works(&[Owner])), Err(Refused::Oneself), "{act:?}");
    }
    assert_eq!(way(own, Act::EndLogins, works(&[Owner])), Ok(Way::Alone));
}

#[test]
fn the_last_who_manages_stays_for_everybody_but_the_host() {
    let last = Target { others_manage: 0, ..works(&[Owner]) };
    for act in [Act::End, Act::Reset, Act::Roles(&[Editor])] {
        assert_eq!(way(by(&[Owner]), act, last), Err(Refused::LastManager), "{act:?}");
        assert_eq!(way(Actor::Host, act, last), Ok(Way::Alone), "{act:?}");
    }
    assert_eq!(way(by(&[Owner]), Act::Roles(&[Owner, Editor]), last), Ok(Way::Alone));
    assert_eq!(way(by(&[Owner]), Act::End, Target { others_manage: 0, ..works(&[Finance]) }), Ok(Way::Alone));
    // whoever has the machine waits for nobody, and makes no nonsense either
    assert_eq!(way(Actor::Host, Act::Add(&[Owner]), works(&[])), Ok(Way::Alone));
    assert_eq!(way(Actor::Host, Act::Add(&[]), works(&[])), Err(Refused::NoRole));
}

#[test]
fn whoever_agrees_is_another_one_who_may_manage() {
    let agree = |name, roles: &[Role]| may_agree((name, by(roles)), "lin", Act::Add(&[Finance]), works(&[]));
    assert_eq!(agree("wang", &[Owner]), Ok(()));
    assert_eq!(agree("lin", &[Owner]), Err(Refused::OwnRequest));
    assert_eq!(agree("wang", &[Finance, Service]), Err(Refused::NotAllowed));
}

#[test]
fn names_that_look_alike_are_one() {
    for typed in ["Lin", "ｌｉｎ", " LIN ", "l\u{200b}in", "li\u{ad}n"] {
        assert_eq!(new_sign_in_name(typed).as_deref(), Some("lin"), "{typed:?}");
    }
    assert_eq!(sign_in_name("小林"), "小林");
    for wrong in ["", " ", "a b", "a,b", "a/b", "<lin>", "\u{200b}", &"x".repeat(31)] {
        assert_eq!(new_sign_in_name(wrong), None, "{wrong:?}");
    }
}

#[test]
fn something_is_left_beside_the_password() {
    assert!(may_remove_passkey(true, 1) && may_remove_passkey(false, 2));
    assert!(!may_remove_passkey(false, 1));
}

/// Somebody of a shop: its roles, and whether it works there.
type Clerk = (Vec<Role>, bool);

fn some_roles() -> impl Strategy<Value = Vec<Role>> {
    prop::sample::subsequence(Role::ALL.to_vec(), 0..=5)
}

proptest! {
    /// Whatever clerks try, somebody who can sign in may manage accounts, and nobody comes by a role for money, or into an
    /// account with one, by one person's will.
    #[test]
    fn somebody_always_manages(
        first in prop::collection::vec(some_roles(), 2..5),
        tries in prop::collection::vec((0..5usize, 0..5usize, 0..5usize, some_roles(), prop::option::of(0..5usize)), 1..60),
    ) {
        let mut shop: Vec<Clerk> = first.into_iter().map(|roles| (roles, true)).collect();
        shop[0].0 = vec![Owner];
        for (actor, target, act, roles, second) in tries {
            let (actor, target) = (actor % shop.len(), target % shop.len());
            let before = shop.clone();
            let others_manage = before
                .iter()
                .enumerate()
                .filter(|(at, (roles, works))| *at != target && *works && roles.contains(&Owner))
                .count();
            let act = match act {
                0 => Act::Roles(&roles),
                1 => Act::End,
                2 => Act::TakeBack,
                3 => Act::Reset,
                _ => Act::EndLogins,
            };
            let of = Target { roles: &before[target].0, works: before[target].1, others_manage };
            let as_actor = |who: usize| Actor::Clerk { roles: &before[who].0, is_target: who == target };
            if !before[actor].1 {
                continue;
            }
            let done = match way(as_actor(actor), act, of) {
                Ok(Way::Alone) => {
                    let more = match act {
                        Act::Roles(to) => to.iter().any(|role| role.handles_money() && !of.roles.contains(role)),
                        Act::TakeBack | Act::Reset => of.roles.iter().any(|role| role.handles_money()),
                        _ => false,
                    };
                    prop_assert!(!more, "{act:?}");
                    true
                }
                Ok(Way::WithAnother) => second.map(|who| who % shop.len()).is_some_and(|who| {
                    let name = |who: usize| who.to_string();
                    before[who].1 && may_agree((&name(who), as_actor(who)), &name(actor), act, of).is_ok() && who != actor
                }),
                Err(_) => false,
            };
            if done {
                match act {
                    Act::Roles(to) => shop[target].0 = to.to_vec(),
                    // until the invitation is used it can't sign in
                    Act::End | Act::Reset => shop[target].1 = false,
                    Act::TakeBack => shop[target].1 = true,
                    Act::Add(_) | Act::EndLogins => {}
                }
            }
            prop_assert!(shop.iter().any(|(roles, works)| *works && roles.contains(&Owner)));
            prop_assert!(done || shop == before);
        }
    }
}
