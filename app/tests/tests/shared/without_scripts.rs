//! What a page's HTML alone owes to a browser without scripts, where no other test asks for it.

use support::{Server, between, between_all, location, on_both_engines};

on_both_engines!(
    the_enter_key_in_the_cart_removes_nothing;
    on_sqlite:
    who_has_nothing_is_led_to_a_first_book,
    what_needs_no_payment_asks_for_none,
    menus_and_tabs_are_links,
);

async fn the_enter_key_in_the_cart_removes_nothing(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    member.cart_with_album().await;
    let page = member.page("/manager/shopping/cart").await;
    // Enter presses the first button of the field's form; those of other forms say whose they are
    let form = between(&page, "class=\"cart\">", "</form>");
    let buttons = between_all(&form, "<button", "</button>");
    let own: Vec<_> = buttons.iter().filter(|button| !button.contains("form=\"")).collect();
    assert!(
        own[0].contains("formaction=\"/manager/shopping/cart\"") && own[0].contains("更新数量"),
        "{own:?}"
    );
    assert!(own.iter().all(|button| !button.contains("移除")), "{own:?}");
}

async fn who_has_nothing_is_led_to_a_first_book(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let mut path = "/manager/shopping/cart".to_owned();
    for words in ["挑一件作品来印", "做第一本书"] {
        let page = member.page(&path).await;
        let before =
            page.split_once(&format!(">{words}</a>")).unwrap_or_else(|| panic!("no {words}: {page}")).0;
        path = before.rsplit_once("href=\"").unwrap().1.split('"').next().unwrap().to_owned();
    }
    assert_eq!(path, "/manager/make_ebook");
}

async fn what_needs_no_payment_asks_for_none(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let (paid, unpaid) = (member.cart_with_album().await, member.cart_with_album().await);
    let (paid, unpaid) = (member.order(&paid).await, member.order(&unpaid).await);
    member.post("/manager/shopping/pay", &[("order", &paid)]).await;
    let detail = format!("/manager/order/{unpaid}");
    assert!(member.page(&detail).await.contains("去付款"));
    assert_eq!(location(&member.post(&format!("{detail}/cancellation"), &[]).await), detail);
    let page = member.page(&detail).await;
    assert!(page.contains("已取消") && !page.contains("去付款"));
    for order in [paid, unpaid] {
        let page = member.page(&format!("/manager/shopping/pay?order={order}")).await;
        assert!(page.contains("不需要付款"), "{page}");
        assert!(!page.contains("付后余额") && !page.contains("用余额支付"), "{page}");
    }
}

async fn menus_and_tabs_are_links(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let page = member.page("/manager/make_ebook").await;
    let tabs = between(&page, "aria-label=\"常用\"", "</nav>");
    for path in
        ["/manager/make_ebook", "/manager/opus_list/all", "/manager/shopping/cart", "/manager/userInfo"]
    {
        assert!(tabs.contains(&format!("href=\"{path}\"")), "{tabs}");
    }
    for path in ["/manager/order", "/manager/recharge", "/manager/gift-cards", "/manager/gifts"] {
        let tabs = between(&member.page(path).await, "aria-label=\"常用\"", "</nav>");
        assert!(tabs.contains("aria-current=\"true\">我的</a>"), "{path}: {tabs}");
    }
    let menus =
        between_all(&between(&page, "<header class=\"topbar\">", "</header>"), "<details", "</details>");
    assert!(menus[0].contains("<summary>") && menus[0].contains("href=\"/manager/photos\""), "{menus:?}");
    assert!(
        menus[1].contains("href=\"/manager/userInfo\"") && menus[1].contains("action=\"/manager/logout\"")
    );
}
