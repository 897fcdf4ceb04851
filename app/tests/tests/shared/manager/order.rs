//! /manager/order and `bindery order export`: what the print shop gets.

use support::{Server, between, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    a_later_edit_does_not_change_an_order,
);

async fn a_later_edit_does_not_change_an_order(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let cart = member.page("/manager/shopping/cart").await;
    let work = between(&cart, "href=\"/manager/opus/", "\"");
    let order = member.order(&line).await;
    let cover = format!("/manager/order/{order}/line/1/page/cover/320");
    let before = member.get(&cover).await.bytes().await.unwrap();
    let saved = member
        .post(
            &format!("/manager/opus/{work}/texts"),
            &[("revision", "1"), ("title", "改了的书名"), ("author", "")],
        )
        .await;
    assert!(location(&saved).contains("saved"));
    assert_eq!(before, member.get(&cover).await.bytes().await.unwrap());
    let page = member.page(&format!("/manager/order/{order}")).await;
    assert!(page.contains("海边的夏天") && !page.contains("改了的书名"));
}
