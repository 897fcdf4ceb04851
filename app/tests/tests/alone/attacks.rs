//! What somebody tries who should get nothing: other members' things, other sites' forms, planted sessions, guesses,
//! answers that come too late.

use std::collections::BTreeMap;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::redeem_code::RedeemCode;
use domain::sub_member::Role;
use domain::tier::{Tier, allows};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::policies::{AtDesk, Policy, desk, policies};
use support::fakes::weixin::FakeWeixin;
use support::invoices::{issue, pdf};
use support::publications;
use support::staff::Clerk;
use support::wait::until;
use support::{Caller, PASSWORD, Server, between, day, jpeg, location, on_both_engines};

on_both_engines!(
    a_planted_session_holds_nothing_later;
    on_sqlite:
    cookies_are_for_this_site_and_no_script,
    tokens_are_kept_as_hashes_and_end,
    an_answer_that_comes_too_late_counts_for_nothing,
    every_route_gives_each_caller_what_is_its_own,
    every_route_at_a_desk_is_the_houses_or_shut,
    an_empty_form_says_what_is_missing,
    guessing_many_accounts_from_one_address_gets_slower,
);

/// A line of access.txt.
struct Example {
    method: Method,
    /// With placeholders.
    address: String,
    owner: u16,
    other: u16,
    form: String,
    /// The route that answers it, and who may open that.
    pattern: &'static str,
    policy: Policy,
}

fn examples() -> Vec<Example> {
    let table =
        fs::read_to_string(concat!(env!("BINDERY_CHECKOUT"), "/app/tests/tests/alone/access.txt")).unwrap();
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let example = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[method, address, owner, other, ref form @ ..] = &words[..] else { panic!("{line}") };
        let (pattern, policy) = route(address);
        Example {
            method: method.parse().unwrap(),
            address: address.to_owned(),
            owner: owner.parse().unwrap(),
            other: other.parse().unwrap(),
            form: form.concat(),
            pattern,
            policy,
        }
    };
    lines.map(example).collect()
}

/// The route that answers an address: of those that fit the one with most words of its own.
fn route(address: &str) -> (&'static str, Policy) {
    let path = address.split('?').next().unwrap();
    let fits = |pattern: &str| {
        let mut words = path.split('/');
        for part in pattern.split('/') {
            if part.starts_with("{*") {
                return words.next().is_some_and(|word| !word.is_empty());
            }
            match words.next() {
                Some(word) if word == part || part.starts_with('{') && !word.is_empty() => {}
                _ => return false,
            }
        }
        words.next().is_none()
    };
    let own_words = |pattern: &str| pattern.split('/').filter(|part| !part.starts_with('{')).count();
    let fitting = policies().filter(|(pattern, _)| fits(pattern));
    fitting.max_by_key(|(pattern, _)| own_words(pattern)).unwrap_or_else(|| panic!("no route for {address}"))
}

fn is_call(address: &str) -> bool {
    ["/user-center/", "/shopping/", "/cart/", "/works/", "/uwp/", "/manager/uploads"]
        .iter()
        .any(|base| address.starts_with(base))
        || address.strip_prefix("/g/").is_some_and(|rest| rest.split('/').nth(1) == Some("uploads"))
}

/// The owner's things, by their placeholders.
struct Things(Vec<(&'static str, String)>);

impl Things {
    async fn of(server: &Server, owner: &Caller) -> Self {
        let photos = owner.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
        let work = owner.album("square-210", "我的书", &photos).await;
        let ordered = owner.add_to_cart(&work, "album-210").await;
        let order = owner.order(&ordered).await;
        let invoiced = owner.order(&owner.add_to_cart(&work, "album-210").await).await;
        owner.post("/manager/shopping/pay", &[("order", &invoiced)]).await;
        let fields = [("order", &*invoiced), ("invoice", "issued"), ("title", "new"), ("keep", "Y")];
        let fields = [&fields[..], &[("kind", "personal"), ("name", "我")]].concat();
        owner.post("/manager/invoice/new", &fields).await;
        issue(server, "issued", &pdf("mine"), &[]);
        let title = server.read("select id from invoice_titles").await;
        let line = owner.add_to_cart(&work, "album-210").await;
        let form = owner.order_form(&line).await;
        let field = |wanted: &str| form.iter().find(|(name, _)| name == wanted).unwrap().1.clone();
        let (address, total) = (field("address"), field("total"));
        let face = Part::bytes(jpeg(640, 480, 2)).file_name("我.jpg");
        owner.post_multipart("/manager/userInfo", Form::new().part("avatar", face)).await;
        server.visitor().sign_in("owner@example.com", PASSWORD).await;
        let page = owner.page("/manager/userInfo").await;
        let avatar = between(&page, "/manager/avatar/", "\"");
        let login = between(&page, "/manager/userInfo/logins/", "/removal");
        // nothing is configured here by which a payment could begin
        let payment = "01k0000000000000000000000p".to_owned();
        server
            .sql(&format!(
                "insert into payments (id, member_id, method, amount, request_key, state, created_at, expires_at)
                 select '{payment}', id, 'transfer', 100, 'key', 'pending', 1, 4000000000000 from members
                 where account = 'owner@example.com'"
            ))
            .await;
        let (share, key) = shared(server, owner, &photos).await;
        let (package, batch, sale, purchase) = sold(server, owner, &work).await;
        let (paper, edition) = publications::out(owner, "epaper", "access-paper", "2026-11-20", &[]).await;
        let (magazine, number) =
            publications::out(owner, "magazine", "access-magazine", "2026-11-20", &[]).await;
        let plate = server.read(&format!("select picture_key from issues where id = '{edition}'")).await;
        let cover = server.read(&format!("select picture_key from issues where id = '{number}'")).await;
        let upload = "01k0000000000000000000000u".to_owned();
        server
            .sql(&format!(
                "insert into uploads (id, member_id, file_name, metadata, length, received, state, created_at, expires_at)
                 select '{upload}', id, '二.jpg', '', 100, 0, 'open', 1, 4000000000000 from members
                 where account = 'owner@example.com'"
            ))
            .await;
        let term = "01k0000000000000000000000t".to_owned();
        server
            .sql(&format!(
                "insert into membership_terms (id, member_id, tier, months, step, price, credit, amount, days, basis, state,
                                               created_at)
                 select '{term}', id, '企业高级版', 1, 'begin', 19800, 0, 19800, 0, 0, 'unpaid', 1 from members
                 where account = 'owner@example.com'"
            ))
            .await;
        let (place, invitation) = ("01k0000000000000000000000s", "01k0000000000000000000000i");
        server.member("helper@example.com", "0").await;
        employ(server, place, "owner@example.com", "helper@example.com", "viewer").await;
        server
            .sql(&format!(
                "insert into sub_member_invitations (id, house_id, name, role, created_at, expires_at)
                 select '{invitation}', id, '新人', 'viewer', 1, 4000000000000 from members
                 where account = 'owner@example.com'"
            ))
            .await;
        let (guests, code, sent) = guests_of(server).await;
        let (yearbook, person, own) = yearbook_of(server).await;
        let page = owner.page("/manager/login").await;
        let ask = between(&page, "name=\"ask\" value=\"", "\"");
        let asset = between(&page, "src=\"/assets/", "\"");
        Self(vec![
            ("{photo}", photos[0].clone()),
            ("{upload}", upload),
            ("{work}", work),
            ("{share}", share),
            ("{key}", key),
            ("{line}", line),
            ("{order}", order),
            ("{payment}", payment),
            ("{address}", address),
            ("{total}", total),
            ("{invoice}", "issued".to_owned()),
            ("{title}", title),
            ("{login}", login),
            ("{avatar}", avatar),
            ("{ask}", ask),
            ("{asset}", asset),
            ("{site}", server.base.clone()),
            ("{package}", package),
            ("{batch}", batch),
            ("{sale}", sale),
            ("{purchase}", purchase),
            ("{term}", term),
            ("{place}", place.to_owned()),
            ("{invitation}", invitation.to_owned()),
            ("{paper}", paper),
            ("{edition}", edition),
            ("{plate}", plate),
            ("{magazine}", magazine),
            ("{number}", number),
            ("{cover}", cover),
            ("{guests}", guests),
            ("{code}", code),
            ("{sent}", sent),
            ("{yearbook}", yearbook),
            ("{person}", person),
            ("{own}", own),
        ])
    }

    fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// A collection of the owner's to which somebody sent a photo: its id, its code, and the photo's id.
async fn guests_of(server: &Server) -> (String, String, String) {
    let (id, guest, sent) =
        ("01k0000000000000000000000g", "01k0000000000000000000000h", "01k0000000000000000000000j");
    let code = RedeemCode::of([7; domain::redeem_code::RANDOM]);
    let facts = "{\"format\":\"jpg\",\"width\":640,\"height\":480,\"orientation\":1,\"is_time_named\":false}";
    for sql in [
        format!(
            "insert into guest_collections (id, member_id, code, title, greeting, thanks, asks_wishes, until, most,
                                            most_each, created_at)
             select '{id}', id, '{}', '婚礼', '', '', 1, 4000000000000, 100, 10, 1 from members
             where account = 'owner@example.com'",
            code.plain()
        ),
        format!(
            "insert into guests (id, collection_id, browser, name, wish, created_at)
             values ('{guest}', '{id}', 'x', '小明', '', 1)"
        ),
        format!(
            "insert into guest_photos (id, collection_id, guest_id, member_id, sha256, file_name, bytes, facts, caption,
                                       state, created_at)
             select '{sent}', '{id}', '{guest}', p.member_id, min(p.sha256), '一.jpg', 1, '{facts}', '', 'waiting', 1
             from photos p join members m on m.id = p.member_id where m.account = 'owner@example.com'
             group by p.member_id"
        ),
    ] {
        server.sql(&sql).await;
    }
    (id.to_owned(), code.to_string(), sent.to_owned())
}

/// A year book of the owner's with somebody on its roster: its id, that one's, and the code of that one's link.
async fn yearbook_of(server: &Server) -> (String, String, String) {
    let (id, person) = ("01k0000000000000000000000y", "01k0000000000000000000000z");
    let code = RedeemCode::of([9; domain::redeem_code::RANDOM]);
    for sql in [
        format!(
            "insert into yearbooks (id, member_id, title, author, greeting, until_at, created_at)
             select '{id}', id, '我们的三年', '', '', 4000000000000, 1 from members where account = 'owner@example.com'"
        ),
        format!(
            "insert into yearbook_people (id, yearbook_id, member_id, position, name, group_name, contact, code)
             select '{person}', '{id}', member_id, 1, '张伟', '', '', '{}' from yearbooks where id = '{id}'",
            code.plain()
        ),
    ] {
        server.sql(&sql).await;
    }
    (id.to_owned(), person.to_owned(), code.to_string())
}

/// Puts a member among a house's sub-members; `at_work` lets all its logins work there.
async fn employ(server: &Server, place: &str, house: &str, member: &str, role: &str) {
    server
        .sql(&format!(
            "insert into sub_members (id, house_id, member_id, name, role, joined_at)
             select '{place}', h.id, m.id, '帮手', '{role}', 1 from members h, members m
             where h.account = '{house}' and m.account = '{member}'"
        ))
        .await;
}

/// Somebody who works for a house, at its desk.
async fn at_desk(server: &Server, number: usize, house: &str, role: &str) -> Caller {
    let account = format!("sub-{number}@example.com");
    let caller = server.member(&account, "0").await;
    let place = format!("01k000000000000000000000d{number}");
    employ(server, &place, house, &account, role).await;
    assert_eq!(
        location(&caller.post(&format!("/manager/desk/{place}"), &[]).await),
        "/manager/opus_list/all"
    );
    caller
}

/// A work that the owner shares with everybody, on its shelf and with its note, and the key of its pictures.
async fn shared(server: &Server, owner: &Caller, photos: &[String]) -> (String, String) {
    let work = owner.album("square-210", "给大家看的书", photos).await;
    let answer = owner.share_as(&work, &[("embed_sites", "https://blog.example")]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let key = server.read(&format!("select picture_key from shares where work_id = '{work}'")).await;
    let fields = [("shelf", "a-shelf"), ("title", "我的书架"), ("name", "shanye"), ("public", "1")];
    assert_eq!(owner.post("/manager/book-shelf/new", &fields).await.status(), StatusCode::SEE_OTHER);
    let item = format!("work:{work}");
    owner.post("/manager/book-shelf/a-shelf/items", &[("item", &item)]).await;
    let fields = [("kind", "work"), ("id", &work), ("page", "1"), ("note", "a-note"), ("words", "我的")];
    assert_eq!(owner.post("/manager/book-study/notes", &fields).await.status(), StatusCode::SEE_OTHER);
    (work, key)
}

/// What the owner sells and is about to buy: a package that is no longer sold, a batch of codes, a sale, and one of another's.
async fn sold(server: &Server, owner: &Caller, work: &str) -> (String, String, String, String) {
    let other = server.member_of("seller@example.com", "100", "超级会员").await;
    let photos = other.upload(vec![("二.jpg", jpeg(640, 480, 3))]).await;
    let others = other.album("square-210", "别人的书", &photos).await;
    for (seller, package, work) in [(owner, "mine", work), (&other, "others", &others)] {
        let content = format!("work:{work}");
        let fields = [("package", package), ("title", "一套书"), ("unit", "days"), ("count", "30")];
        let fields = [&fields[..], &[("price", "30"), ("content", &content)]].concat();
        assert_eq!(seller.post("/manager/epaper_sell/new", &fields).await.status(), StatusCode::SEE_OTHER);
    }
    let fields = [("batch", "codes"), ("package", "mine"), ("codes", "2"), ("expires", "2099-12-31")];
    assert_eq!(owner.post("/manager/epaper_code/new", &fields).await.status(), StatusCode::SEE_OTHER);
    let until = day(300);
    let fields = [("licence", "seats"), ("package", "mine"), ("name", "三年级二班"), ("seats", "2")];
    let fields = [&fields[..], &[("until", &until), ("has_code", "Y")]].concat();
    assert_eq!(owner.post("/manager/epaper_licence/new", &fields).await.status(), StatusCode::SEE_OTHER);
    let begun = |place: String| place.strip_prefix("/manager/purchase/").unwrap().to_owned();
    let sale = begun(location(&other.post("/manager/package/mine", &[]).await));
    other.post(&format!("/manager/purchase/{sale}"), &[]).await;
    owner.post("/manager/epaper_sell/mine/end", &[]).await;
    let purchase = begun(location(&owner.post("/manager/package/others", &[]).await));
    ("mine".to_owned(), "codes".to_owned(), sale, purchase)
}

/// Everything that a backup keeps, by table.
fn kept(server: &Server) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("kept");
    let output = server.run(&["backup", target.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tables = fs::read_dir(target.join("tables")).unwrap().map(|table| table.unwrap().path());
    tables
        .map(|table| {
            let text = fs::read_to_string(&table).unwrap();
            // PostgreSQL moves a row that an update only locked
            let mut rows: Vec<&str> = text.lines().collect();
            rows.sort_unstable();
            (table.file_name().unwrap().display().to_string(), rows.join("\n"))
        })
        .collect()
}

/// Until no job is left that would change rows by itself.
async fn at_rest(server: &Server) {
    let due = "select id from jobs where run_at <= created_at";
    until("no job is due", async || server.column(due).await.is_empty()).await;
}

async fn every_route_gives_each_caller_what_is_its_own(server: Server) {
    let examples = examples();
    // everything is open to this tier but what only others have
    let owner = server.member_of("owner@example.com", "5000", "超级会员").await;
    let things = Things::of(&server, &owner).await;
    let ask = |caller: &Caller, example: &Example, origin: Option<&'static str>| {
        let (caller, method) = (caller.clone(), example.method.clone());
        let (address, form) = (things.fill(&example.address), things.fill(&example.form));
        async move { caller.ask(method, &address, form, origin).await }
    };
    let mut wrong = Vec::new();
    let clerk = Clerk::sign_in(&server, "clerk", &["站长"]).await.caller;

    // every route, and every method that it takes, stands in the table
    for (pattern, policy) in policies() {
        let Some(example) = examples.iter().find(|example| example.pattern == pattern) else {
            wrong.push(format!("{pattern} has no line in access.txt"));
            continue;
        };
        let address = things.fill(&example.address);
        let is_office = matches!(policy, Policy::Staff | Policy::StaffAny);
        let caller = if is_office { &clerk } else { &owner };
        let answer = caller.ask(Method::PUT, &address, String::new(), None).await;
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "PUT {address}");
        let allowed = answer.headers()["allow"].to_str().unwrap().to_owned();
        for method in allowed.split(',').filter(|method| *method != "HEAD") {
            let known = |line: &Example| line.method == method && line.pattern == pattern;
            if !examples.iter().any(known) {
                wrong.push(format!("{method} {pattern} has no line in access.txt"));
            }
        }
    }

    let mut callers = vec![("nobody".to_owned(), server.visitor(), None)];
    for tier in Tier::ALL {
        let account = format!("other-{}@example.com", callers.len());
        let caller = server.member_of(&account, "0", tier.name()).await;
        callers.push((tier.to_string(), caller, Some(tier)));
    }
    at_rest(&server).await;
    let before = kept(&server);
    // another site's page sends the owner's browser with what would be right
    for origin in ["https://evil.example", "null"] {
        for example in examples.iter().filter(|example| !example.method.is_safe()) {
            let answer = ask(&owner, example, Some(origin)).await;
            if answer.status() != StatusCode::FORBIDDEN {
                let (method, address) = (&example.method, &example.address);
                wrong.push(format!("from {origin}: {method} {address}: {}", answer.status()));
            }
        }
    }
    for (name, caller, tier) in &callers {
        // what no tier has of its own is asked for by one of them
        let is_asked = |example: &&Example| {
            tier.is_none_or(|tier| tier == Tier::Enterprise) || matches!(example.policy, Policy::Needs(_))
        };
        for example in examples.iter().filter(is_asked) {
            let answer = ask(caller, example, None).await;
            let right = match (example.policy, tier) {
                // what a tier does not open is shut whatever it is
                (Policy::Needs(feature), Some(tier)) if !allows(*tier, feature) => {
                    answer.status() == StatusCode::FORBIDDEN
                }
                // no member is anybody in the back office
                (Policy::Staff | Policy::StaffAny, _) => {
                    answer.status() == example.other && location(&answer).starts_with("/staff/login")
                }
                (Policy::Everybody | Policy::Public, _) | (_, Some(_)) => answer.status() == example.other,
                (_, None) => is_shut_out(&answer, example, &things),
            };
            if !right {
                let to = answer.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
                wrong.push(format!(
                    "{name}: {} {}: {} {to:?}",
                    example.method,
                    example.address,
                    answer.status()
                ));
            }
        }
    }
    at_rest(&server).await;
    let after = kept(&server);
    for (table, rows) in &before {
        if after[table] != *rows {
            wrong.push(format!("{table} was changed:\n{rows}\n{}", after[table]));
        }
    }

    for example in &examples {
        let answer = ask(&owner, example, None).await;
        if answer.status() != example.owner {
            wrong.push(format!("owner: {} {}: {}", example.method, example.address, answer.status()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whoever sends a form with nothing in it is told so: 422, or what is done where nothing has to be said. Calls are no forms.
async fn an_empty_form_says_what_is_missing(server: Server) {
    let owner = server.member_of("owner@example.com", "5000", "超级会员").await;
    let things = Things::of(&server, &owner).await;
    let clerk = Clerk::sign_in(&server, "clerk", &["站长"]).await.caller;
    // what signs out, and what nobody fills in
    let beside = ["/staff/logout", "/manager/logout", "/notify/"];
    let mut wrong = Vec::new();
    for example in examples() {
        let is_form = example.method == Method::POST && !is_call(&example.address);
        if !is_form || beside.iter().any(|beside| example.address.starts_with(beside)) {
            continue;
        }
        let address = things.fill(&example.address);
        let caller = if address.starts_with("/staff") { &clerk } else { &owner };
        let plain = caller.post(&address, &[]).await.status();
        let in_parts = caller.post_multipart(&address, Form::new()).await.status();
        let may_be = [
            // a file, or a part of a page
            StatusCode::OK,
            StatusCode::SEE_OTHER,
            StatusCode::NO_CONTENT,
            StatusCode::UNPROCESSABLE_ENTITY,
            // what is not there, shut, over or not in the state for it needs no form to say so
            StatusCode::NOT_FOUND,
            StatusCode::FORBIDDEN,
            StatusCode::CONFLICT,
            StatusCode::GONE,
        ];
        if !may_be.contains(&plain) || in_parts.is_server_error() {
            wrong.push(format!("POST {address}: {plain}, in parts {in_parts}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// At a house's desk a route is the house's as far as the role goes, or shut; and nothing of it is another house's.
async fn every_route_at_a_desk_is_the_houses_or_shut(server: Server) {
    let examples = examples();
    let owner = server.member_of("owner@example.com", "5000", "超级会员").await;
    let things = Things::of(&server, &owner).await;
    server.member_of("house@example.com", "0", "VIP").await;
    let viewer = at_desk(&server, 1, "owner@example.com", "viewer").await;
    let editor = at_desk(&server, 2, "owner@example.com", "editor").await;
    let others = at_desk(&server, 3, "house@example.com", "editor").await;
    at_rest(&server).await;
    let before = kept(&server);
    let mut wrong = Vec::new();
    // the editor last: what it changes stays
    for (name, caller, role) in [
        ("viewer", viewer, Some(Role::Viewer)),
        ("another house's editor", others, None),
        ("editor", editor, Some(Role::Editor)),
    ] {
        if role == Some(Role::Editor) {
            at_rest(&server).await;
            let after = kept(&server);
            let changed = before.iter().filter(|(table, rows)| after[*table] != **rows);
            wrong.extend(changed.map(|(table, _)| format!("{table} was changed")));
        }
        for example in &examples {
            let Example { pattern, policy, .. } = *example;
            if pattern == "/manager/desk/end"
                || pattern == "/manager/logout"
                || pattern == "/uwp/web/doLoginout.jsp"
            {
                continue;
            }
            let (address, form) = (things.fill(&example.address), things.fill(&example.form));
            let answer = caller.ask(example.method.clone(), &address, form, None).await;
            let status = answer.status().as_u16();
            let place = desk(pattern);
            let expected = match (place, role) {
                _ if matches!(policy, Policy::Everybody | Policy::Public) => continue,
                _ if matches!(policy, Policy::Staff | Policy::StaffAny) => continue,
                (Some(AtDesk::Own), _) => example.other,
                (Some(AtDesk::House(least)), Some(role)) => {
                    let needed = if example.method.is_safe() { least } else { Role::Editor };
                    if role >= needed { example.owner } else { 403 }
                }
                (Some(AtDesk::House(_)), None) => example.other,
                (None, _) => 403,
            };
            if status != expected {
                wrong.push(format!("{name}: {} {address}: {status}, not {expected}", example.method));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the specification gives a signed-out caller (section 2, "Access"; 401 for calls).
fn is_shut_out(answer: &Response, example: &Example, things: &Things) -> bool {
    if is_call(&example.address) {
        return answer.status() == StatusCode::UNAUTHORIZED;
    }
    if answer.status() != StatusCode::SEE_OTHER {
        return false;
    }
    let place = location(answer);
    if example.method == Method::POST {
        return place.starts_with("/manager/login/");
    }
    let path = things.fill(&example.address);
    let encoded = base64::engine::general_purpose::STANDARD.encode(path).replace('/', "%2F");
    place == format!("/manager/login/{encoded}")
}

/// The pair `name=value` that an answer sets.
fn cookie(answer: &Response, name: &str) -> Option<String> {
    let cookies = answer.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let mut pairs = cookies.map(|cookie| cookie.split(';').next().unwrap());
    pairs.find(|pair| pair.starts_with(&format!("{name}="))).map(str::to_owned)
}

async fn a_planted_session_holds_nothing_later(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    server.member("reader@example.com", "0").await;
    let back = |state: &str, code: &str| format!("/manager/login_weixin?code={code}&state={state}");
    let word = |answer: &Response| between(&location(answer), "&state=", "#");
    // a session that a thief owns: a weixin of the thief's waits in it
    let thief = server.visitor();
    let leaving = thief.post("/manager/login", &[("way", "weixin")]).await;
    let answer = thief.get(&back(&word(&leaving), &fake.agree("o-thief"))).await;
    let planted = cookie(&answer, "bindery").unwrap();
    // somebody whose browser was given that session comes back from weixin
    let leaving = server.visitor().post("/manager/login", &[("way", "weixin")]).await;
    let both = format!("{planted}; {}", cookie(&leaving, "bindery_weixin").unwrap());
    let code = fake.agree_as("o-anna", None, "安娜的微信");
    let answer = server.visitor().get_with(&back(&word(&leaving), &code), &[("cookie", &both)]).await;
    let renewed = cookie(&answer, "bindery").unwrap();
    assert_ne!(planted, renewed);
    let binding = location(&answer);
    let page = server.visitor().get_with(&binding, &[("cookie", &renewed)]).await.text().await.unwrap();
    assert!(page.contains("安娜的微信"));
    let page = server.visitor().get_with(&binding, &[("cookie", &planted)]).await.text().await.unwrap();
    assert!(!page.contains("安娜的微信"), "the thief's session got the weixin");
    // the password renews it once more
    let fields = [("way", "binding"), ("account", "reader@example.com"), ("password", PASSWORD)];
    let answer = server.visitor().post_with_cookie(&binding, &renewed, &fields).await;
    let signed_in = cookie(&answer, "bindery").unwrap();
    for (session, status) in [
        (planted, StatusCode::SEE_OTHER),
        (renewed, StatusCode::SEE_OTHER),
        (signed_in, StatusCode::OK),
        ("bindery=AAAAAAAAAAAAAAAAAAAAAA".to_owned(), StatusCode::SEE_OTHER),
    ] {
        let answer = server.visitor().get_with("/manager/order", &[("cookie", &session)]).await;
        assert_eq!(answer.status(), status, "{session}");
    }
}

async fn cookies_are_for_this_site_and_no_script(mut server: Server) {
    FakeWeixin::configured(&mut server).await;
    server.kill();
    server.set("BINDERY_SECURE_COOKIES", "1");
    server.restart();
    let added = server.run(&["member", "add", "--account", "reader@example.com", "--password", PASSWORD]);
    assert!(added.status.success());
    let visitor = server.visitor();
    let mut names = Vec::new();
    for answer in [
        visitor.get("/manager/login").await,
        visitor.post("/manager/login", &[("way", "weixin")]).await,
        visitor.sign_in("reader@example.com", PASSWORD).await,
    ] {
        for cookie in answer.headers().get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            for flag in ["; HttpOnly", "; SameSite=Lax", "; Secure"] {
                assert!(cookie.contains(flag), "{cookie}");
            }
            assert!(cookie.contains("; Path=/;") && !cookie.contains("Domain="), "{cookie}");
            names.push(cookie.split('=').next().unwrap().to_owned());
        }
    }
    assert_eq!(
        names,
        [
            "__Host-bindery_qr",
            "__Host-bindery_styles",
            "__Host-bindery_weixin",
            "__Host-bindery",
            "__Host-bindery_known"
        ]
    );
}

async fn tokens_are_kept_as_hashes_and_end(server: Server) {
    server.member("reader@example.com", "0").await;
    let fields = [("account", "reader@example.com"), ("password", PASSWORD)];
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let answer = server.visitor().post("/user-center/login", &fields).await.text().await.unwrap();
        tokens.push(between(&answer, "\"token\":\"", "\""));
    }
    let hash = |token: &str| Sha256::digest(token).iter().map(|b| format!("{b:02x}")).collect::<String>();
    let stored = server.column("select token_hash from logins where token_hash is not null").await;
    assert_eq!(stored.len(), 2);
    assert!(tokens.iter().all(|token| stored.contains(&hash(token)) && token.len() >= 43));
    // what the database holds opens nothing
    let program = server.visitor();
    let logins = server.column("select id from logins").await;
    for wrong in stored.iter().chain(&logins) {
        let answer = program.call("GET", "/cart/cartList", wrong, &[]).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        let answer = program.get_with("/cart/cartList", &[("cookie", &format!("bindery={wrong}"))]).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    }
    // one that ends leaves the other
    program.call("POST", "/uwp/web/doLoginout.jsp", &tokens[0], &[]).await;
    for (token, status) in [(&tokens[0], StatusCode::UNAUTHORIZED), (&tokens[1], StatusCode::OK)] {
        assert_eq!(program.call("GET", "/cart/cartList", token, &[]).await.status(), status);
    }
}

async fn guessing_many_accounts_from_one_address_gets_slower(server: Server) {
    server.member("reader@example.com", "0").await;
    let mut refused = None;
    for number in 0..40 {
        let account = format!("guess-{number}@example.com");
        let answer = if number % 2 == 0 {
            server.visitor().sign_in(&account, "a guess").await
        } else {
            let fields = [("account", account.as_str()), ("password", "a guess")];
            server.visitor().post("/user-center/login", &fields).await
        };
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(number);
            break;
        }
    }
    assert_eq!(refused, Some(30), "pages and calls count together");
    // pretending to come from elsewhere does not help
    let elsewhere =
        [("x-forwarded-for", "203.0.113.9"), ("content-type", "application/x-www-form-urlencoded")];
    let answer =
        server.visitor().post_with_headers("/manager/login", &elsewhere, "account=a%40b.cn&password=x").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
}

/// What a browser asks, and the secret by which it is known.
async fn asked(browser: &Caller) -> (String, String) {
    let answer = browser.get("/manager/login").await;
    let secret = cookie(&answer, "bindery_qr").unwrap().replace("bindery_qr=", "");
    (between(&answer.text().await.unwrap(), "name=\"ask\" value=\"", "\""), secret)
}

/// The same question, asked earlier: as the program signs it for the browser with this secret. And its nonce.
async fn earlier(server: &Server, (ask, secret): &(String, String), by_ms: i64) -> (String, String) {
    let key = server.column("select value from secrets where name = 'signing'").await.remove(0);
    let mut bytes = URL_SAFE_NO_PAD.decode(ask).unwrap();
    bytes.truncate(bytes.len() - 16);
    let salt = u64::from_be_bytes(bytes[16..24].try_into().unwrap());
    let expires_at = i64::from_be_bytes(bytes[24..32].try_into().unwrap()) - by_ms;
    bytes[..16].copy_from_slice(&Sha256::digest(format!("{secret} {expires_at} {salt}"))[..16]);
    bytes[24..32].copy_from_slice(&expires_at.to_be_bytes());
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(b"qr login\0");
    mac.update(&bytes);
    let nonce = URL_SAFE_NO_PAD.encode(&bytes[..16]);
    bytes.extend(&mac.finalize().into_bytes()[..16]);
    (URL_SAFE_NO_PAD.encode(bytes), nonce)
}

async fn an_answer_that_comes_too_late_counts_for_nothing(server: Server) {
    let phone = server.member("reader@example.com", "0").await;
    let browser = server.visitor();
    let question = asked(&browser).await;
    let (same, _) = earlier(&server, &question, 0).await;
    assert_eq!(same, question.0, "the test signs as the program does");
    // a phone that confirms when the code is over
    let (late, _) = earlier(&server, &question, 61_000).await;
    let scan = format!("/manager/scan/{late}");
    assert!(phone.page(&scan).await.contains("二维码已过期"));
    phone.post(&scan, &[("answer", "confirm")]).await;
    assert!(server.column("select state from qr_answers").await.is_empty(), "nothing is kept of it");
    // a browser that uses a confirmation half a minute after the code, or later
    let member = server.column("select id from members").await.remove(0);
    for (by_ms, counts) in [(92_000, false), (3_600_000, false), (80_000, true)] {
        let (ask, nonce) = earlier(&server, &question, by_ms).await;
        let confirm = format!(
            "insert into qr_answers (nonce, member_id, state, answered_at)
             values ('{nonce}', '{member}', 'confirmed', 4000000000000) returning nonce"
        );
        server.column(&confirm).await;
        let answer = browser.post("/manager/login", &[("way", "qr"), ("ask", &ask)]).await;
        assert_eq!(answer.status() == StatusCode::SEE_OTHER, counts, "{by_ms}");
        assert_eq!(browser.get("/cart/cartList").await.status() == StatusCode::OK, counts, "{by_ms}");
    }
    // used, it is worth nothing after signing out
    let (ask, _) = earlier(&server, &question, 80_000).await;
    browser.post("/manager/logout", &[]).await;
    let answer = browser.post("/manager/login", &[("way", "qr"), ("ask", &ask)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
}
