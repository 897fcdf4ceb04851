//! Who works for a house.

use crate::{Caller, Server, between, location};

pub const MEMBERS: &str = "/manager/myMember";

/// Makes an invitation through its form, and answers the path of its link.
pub async fn invite(house: &Caller, name: &str, role: &str, contact: &str) -> String {
    let page = house.page(MEMBERS).await;
    let id = between(&page, "name=\"invitation\" value=\"", "\"");
    let fields = [("invitation", id.as_str()), ("name", name), ("role", role), ("contact", contact)];
    let place = location(&house.post(MEMBERS, &fields).await);
    assert_eq!(location(&house.post(MEMBERS, &fields).await), place, "pressed twice, made once");
    link(house, &place).await
}

pub async fn link(house: &Caller, place: &str) -> String {
    let page = house.page(place).await;
    assert!(page.contains("邀请链接的二维码"));
    format!("/manager/invitation/{}", between(&page, "/manager/invitation/", "<"))
}

/// A new account that was taken in, and the id of its place.
pub async fn sub_member(server: &Server, house: &Caller, account: &str, role: &str) -> (Caller, String) {
    let caller = server.member(account, "0").await;
    let path = invite(house, account.split('@').next().unwrap(), role, "").await;
    assert_eq!(location(&caller.post(&path, &[]).await), "/manager/desk?done=joined");
    let account = server.own(account);
    let sql = format!(
        "select s.id from sub_members s join members m on m.id = s.member_id where m.account = '{account}' and s.removed_at is null"
    );
    (caller, server.read(&sql).await)
}
