//! /manager/opus_list/{type}: kinds, search, orders, pages, copies, the trash.

use reqwest::StatusCode;

use support::shelf::{album, titles};
use support::{Server, between, between_all, location, on_both_engines};

on_both_engines!(
    every_kind_has_a_shelf_and_tabs_stand_where_there_are_works,
    a_work_is_copied_once_for_each_form;
    on_sqlite:
    works_are_found_by_any_part_of_their_titles,
    a_shelf_is_shown_in_three_orders_and_in_pages,
    the_trash_keeps_a_work_and_gives_it_back,
    a_line_of_the_cart_waits_for_its_work,
    an_order_outlives_its_work,
);

async fn every_kind_has_a_shelf_and_tabs_stand_where_there_are_works(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "画册一本").await;
    let page = member.page("/manager/opus_list/all").await;
    let tabs = |page: &str| between_all(&between(page, "aria-label=\"作品类型\"", "</nav>"), ">", "</a");
    assert_eq!(tabs(&page), ["全部", "画册", "回收站"]);
    for kind in ["document", "calendar", "ebook", "epaper", "magazine"] {
        let page = member.page(&format!("/manager/opus_list/{kind}")).await;
        assert!(titles(&page).is_empty(), "{kind}");
        assert_eq!(tabs(&page).len(), 4, "the place one is at has a tab");
    }
    server.sql(&format!("update works set kind = 'calendar' where id = '{work}'")).await;
    assert_eq!(tabs(&member.page("/manager/opus_list/all").await), ["全部", "台历", "回收站"]);
    assert_eq!(titles(&member.page("/manager/opus_list/calendar").await), ["画册一本"]);
    assert_eq!(member.get("/manager/opus_list/nonsense").await.status(), StatusCode::NOT_FOUND);
}

async fn works_are_found_by_any_part_of_their_titles(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    for title in ["海边的夏天", "夏天在山里", "Summer 100%"] {
        album(&member, title).await;
    }
    let find = async |search: &str| {
        let query = serde_urlencoded::to_string([("q", search)]).unwrap();
        titles(&member.page(&format!("/manager/opus_list/all?{query}")).await)
    };
    assert_eq!(find("夏天").await, ["夏天在山里", "海边的夏天"]);
    assert_eq!(find("边的").await, ["海边的夏天"]);
    assert_eq!(find("summer").await, ["Summer 100%"]);
    assert_eq!(find("0%").await, ["Summer 100%"]);
    assert!(find("_").await.is_empty());
    // letters that an engine has in one case only
    for title in ["旅行Ⅱ", "Ａlbum", "É", "Дорога"] {
        album(&member, title).await;
        assert_eq!(find(title).await, [title]);
    }
    assert_eq!(find("ＡLBUM").await, ["Ａlbum"]);
    assert_eq!(find("行Ⅱ").await, ["旅行Ⅱ"]);
    assert_eq!(find("album").await, ["Ａlbum"], "wide letters are letters");
    assert_eq!(find("é").await, ["É"]);
    assert_eq!(find("дорог").await, ["Дорога"]);
    assert_eq!(find("夏").await.len(), 2);
    assert_eq!(find("summer 100%").await, ["Summer 100%"]);
    assert!(find("夏天夏").await.is_empty());
    let page = member.page("/manager/opus_list/all?q=%3Cb%3E").await;
    assert!(page.contains("没有书名里带“&lt;b&gt;”的作品"), "{page}");
}

async fn a_shelf_is_shown_in_three_orders_and_in_pages(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let first = album(&member, "乙").await;
    album(&member, "甲").await;
    album(&member, "丙").await;
    let fields = [("revision", "1"), ("title", "乙"), ("author", "改过")];
    location(&member.post(&format!("/manager/opus/{first}/texts"), &fields).await);
    let order = async |query: &str| titles(&member.page(&format!("/manager/opus_list/all{query}")).await);
    assert_eq!(order("").await, ["乙", "丙", "甲"]);
    assert_eq!(order("?sort=made").await, ["丙", "甲", "乙"]);
    assert_eq!(order("?sort=title").await, ["丙", "乙", "甲"]);
    for wrong in ["?sort=price", "?after=x", "?after=x.y"] {
        let answer = member.get(&format!("/manager/opus_list/all{wrong}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
}

async fn a_work_is_copied_once_for_each_form(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "海边的夏天").await;
    let page = member.page("/manager/opus_list/all").await;
    let shown = between(&page, "form=\"shelf\" name=\"copy\" value=\"", "\"");
    let address = format!("/manager/opus/{work}/copy");
    let made = location(&member.post(&address, &[("copy", &shown)]).await);
    let copy = made.strip_prefix("/manager/opus_list/all?copied=").unwrap().to_owned();
    assert_eq!(location(&member.post(&address, &[("copy", &shown)]).await), made, "pressed twice");
    let page = member.page(&format!("/manager/opus_list/all?copied={copy}")).await;
    assert_eq!(titles(&page), ["海边的夏天（副本）", "海边的夏天"]);
    assert!(page.contains("已复制，新的一本是"));
    let opened = member.page(&format!("/manager/opus/{copy}")).await;
    assert_eq!(between(&opened, "<h1>", "</h1>"), "海边的夏天（副本）");
    // the copy goes its own way
    let fields = [("revision", "1"), ("title", "改了副本")];
    location(&member.post(&format!("/manager/opus/{copy}/texts"), &fields).await);
    assert!(member.page(&format!("/manager/opus/{work}")).await.contains("<h1>海边的夏天</h1>"));
    assert_eq!(member.post(&address, &[("copy", "no id")]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // the same form, shown again or to somebody else, makes another
    let other = server.member("other@example.com", "0").await;
    let theirs = album(&other, "别人的").await;
    location(&other.post(&format!("/manager/opus/{theirs}/copy"), &[("copy", &shown)]).await);
    assert_eq!(titles(&other.page("/manager/opus_list/all").await), ["别人的（副本）", "别人的"]);
    let again = between(&member.page("/manager/opus_list/all").await, "name=\"copy\" value=\"", "\"");
    assert_ne!(location(&member.post(&address, &[("copy", &again)]).await), made);
}

async fn the_trash_keeps_a_work_and_gives_it_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "海边的夏天").await;
    let base = format!("/manager/opus/{work}");
    let shelf = [("shelf", "/manager/opus_list/album?sort=title")];
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/trash"), &shelf).await;
        assert_eq!(location(&answer), "/manager/opus_list/album?sort=title");
    }
    assert_eq!(
        server
            .column(&format!(
                "select cast(count(*) as text) from jobs where kind = 'forget_work' and payload like '%{work}%'"
            ))
            .await,
        ["1"]
    );
    let page = member.page("/manager/opus_list/all").await;
    assert!(titles(&page).is_empty() && page.contains("《海边的夏天》已移到回收站。"), "{page}");
    assert_eq!(titles(&member.page("/manager/opus_list/trash").await), ["海边的夏天"]);
    // it can be looked at, and nothing else
    let page = member.page(&base).await;
    assert!(page.contains("这件作品在回收站里") && !page.contains("保存文字"));
    assert_eq!(member.get(&format!("{base}/page/cover/320?r=1")).await.status(), StatusCode::OK);
    for (path, fields) in [
        (format!("{base}/texts"), vec![("revision", "1"), ("title", "改")]),
        (format!("{base}/copy"), vec![("copy", "another")]),
        (format!("{base}/revisions/1/restoration"), vec![("revision", "1")]),
        (format!("/manager/opus_setting/{work}"), vec![("revision", "1"), ("title", "改")]),
        (format!("/manager/add_shopping/{work}"), vec![("line", "a"), ("goods", "album-210")]),
    ] {
        let answer = member.post(&path, &fields).await;
        assert_eq!(answer.status(), StatusCode::CONFLICT, "{path}");
        assert!(answer.text().await.unwrap().contains("在回收站里，还原以后才能继续"), "{path}");
    }
    for path in [format!("/manager/opus_setting/{work}"), format!("/manager/add_shopping/{work}")] {
        assert_eq!(member.get(&path).await.status(), StatusCode::CONFLICT, "{path}");
    }
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/restoration"), &[("shelf", "https://evil.example")]).await;
        assert_eq!(location(&answer), format!("/manager/opus_list/all?restored={work}"));
    }
    assert_eq!(titles(&member.page("/manager/opus_list/all").await), ["海边的夏天"]);
    assert_eq!(member.post(&format!("{base}/deletion"), &[]).await.status(), StatusCode::CONFLICT);
    location(&member.post(&format!("{base}/trash"), &[]).await);
    let answer = member.post(&format!("{base}/deletion"), &[]).await;
    assert_eq!(location(&answer), "/manager/opus_list/trash");
    assert_eq!(member.get(&base).await.status(), StatusCode::NOT_FOUND);
}

async fn a_line_of_the_cart_waits_for_its_work(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let fields = member.order_form(&line).await;
    let work = between(&member.page("/manager/opus_list/all").await, "href=\"/manager/opus_setting/", "\"");
    location(&member.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    let cart = member.page("/manager/shopping/cart").await;
    assert!(
        cart.contains("《海边的夏天》在回收站里，还原以后才能继续。") && cart.contains(" disabled"),
        "{cart}"
    );
    let order = format!("/manager/shopping/order/{line}");
    assert_eq!(member.get(&order).await.status(), StatusCode::CONFLICT);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(member.post(&order, &fields).await.status(), StatusCode::CONFLICT);
    location(&member.post(&format!("/manager/opus/{work}/restoration"), &[]).await);
    assert!(location(&member.post(&order, &fields).await).starts_with("/manager/shopping/pay?order="));
}

async fn an_order_outlives_its_work(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    let work = between(&member.page("/manager/opus_list/all").await, "href=\"/manager/opus_setting/", "\"");
    member.add_to_cart(&work, "album-210").await;
    location(&member.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    location(&member.post(&format!("/manager/opus/{work}/deletion"), &[]).await);
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("海边的夏天"));
    let picture = member.get(&format!("/manager/order/{order}/line/1/page/cover/320")).await;
    assert_eq!(picture.status(), StatusCode::OK);
    assert!(member.page("/manager/shopping/cart").await.contains("购物车是空的"));
    assert_eq!(member.library().await.len(), 6, "photos stay in the library");
}
