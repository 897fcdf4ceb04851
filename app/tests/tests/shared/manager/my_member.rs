//! /manager/myMember, /manager/invitation, /manager/desk: who works for a house, what for, and with whose money.

use reqwest::StatusCode;

use support::sub_members::{MEMBERS, invite, sub_member};
use support::{Caller, Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    an_invitation_is_accepted_once_by_whom_it_is_for;
    on_sqlite:
    a_sub_member_works_at_the_houses_desk,
    a_lapse_freezes_and_works_stay,
);

async fn begin(caller: &Caller, place: &str) {
    let done = location(&caller.post(&format!("/manager/desk/{place}"), &[]).await);
    assert_eq!(done, "/manager/opus_list/all");
}

async fn refused(caller: &Caller, path: &str, told: &str) {
    for answer in [caller.get(path).await, caller.post(path, &[]).await] {
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{told}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "no {told} in {page}");
    }
}

async fn an_invitation_is_accepted_once_by_whom_it_is_for(server: Server) {
    let house_account = &*server.own("house@example.com");
    let phone = &*server.own("13900139000");
    let basic = server.member("basic@example.com", "0").await;
    assert_eq!(basic.get(MEMBERS).await.status(), StatusCode::FORBIDDEN);
    let house = server.member_of(house_account, "0", "VIP").await;
    let page = house.page(MEMBERS).await;
    assert!(page.contains("还没有成员") && page.contains("用了 <span class=\"num\">0</span> 个"), "{page}");
    for (field, value, told) in [
        ("name", "", "请输入称呼"),
        ("role", "owner", "请选择“编辑”或“只看”"),
        ("contact", "nobody", "请输入对方的手机号或邮箱"),
        ("contact", house_account, "这是您自己的账号"),
    ] {
        let good = [("invitation", "an-invitation"), ("name", "小舟"), ("role", "editor")];
        let mut fields: Vec<_> = good.into_iter().filter(|(name, _)| *name != field).collect();
        fields.push((field, value));
        let answer = house.post(MEMBERS, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        assert!(answer.text().await.unwrap().contains(told), "{field}={value}: no {told}");
    }
    let path = invite(&house, "小舟", "editor", "").await;
    // a visitor comes back to it after signing in
    assert!(location(&server.visitor().get(&path).await).starts_with("/manager/login/"));
    refused(&house, &path, "这是您自己发出的邀请").await;
    let (one, other) =
        (server.member("one@example.com", "0").await, server.member("other@example.com", "0").await);
    let forged = format!("{}{}", &path[..path.len() - 1], if path.ends_with('0') { "1" } else { "0" });
    for wrong in [forged.as_str(), "/manager/invitation/x", "/manager/invitation/x.00"] {
        assert_eq!(one.get(wrong).await.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
    assert!(one.page(&path).await.contains("接受邀请"));
    let presses = futures::future::join_all([&one, &other].map(|caller| caller.post(&path, &[]))).await;
    let taken: Vec<_> = presses.iter().map(|answer| answer.status()).collect();
    assert_eq!(taken.iter().filter(|status| **status == StatusCode::SEE_OTHER).count(), 1, "{taken:?}");
    let (inside, outside) = if taken[0] == StatusCode::SEE_OTHER { (&one, &other) } else { (&other, &one) };
    refused(outside, &path, "这个邀请已经用过了").await;
    assert!(inside.page(&path).await.contains("您已经是这家的成员"));
    assert!(inside.page("/manager/desk").await.contains("开始工作"));
    assert!(outside.page("/manager/desk").await.contains("还没有谁邀请您"));

    // to an account: it is told, and nobody else may accept
    let path = invite(&house, "外婆", "viewer", phone).await;
    let told = server.message_to(phone);
    // nobody configured where the site is, and the request's own word for it is worth nothing
    assert!(told.contains("邀请您一起做书（只看）") && told.contains("请向对方要邀请链接"), "{told}");
    assert!(!told.contains(&path) && !told.contains("http"), "{told}");
    refused(outside, &path, "发给另一个账号").await;
    let grandmother = server.member(phone, "0").await;
    assert_eq!(location(&grandmother.post(&path, &[]).await), "/manager/desk?done=joined");
    let answer = house
        .post(MEMBERS, &[("invitation", "again"), ("name", "外婆"), ("role", "viewer"), ("contact", phone)])
        .await;
    assert!(answer.text().await.unwrap().contains("已经是您的成员"));

    // withdrawn, expired, full: each says so
    let withdrawn = invite(&house, "迟到的人", "viewer", "").await;
    let id = between(&withdrawn, "/manager/invitation/", ".");
    let done = location(&house.post(&format!("{MEMBERS}/invitation/{id}/withdrawal"), &[]).await);
    assert!(house.page(&done).await.contains("邀请已撤回"));
    refused(outside, &withdrawn, "这个邀请已经撤回").await;
    let expired = invite(&house, "更迟的人", "viewer", "").await;
    // VIP has three places: two taken, one promised
    assert!(house.page(MEMBERS).await.contains("超级会员有 10 个名额"));
    let answer = house.post(MEMBERS, &[("invitation", "fourth"), ("name", "第四"), ("role", "viewer")]).await;
    assert!(answer.text().await.unwrap().contains("占满了 3 个名额"));
    server
        .sql(&format!(
            "update sub_member_invitations set expires_at = 1
             where name = '更迟的人' and house_id in {}",
            server.members()
        ))
        .await;
    refused(outside, &expired, "这个邀请已经过期").await;
    // the house's tier is over
    let last = invite(&house, "最后", "viewer", "").await;
    server.sql(&format!("update members set tier = '普通会员' where account = '{house_account}'")).await;
    refused(outside, &last, "对方的会员等级现在不能有成员").await;
}

async fn a_sub_member_works_at_the_houses_desk(server: Server) {
    let house_account = &*server.own("house@example.com");
    let house = server.member_of(house_account, "100", "超级会员").await;
    let photos = house.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = house.album("square-210", "家里的书", &photos).await;
    let (editor, place) = sub_member(&server, &house, "editor@example.com", "editor").await;
    let (viewer, looks) = sub_member(&server, &house, "viewer@example.com", "viewer").await;
    let own = editor.upload(vec![("自己.jpg", jpeg(320, 240, 9))]).await;
    assert_eq!(
        editor.get(&format!("/manager/opus/{work}")).await.status(),
        StatusCode::NOT_FOUND,
        "not at the desk"
    );
    begin(&editor, &place).await;
    let shelf = editor.page("/manager/opus_list/all").await;
    assert!(
        shelf.contains("家里的书")
            && shelf.contains("正在为")
            && shelf.contains("action=\"/manager/desk/end\"")
    );
    // of the house's account nothing is shown, and what is shut has no link
    assert!(!shelf.contains(house_account) && !shelf.contains("购物车") && !shelf.contains("100.00"));
    let page = editor.page(&format!("/manager/opus/{work}")).await;
    assert!(!page.contains("选择印刷方式") && page.contains("复制一本"));
    // what it makes is the house's, of the house's photos; its own photos are not there
    let made = editor.album("square-210", "替家里做的", &photos).await;
    assert_eq!(editor.get(&format!("/manager/photo/{}", own[0])).await.status(), StatusCode::NOT_FOUND);
    for path in [
        "/manager/recharge",
        "/manager/userInfo",
        "/manager/order",
        MEMBERS,
        "/manager/upgrade",
        "/manager/epaper_sell",
    ] {
        let answer = editor.get(path).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
        let page = answer.text().await.unwrap();
        assert!(page.contains("您正在为别人工作") && page.contains("action=\"/manager/desk/end\""), "{page}");
    }
    assert_eq!(location(&editor.post("/manager/desk/end", &[]).await), "/manager/desk");
    assert!(!editor.page("/manager/opus_list/all").await.contains("替家里做的"));
    assert!(house.page("/manager/opus_list/all").await.contains("替家里做的"));
    assert_eq!(house.get(&format!("/manager/opus/{made}")).await.status(), StatusCode::OK);

    begin(&viewer, &looks).await;
    let page = viewer.page(&format!("/manager/opus/{work}")).await;
    assert!(page.contains("shell at-desk looking") && !page.contains("复制一本"));
    let answer = viewer.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    assert!(answer.text().await.unwrap().contains("您在这里的角色是“只看”"));
    assert_eq!(viewer.get("/manager/make_ebook").await.status(), StatusCode::FORBIDDEN);

    // another role counts from the next request on; a removed one is told, and its browser is its own again
    let page = format!("{MEMBERS}/{looks}");
    let done = location(&house.post(&page, &[("name", "设计师"), ("role", "editor")]).await);
    assert!(house.page(&done).await.contains("已保存"));
    assert_eq!(viewer.get("/manager/make_ebook").await.status(), StatusCode::OK);
    assert_eq!(
        location(&house.post(&format!("{page}/removal"), &[]).await),
        format!("{MEMBERS}?done=removed")
    );
    let answer = viewer.get(&format!("/manager/opus/{work}")).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    assert!(answer.text().await.unwrap().contains("您已不在这家的成员里"));
    assert!(server.message_to("viewer@example.com").contains("您已不在"));
    viewer.post("/manager/desk/end", &[]).await;
    assert_eq!(viewer.get("/manager/order").await.status(), StatusCode::OK);
    // it may come again, and leaves by itself
    let path = invite(&house, "设计师", "viewer", "").await;
    assert_eq!(location(&viewer.post(&path, &[]).await), "/manager/desk?done=joined");
    let left = format!("/manager/desk/{place}/removal");
    assert_eq!(viewer.post(&left, &[]).await.status(), StatusCode::NOT_FOUND, "another's place");
    assert_eq!(location(&editor.post(&left, &[]).await), "/manager/desk?done=left");
}

async fn a_lapse_freezes_and_works_stay(server: Server) {
    let house_account = &*server.own("house@example.com");
    let house = server.member_of("house@example.com", "0", "超级会员").await;
    let photos = house.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    let work = house.album("square-210", "家里的书", &photos).await;
    let mut callers = Vec::new();
    for name in ["a", "b", "c", "d"] {
        let (caller, place) = sub_member(&server, &house, &format!("{name}@example.com"), "editor").await;
        begin(&caller, &place).await;
        callers.push((caller, place));
    }
    let address = format!("/manager/opus/{work}");
    let statuses = || async {
        let mut statuses = Vec::new();
        for (caller, _) in &callers {
            statuses.push(caller.get(&address).await.status().as_u16());
        }
        statuses
    };
    assert_eq!(statuses().await, [200, 200, 200, 200]);
    // VIP has three places: those who came first stay
    server.sql(&format!("update members set tier = 'VIP' where account = '{house_account}'")).await;
    assert_eq!(statuses().await, [200, 200, 200, 403]);
    assert!(house.page(MEMBERS).await.contains("超出名额，暂停"));
    server.sql(&format!("update members set tier_until = 1 where account = '{house_account}'")).await;
    assert_eq!(statuses().await, [403; 4]);
    let (caller, place) = &callers[0];
    assert!(caller.page("/manager/desk").await.contains("作品都在"));
    assert_eq!(location(&caller.post(&format!("/manager/desk/{place}"), &[]).await), "/manager/desk");
    assert_eq!(house.get(&address).await.status(), StatusCode::OK, "works stay");
    server.sql(&format!("update members set tier_until = null where account = '{house_account}'")).await;
    assert_eq!(statuses().await, [200, 200, 200, 403]);
}
