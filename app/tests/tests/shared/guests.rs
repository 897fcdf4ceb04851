//! /manager/guests and /g/{code}: guests without an account send photos, and their owner makes a book of them.

use futures::future::join_all;
use reqwest::StatusCode;
use reqwest::multipart::Form;

use support::collections::{collection, fields, guest, own_photos, waiting, words};
use support::editor::json_of;
use support::wait::{carried_out, eventually};
use support::{Caller, PASSWORD, Server, between, between_all, day, jpeg, location, on_both_engines};

on_both_engines!(
    a_guests_photos_come_into_the_library_and_into_a_book,
    two_guests_of_one_name_are_two,
    sixteen_uploads_at_once_take_the_last_place_once,
    what_guests_sent_takes_room_until_it_goes;
    on_sqlite:
    every_refusal_is_said_and_what_had_arrived_stays,
    what_is_no_photo_is_refused_and_the_others_are_taken,
    what_was_not_wanted_goes_after_thirty_days,
    one_photo_of_two_guests_leaves_the_library_with_the_last,
    a_collection_is_made_once_changed_and_ended,
    a_closed_account_leaves_nothing_of_its_guests,
    a_large_collection_has_pages,
);

async fn send(guest: &Caller, address: &str, name: &str, photos: Vec<(&str, Vec<u8>)>) {
    let sent = photos.len();
    let answer = guest.post_multipart(address, words(name, "", photos)).await;
    assert_eq!(location(&answer), format!("{address}?sent={sent}#sent"));
}

async fn a_guests_photos_come_into_the_library_and_into_a_book(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let guest = guest(&server, &address).await;
    let page = guest.page(&address).await;
    assert!(page.contains("谢谢您来！") && page.contains("noindex") && !page.contains("送您一本"), "{page}");
    let photos = vec![
        ("一.jpg", jpeg(1600, 1200, 1)),
        ("二.jpg", jpeg(1600, 1200, 2)),
        ("三.jpg", jpeg(900, 1200, 3)),
    ];
    let answer =
        guest.post_multipart(&address, words("表姐", "百年好合，\n早生贵子。", photos.clone())).await;
    assert_eq!(location(&answer), format!("{address}?sent=3#sent"));
    // the line broke before the answer came: the same again is the same
    let again = guest.post_multipart(&address, words("表姐", "百年好合，\n早生贵子。", photos)).await;
    assert_eq!(location(&again), format!("{address}?sent=0#sent"));
    let page = guest.page(&address).await;
    assert!(page.contains("您发来的 3 张") && page.contains("送您一本"), "{page}");
    let [third, second, first] = own_photos(&guest, &address).await.try_into().unwrap();
    let captions = [(&*format!("caption-{first}"), "切蛋糕"), (&*format!("caption-{third}"), "")];
    assert_eq!(
        location(&guest.post(&format!("{address}/sent"), &captions).await),
        format!("{address}?done=saved#sent")
    );
    assert!(guest.page(&address).await.contains("value=\"切蛋糕\""));
    assert_eq!(guest.get(&format!("{address}/photo/{first}")).await.headers()["content-type"], "image/webp");
    // it is not in the library before it was accepted, but its owner sees it with who sent it
    assert!(owner.library().await.is_empty());
    let page = owner.page(&own).await;
    for said in ["表姐", "切蛋糕", "百年好合，", "1 位来宾发来 3 张"] {
        assert!(page.contains(said), "no {said} in {page}");
    }
    assert_eq!(owner.get(&format!("{own}/photo/{first}/1280")).await.status(), StatusCode::OK);
    let chosen = [("photo", &*first), ("photo", &*second), ("act", "accept")];
    assert_eq!(location(&owner.post(&own, &chosen).await), format!("{own}?show=waiting&accepted=2"));
    let library = owner.library().await;
    assert_eq!(library.len(), 2);
    // what was accepted is its owner's: the guest can't take it back, nor write below it
    guest.post(&format!("{address}/sent"), &[("back", &first), (&format!("caption-{first}"), "别的")]).await;
    let page = guest.page(&address).await;
    assert_eq!(page.matches("已收下").count(), 2, "{page}");
    assert!(page.contains("切蛋糕") && !page.contains("别的"), "{page}");
    guest.post(&format!("{address}/sent"), &[("back", &third)]).await;
    assert!(guest.page(&address).await.contains("您发来的 2 张"));
    assert!(waiting(&owner, &own).await.is_empty());
    // the desk has them chosen, and the book says whose they are
    let id = own.rsplit_once('/').unwrap().1.to_owned();
    assert!(
        owner
            .page(&format!("{own}?show=accepted"))
            .await
            .contains(&format!("/manager/make_ebook?guests={id}"))
    );
    let desk = owner.page(&format!("/manager/make_ebook?guests={id}")).await;
    assert!(desk.contains("已选 2 张") && desk.contains("来宾照片：小雨和老王的婚礼"), "{desk}");
    let made = Form::new()
        .text("format", "square-210")
        .text("theme", "calm")
        .text("title", "婚礼")
        .text("guests", id.clone())
        .text("guest_words", "1")
        .text("guest_book", "1")
        .text("photo", library[0].clone())
        .text("photo", library[1].clone());
    let work = location(&owner.post_multipart("/manager/make_ebook", made).await);
    let work = work.rsplit_once('/').unwrap().1.to_owned();
    let document = json_of(owner.get(&format!("/works/document?workID={work}")).await).await;
    let text = document.to_string();
    for said in ["切蛋糕（表姐）", "来宾留言", "早生贵子。\\n—— 表姐", "书里的照片来自\\n表姐"]
    {
        assert!(text.contains(said), "no {said} in {text}");
    }
    // another member has no collection of this name, and its desk chooses nothing of it
    let other = server.member("other@example.com", "0").await;
    assert!(!other.page(&format!("/manager/make_ebook?guests={id}")).await.contains("来宾照片：小雨"));
    assert_eq!(other.get(&own).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(other.get(&format!("{own}/photo/{first}/320")).await.status(), StatusCode::NOT_FOUND);
}

async fn two_guests_of_one_name_are_two(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let (one, other) = (guest(&server, &address).await, guest(&server, &address).await);
    let shared = jpeg(300, 200, 1);
    send(&one, &address, "小明", vec![("甲.jpg", shared.clone()), ("乙.jpg", jpeg(300, 200, 2))]).await;
    send(&other, &address, "小明", vec![("丙.jpg", jpeg(300, 200, 3)), ("甲.jpg", shared)]).await;
    let (ones, others) = (own_photos(&one, &address).await, own_photos(&other, &address).await);
    assert!(ones.len() == 2 && others.len() == 2 && !ones.iter().any(|id| others.contains(id)));
    // neither sees, writes below nor takes back what is the other's; nor does anybody else
    for stranger in [&other, &server.visitor(), &owner] {
        assert_eq!(
            stranger.get(&format!("{address}/photo/{}", ones[0])).await.status(),
            StatusCode::NOT_FOUND
        );
    }
    other
        .post(
            &format!("{address}/sent"),
            &[("back", &ones[0]), (&format!("caption-{}", ones[1]), "别人写的")],
        )
        .await;
    assert_eq!(own_photos(&one, &address).await, ones);
    let page = owner.page(&own).await;
    assert!(!page.contains("别人写的") && page.matches("<h2>小明</h2>").count() == 2, "{page}");
    // a cookie that somebody made up is nobody's
    let forged = server.visitor();
    let made_up = format!("bindery_guest={}.{}", "0".repeat(32), "0".repeat(32));
    let page = forged.get_with(&address, &[("cookie", &made_up)]).await;
    assert!(
        page.headers()
            .get_all("set-cookie")
            .iter()
            .any(|set| set.to_str().unwrap().starts_with("bindery_guest="))
    );
}

async fn sixteen_uploads_at_once_take_the_last_place_once(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[("most_each", "3"), ("most", "100")]).await;
    let guest = guest(&server, &address).await;
    send(&guest, &address, "小明", vec![("1.jpg", jpeg(300, 200, 1)), ("2.jpg", jpeg(300, 200, 2))]).await;
    let photos: Vec<Vec<u8>> = (0..16).map(|number| jpeg(320 + 8 * number, 200, 3)).collect();
    let all = photos
        .into_iter()
        .map(|photo| guest.post_multipart(&address, words("小明", "", vec![("x.jpg", photo)])));
    let answers: Vec<StatusCode> = join_all(all).await.iter().map(reqwest::Response::status).collect();
    assert_eq!(answers.iter().filter(|status| **status == StatusCode::SEE_OTHER).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == StatusCode::UNPROCESSABLE_ENTITY).count(), 15);
    assert_eq!(waiting(&owner, &own).await.len(), 3);
}

async fn what_guests_sent_takes_room_until_it_goes(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let guest = guest(&server, &address).await;
    let first = jpeg(300, 200, 1);
    send(&guest, &address, "小明", vec![("1.jpg", first.clone())]).await;
    let full = |bytes: u64| {
        format!("update guest_photos set bytes = {bytes} where member_id in {}", server.members())
    };
    server.sql(&full(5 << 30)).await;
    // its owner has no room either
    let form = support::photo_form(vec![("own.jpg", jpeg(300, 200, 7))]);
    let answer = owner.post_multipart("/manager/photos", form).await;
    assert!(answer.text().await.unwrap().contains("素材空间不足"));
    let answer =
        guest.post_multipart(&address, words("小明", "恭喜", vec![("2.jpg", jpeg(300, 200, 2))])).await;
    assert_eq!(answer.status(), StatusCode::INSUFFICIENT_STORAGE);
    let page = answer.text().await.unwrap();
    assert!(page.contains("空间满了") && page.contains("您发来的 1 张") && page.contains("恭喜"), "{page}");
    let id = own_photos(&guest, &address).await.remove(0);
    guest.post(&format!("{address}/sent"), &[("back", &id)]).await;
    send(&guest, &address, "小明", vec![("1.jpg", first), ("2.jpg", jpeg(300, 200, 2))]).await;
    assert_eq!(waiting(&owner, &own).await.len(), 2);
}

async fn every_refusal_is_said_and_what_had_arrived_stays(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[("most_each", "2"), ("most", "3")]).await;
    let (one, other) = (guest(&server, &address).await, guest(&server, &address).await);
    // ten thousand files end at the share; here are five
    let five: Vec<_> = (1..6).map(|seed| ("x.jpg", jpeg(300, 200, seed))).collect();
    let answer = one.post_multipart(&address, words("小明", "祝好", five)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    for said in ["您已经发满了", "收到了 2 张", "您发来的 2 张", "value=\"小明\""] {
        assert!(page.contains(said), "no {said} in {page}");
    }
    let two = vec![("y.jpg", jpeg(300, 200, 11)), ("z.jpg", jpeg(300, 200, 12))];
    let answer = other.post_multipart(&address, words("小红", "", two)).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = answer.text().await.unwrap();
    assert!(page.contains("已经收满了") && page.contains("您发来的 1 张"), "{page}");
    // who says no name is asked for it, and loses nothing
    location(&owner.post(&format!("{own}/settings"), &fields(&[("until", &day(20)), ("most", "50")])).await);
    let answer =
        other.post_multipart(&address, words("", "想说的话", vec![("w.jpg", jpeg(300, 200, 13))])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("名字") && page.contains("您发来的 2 张") && page.contains("想说的话"), "{page}");
    // over, and ended
    let photo = || vec![("v.jpg", jpeg(300, 200, 14))];
    let id = own.rsplit_once('/').unwrap().1;
    server.sql(&format!("update guest_collections set until = 1 where id = '{id}'")).await;
    let answer = other.post_multipart(&address, words("小红", "", photo())).await;
    assert_eq!(answer.status(), StatusCode::GONE);
    let page = answer.text().await.unwrap();
    assert!(page.contains("最后一天已经过了") && page.contains("您发来的 2 张"), "{page}");
    let opened = owner.post(&format!("{own}/opening"), &[]).await;
    assert_eq!(opened.status(), StatusCode::UNPROCESSABLE_ENTITY, "not before it has another last day");
    location(&owner.post(&format!("{own}/settings"), &fields(&[("until", &day(3))])).await);
    location(&owner.post(&format!("{own}/end"), &[]).await);
    let answer = other.post_multipart(&address, words("小红", "", photo())).await;
    assert_eq!(answer.status(), StatusCode::GONE);
    assert!(answer.text().await.unwrap().contains("已经停止收照片了"));
    assert!(!other.page(&address).await.contains("type=\"file\""));
    location(&owner.post(&format!("{own}/opening"), &[]).await);
    send(&other, &address, "小红", photo()).await;
    // guessed, and deleted: nobody learns which
    location(&owner.post(&format!("{own}/deletion"), &[]).await);
    for wrong in [&*address, "/g/ABCD-EFGH-JKLM-NPQR", "/g/guessed"] {
        for answer in [other.get(wrong).await, other.post_multipart(wrong, words("小红", "", photo())).await]
        {
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
            assert!(answer.text().await.unwrap().contains("这个地址不对，或者已经撤掉了"), "{wrong}");
        }
    }
}

async fn what_is_no_photo_is_refused_and_the_others_are_taken(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let guest = guest(&server, &address).await;
    let whole = jpeg(300, 200, 1);
    let cut = whole[..whole.len() / 2].to_vec();
    let files = vec![
        ("page.html", b"<script>alert(1)</script>".to_vec()),
        ("空.jpg", Vec::new()),
        ("半张.jpg", cut),
        ("../../好的.jpg", whole),
    ];
    let answer = guest.post_multipart(&address, words("小明", "", files)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    for said in ["page.html：", "空.jpg：文件是空的", "半张.jpg：", "收到了 1 张"] {
        assert!(page.contains(said), "no {said} in {page}");
    }
    let page = owner.page(&own).await;
    assert!(page.contains("好的.jpg") && !page.contains("../"), "{page}");
    let long = "好".repeat(61);
    let id = own_photos(&guest, &address).await.remove(0);
    let answer = guest.post(&format!("{address}/sent"), &[(&format!("caption-{id}"), &long)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains(&long), "it is there still");
}

async fn what_was_not_wanted_goes_after_thirty_days(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let guest = guest(&server, &address).await;
    send(&guest, &address, "小明", vec![("1.jpg", jpeg(300, 200, 1)), ("2.jpg", jpeg(300, 200, 2))]).await;
    let [first, second] = waiting(&owner, &own).await.try_into().unwrap();
    assert_eq!(
        location(&owner.post(&own, &[("hide", &first)]).await),
        format!("{own}?show=waiting&hidden=1")
    );
    location(&owner.post(&own, &[("hide", &second)]).await);
    assert!(waiting(&owner, &own).await.is_empty());
    // the guest is not told
    assert_eq!(own_photos(&guest, &address).await.len(), 2);
    location(&owner.post(&own, &[("back", &second), ("show", "hidden")]).await);
    assert_eq!(waiting(&owner, &own).await, std::slice::from_ref(&second));
    let of =
        format!("select cast(count(*) as text) from guest_photos where member_id in {}", server.members());
    carried_out(&server, &["derive_guest_photo"]).await;
    server.sql("update jobs set run_at = 0 where kind = 'forget_hidden_guest_photo'").await;
    carried_out(&server, &["forget_hidden_guest_photo"]).await;
    eventually(&server, &of, "2").await;
    // thirty days later
    location(&owner.post(&own, &[("hide", &second)]).await);
    location(&owner.post(&own, &[("back", &second)]).await);
    location(&owner.post(&own, &[("back", &first)]).await);
    location(&owner.post(&own, &[("hide", &first)]).await);
    server
        .sql(&format!(
            "update guest_photos set hidden_at = 1 where hidden_at is not null and member_id in {}",
            server.members()
        ))
        .await;
    carried_out(&server, &["forget_hidden_guest_photo"]).await;
    eventually(&server, &of, "1").await;
    assert_eq!(own_photos(&guest, &address).await, [second]);
}

async fn one_photo_of_two_guests_leaves_the_library_with_the_last(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let (one, other) = (guest(&server, &address).await, guest(&server, &address).await);
    let (shared, mine) = (jpeg(300, 200, 1), jpeg(300, 200, 2));
    owner.upload(vec![("我的.jpg", mine.clone())]).await;
    send(&one, &address, "甲", vec![("a.jpg", shared.clone()), ("b.jpg", mine)]).await;
    send(&other, &address, "乙", vec![("c.jpg", shared)]).await;
    assert_eq!(location(&owner.post(&own, &[("act", "accept_all")]).await), format!("{own}?accepted=3"));
    assert_eq!(owner.library().await.len(), 2);
    let accepted =
        between_all(&owner.page(&format!("{own}?show=accepted")).await, "name=\"photo\" value=\"", "\"");
    let [first, own_too, second] = accepted.try_into().unwrap();
    location(&owner.post(&own, &[("hide", &first)]).await);
    assert_eq!(owner.library().await.len(), 2, "another guest's is the same one");
    location(&owner.post(&own, &[("hide", &own_too)]).await);
    assert_eq!(owner.library().await.len(), 2, "it was there before");
    // one that a book shows stays
    let library = owner.library().await;
    owner.album("square-210", "书", &library).await;
    let answer = owner.post(&own, &[("hide", &second)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("正用在"));
    assert_eq!(owner.library().await.len(), 2);
}

async fn a_collection_is_made_once_changed_and_ended(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let form = owner.page("/manager/guests/new").await;
    let key = between(&form, "name=\"collection\" value=\"", "\"");
    let last = day(5);
    let whole = [&fields(&[("until", &*last)])[..], &[("collection", &*key)]].concat();
    let places =
        [owner.post("/manager/guests/new", &whole).await, owner.post("/manager/guests/new", &whole).await];
    assert_eq!(location(&places[0]), location(&places[1]), "pressed twice it is one");
    let own = location(&places[0]).replace("?done=made", "");
    for (field, value, said) in [
        ("title", "", "名称"),
        ("until", "2020-01-01", "这一天已经过去了"),
        ("until", "明天", "请填写日期"),
        ("most", "0", "请填写 1 到 10000 的张数"),
        ("most_each", "很多", "请填写 1 到 1000 的张数"),
    ] {
        let mut changed = fields(&[(field, value)]);
        changed.push(("collection", &key));
        if field != "until" {
            changed.retain(|(name, _)| *name != "until");
            changed.push(("until", &last));
        }
        for page in ["/manager/guests/new", &format!("{own}/settings")] {
            let answer = owner.post(page, &changed).await;
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
            let text = answer.text().await.unwrap();
            assert!(text.contains(said) && text.contains("谢谢您来！"), "no {said} in {text}");
        }
    }
    // a card to print, with a line of its own
    let card = owner.get(&format!("{own}/card.pdf?line=%E6%8B%8D%E7%85%A7")).await;
    assert_eq!(card.headers()["content-type"], "application/pdf");
    assert!(card.bytes().await.unwrap().starts_with(b"%PDF"));
    // words that are not wanted stay out of books
    let address = format!("/g/{}", between(&owner.page(&own).await, "/g/", "\""));
    let guest = guest(&server, &address).await;
    location(&guest.post_multipart(&address, words("小明", "广告", Vec::new())).await);
    let page = owner.page(&format!("{own}?show=wishes")).await;
    let id = between(&page, "name=\"hide\" value=\"", "\"");
    location(&owner.post(&format!("{own}/wishes"), &[("hide", &id)]).await);
    assert!(owner.page(&format!("{own}?show=wishes")).await.contains("要回来"));
    assert!(owner.page(&own).await.contains("0 条留言"));
}

async fn a_closed_account_leaves_nothing_of_its_guests(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let id = own.rsplit_once('/').unwrap().1;
    let guest = guest(&server, &address).await;
    send(&guest, &address, "小明", vec![("1.jpg", jpeg(300, 200, 1))]).await;
    let closed = owner.post("/manager/userInfo/closing", &[("word", "注销"), ("current", PASSWORD)]).await;
    assert_eq!(closed.status(), StatusCode::SEE_OTHER);
    assert_eq!(guest.get(&address).await.status(), StatusCode::NOT_FOUND);
    for (table, column) in
        [("guest_photos", "collection_id"), ("guests", "collection_id"), ("guest_collections", "id")]
    {
        eventually(
            &server,
            &format!("select cast(count(*) as text) from {table} where {column} = '{id}'"),
            "0",
        )
        .await;
    }
}

async fn a_large_collection_has_pages(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let guest = guest(&server, &address).await;
    send(&guest, &address, "小明", vec![("1.jpg", jpeg(300, 200, 1))]).await;
    carried_out(&server, &["derive_guest_photo"]).await;
    let id = own.rsplit_once('/').unwrap().1;
    // three hundred guests with a photo each, all of the same bytes
    server
        .sql(&format!(
            "insert into guests (id, collection_id, browser, name, wish, created_at)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
             select '{id}' || i, '{id}', i, '客人' || i, '', 1 from n"
        ))
        .await;
    server
        .sql(&format!(
            "insert into guest_photos (id, collection_id, guest_id, member_id, sha256, file_name, bytes, facts, caption,
                                       state, created_at)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
             select g.collection_id || n.i, g.collection_id, '{id}' || n.i, p.member_id,
                    p.sha256, 'x.jpg', p.bytes, p.facts, '', 'waiting', 1
             from n join guest_photos p on p.collection_id = '{id}' and p.file_name = '1.jpg'
             join guests g on g.id = p.guest_id"
        ))
        .await;
    let (mut page, mut seen) = (own.clone(), Vec::new());
    for _ in 0..3 {
        let text = owner.page(&page).await;
        let ids = between_all(&text, "name=\"photo\" value=\"", "\"");
        assert_eq!(ids.len(), 60);
        seen.extend(ids);
        let next = format!("{own}?show=waiting&after=");
        page = format!("{next}{}", between(&text.replace("&amp;", "&"), &next, "\""));
    }
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), all, "no photo stands on two pages");
    // all are accepted, the first while one waits
    let answer = location(&owner.post(&own, &[("act", "accept_all")]).await);
    assert_eq!(answer, format!("{own}?accepted=200&more=1"));
    carried_out(&server, &["accept_guest_photos"]).await;
    assert!(waiting(&owner, &own).await.is_empty());
    assert_eq!(owner.library().await.len(), 1);
}
