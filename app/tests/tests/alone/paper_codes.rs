//! QR codes on paper: a page of a book that speaks, from its maker's form to whoever scans it years later.

use reqwest::{Response, StatusCode};
use support::{Caller, Server, between_all, jpeg, location, on_both_engines};

on_both_engines!(a_code_leads_to_its_place_as_long_as_that_is_shared);

/// A work of three photos that everybody may read, with a sentence in an area of its second page.
async fn spoken(server: &Server) -> (Caller, String) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "外婆", &photos).await;
    assert_eq!(maker.share_as(&work, &[]).await.status(), StatusCode::SEE_OTHER);
    let area = [
        ("area", "song"),
        ("page", "2"),
        ("x", "100"),
        ("y", "200"),
        ("width", "300"),
        ("height", "150"),
        ("name", "外婆的歌"),
        ("kind", "note"),
        ("words", "摇啊摇，摇到外婆桥。"),
        ("act", "keep"),
    ];
    let kept = maker.post(&format!("/manager/opus_hotarea_edit/{work}"), &area).await;
    assert_eq!(kept.status(), StatusCode::SEE_OTHER);
    (maker, work)
}

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// How many codes a work has, and their addresses, each once.
async fn printed(server: &Server, work: &str) -> (usize, Vec<String>) {
    let document = server.read(&format!("select document from works where id = '{work}'")).await;
    (document.matches("\"kind\":\"code\"").count(), between_all(&document, "\"address\":\"", "\""))
}

async fn a_code_leads_to_its_place_as_long_as_that_is_shared(mut server: Server) {
    let (maker, work) = spoken(&server).await;
    let desk = format!("/manager/opus_hotarea_edit/{work}?page=2&area=song");
    let form = format!("/manager/opus_hotarea_edit/{work}/code");
    let sent = |element, side, corner| {
        [
            ("area", "song"),
            ("page", "2"),
            ("element", element),
            ("code-words", "扫码听：外婆的歌"),
            ("side", side),
            ("corner", corner),
        ]
    };
    // a host that has said no address can't be printed
    assert!(maker.page(&desk).await.contains("本站还没有设置对外的网址"));
    let page = refused(maker.post(&form, &sent("one", "15", "top-left")).await).await;
    assert!(page.contains("本站还没有设置对外的网址"), "{page}");

    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.restart();
    let maker = maker.at(&server.base);
    let page = maker.page(&desk).await;
    assert!(page.contains("印在纸上") && page.contains("value=\"扫码读：外婆的歌\""), "{page}");
    // what is wrong comes back with what was typed
    let page = refused(maker.post(&form, &sent("one", "3", "middle")).await).await;
    assert!(page.contains("请选择二维码的大小") && page.contains("请选择放在哪里"));
    assert!(page.contains("value=\"扫码听：外婆的歌\""), "{page}");
    assert_eq!(printed(&server, &work).await.0, 0);

    // sent twice it is printed once; in another corner it is the same code
    for _ in 0..2 {
        let answer = maker.post(&form, &sent("one", "15", "top-left")).await;
        assert_eq!(location(&answer), format!("{desk}&saved=printed"));
    }
    let answer = maker.post(&form, &sent("other", "12", "bottom-right")).await;
    assert_eq!(location(&answer), format!("{desk}&saved=printed"));
    let (count, addresses) = printed(&server, &work).await;
    assert_eq!((count, addresses.len()), (2, 1), "{addresses:?}");
    let scanned = addresses[0].strip_prefix("HTTPS://BOOKS.EXAMPLE").expect("the site's own").to_owned();

    let stranger = server.member("stranger@example.com", "0").await;
    assert_eq!(stranger.post(&form, &sent("x", "15", "top-left")).await.status(), StatusCode::NOT_FOUND);
    let visitor = server.visitor();
    let place = format!("/read/{work}/2#area-song");
    assert_eq!(location(&visitor.get(&scanned).await), place);
    assert!(visitor.page(place.split('#').next().unwrap()).await.contains("id=\"area-song\""));
    assert_eq!(visitor.get("/Q/ZZZZZZZZ").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(visitor.get("/Q/nothing").await.status(), StatusCode::NOT_FOUND);

    // shared with fewer, by a password, and with nobody
    let gone = async |words: &str| {
        let answer = visitor.get(&scanned).await;
        assert_eq!(answer.status(), StatusCode::GONE, "{words}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(words), "{words}: {page}");
    };
    maker.share_as(&work, &[("visibility", "private")]).await;
    gone("作者没有分享这本书").await;
    maker.share_as(&work, &[("visibility", "password"), ("password", "摇啊摇1")]).await;
    assert_eq!(location(&visitor.get(&scanned).await), format!("/read/{work}"));
    maker.share_as(&work, &[]).await;
    assert_eq!(location(&visitor.get(&scanned).await), place, "shared again, the paper speaks again");
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    gone("作者已经收回了这件作品").await;
    maker.share_as(&work, &[]).await;

    // the area goes, the paper stays
    let remove = [("area", "song"), ("page", "2"), ("act", "remove")];
    maker.post(&format!("/manager/opus_hotarea_edit/{work}"), &remove).await;
    gone("作者已经把这里的内容拿掉了").await;
    // and so does what is printed of a work that is gone
    maker.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    gone("作者已经收回了这件作品").await;
    maker.post(&format!("/manager/opus/{work}/deletion"), &[]).await;
    gone("二维码现在打不开").await;
}
