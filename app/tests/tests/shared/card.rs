//! /manager/businessCard and /card/{code}: what everybody sees of a member, and what it keeps to itself.

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use support::{Caller, Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    everybody_sees_what_was_chosen;
    on_sqlite:
    what_is_wrong_with_a_card_is_said_beside_the_field,
    search_engines_have_what_they_may,
    a_card_goes_to_phones_and_to_the_print_shop,
);

const PAGE: &str = "/manager/businessCard";

/// The fields of a whole card, with some of them changed.
fn fields<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("name", "林知夏"),
        ("title", "摄影师"),
        ("company", "山海, 影像"),
        ("phone", "0571-8765 4321"),
        ("email", "lin@example.com"),
        ("weixin", "lin_zhixia"),
        ("address", "龙井路 18 号"),
        ("introduction", "走路，拍照。<script>"),
        ("look", "cloth"),
    ];
    fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    fields.extend(changes.iter().filter(|(_, value)| *value != "(none)"));
    fields
}

/// The address of a member's card.
async fn address(member: &Caller) -> String {
    let page = member.page(PAGE).await;
    format!("/card/{}", between(&page, "href=\"/card/", "\""))
}

async fn save(member: &Caller, changes: &[(&str, &str)]) {
    assert_eq!(location(&member.post(PAGE, &fields(changes)).await), format!("{PAGE}?done=saved"));
}

async fn everybody_sees_what_was_chosen(server: Server) {
    let member = server.member("lin@example.com", "0").await;
    let code = between(&member.page("/manager/userInfo").await, "会员号 <span class=\"num\">", "<");
    let visitor = server.visitor();
    assert_eq!(visitor.get(&format!("/card/{code}")).await.status(), StatusCode::NOT_FOUND, "no card yet");
    // before anybody chose, neither telephone nor e-mail is ticked
    let form = member.page(PAGE).await;
    for (field, ticked) in [("phone", false), ("email", false), ("title", true), ("weixin", true)] {
        let box_of = between(&form, &format!("name=\"shown\" value=\"{field}\""), ">");
        assert_eq!(box_of.contains("checked"), ticked, "{field}");
    }
    save(&member, &[("shown", "title"), ("shown", "introduction")]).await;
    let own = address(&member).await;
    assert_eq!(own, format!("/card/{code}"));
    let page = visitor.page(&own).await;
    assert!(
        page.contains("林知夏") && page.contains("摄影师") && page.contains("走路，拍照。&lt;script&gt;")
    );
    for hidden in ["8765", "lin@example.com", "lin_zhixia", "龙井路", "影像"] {
        assert!(!page.contains(hidden), "{hidden} is nobody's business");
    }
    let file = visitor.get(&format!("{own}/card.vcf")).await.text().await.unwrap();
    assert!(!file.contains("8765") && !file.contains("TEL"), "{file}");
    assert_eq!(visitor.get(&format!("{own}/picture")).await.status(), StatusCode::NOT_FOUND);
    // works that stand on it are those that everybody may read
    let photos = member.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = member.album("square-210", "山海之间", &photos).await;
    member.share(&work).await;
    let key = format!("work:{work}");
    save(&member, &[("shown", "works"), ("work", &key), ("work", "work:another")]).await;
    assert!(visitor.page(&own).await.contains(&format!("href=\"/read/{work}\"")));
    member.share_as(&work, &[("visibility", "private"), ("act", "save")]).await;
    assert!(!visitor.page(&own).await.contains(&work));
    // taken away it is gone
    assert_eq!(location(&member.post(&format!("{PAGE}/removal"), &[]).await), format!("{PAGE}?done=removed"));
    assert_eq!(visitor.get(&own).await.status(), StatusCode::NOT_FOUND);
}

async fn what_is_wrong_with_a_card_is_said_beside_the_field(server: Server) {
    let member = server.member("lin@example.com", "0").await;
    for (field, value, told) in [
        ("name", "", "请输入名字"),
        ("name", "   ", "请输入名字"),
        ("name", &"名".repeat(31), "名字最多 30 个字"),
        ("phone", "请来电", "电话写成"),
        ("email", "lin@", "邮箱写成"),
        ("weixin", "林", "微信号只有"),
        ("look", "gold", "请选择一种样子"),
    ] {
        let answer = member.post(PAGE, &fields(&[(field, value), ("shown", "phone")])).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{field}={value}: no {told}");
        assert!(page.contains("走路，拍照。") && page.contains("山海, 影像"), "what was typed comes back");
        assert!(
            between(&page, "name=\"shown\" value=\"phone\"", ">").contains("checked"),
            "and what was chosen"
        );
        assert!(!between(&page, "name=\"shown\" value=\"title\"", ">").contains("checked"));
    }
    assert_eq!(
        server.column(&format!("select name from cards where member_id in {}", server.members())).await,
        Vec::<String>::new()
    );
}

async fn search_engines_have_what_they_may(server: Server) {
    let member = server.member("lin@example.com", "0").await;
    let visitor = server.visitor();
    save(&member, &[("shown", "title"), ("shown", "company")]).await;
    let own = address(&member).await;
    assert!(visitor.page(&own).await.contains("noindex"));
    assert!(!visitor.page("/sitemap.xml").await.contains(&own));
    save(&member, &[("shown", "title"), ("shown", "company"), ("listed", "1")]).await;
    let page = visitor.page(&own).await;
    assert!(!page.contains("noindex") && page.matches("<h1").count() == 1);
    assert!(
        page.contains(&format!("rel=\"canonical\" href=\"{}{own}\"", server.base))
            && page.contains("og:image")
    );
    assert!(visitor.page("/sitemap.xml").await.contains(&own));
    let data: Value = serde_json::from_str(&between(&page, "ld+json\">", "</script>")).unwrap();
    assert_eq!((&data["@type"], &data["mainEntity"]["@type"]), (&"ProfilePage".into(), &"Person".into()));
    assert_eq!(data["mainEntity"]["name"], "林知夏");
    assert_eq!(data["mainEntity"]["worksFor"]["name"], "山海, 影像");
    assert!(data["mainEntity"].get("telephone").is_none());
}

async fn a_card_goes_to_phones_and_to_the_print_shop(server: Server) {
    let member = server.member("lin@example.com", "0").await;
    assert_eq!(member.get(&format!("{PAGE}/card.pdf")).await.status(), StatusCode::NOT_FOUND, "no card yet");
    let picture = Part::bytes(jpeg(400, 300, 1)).file_name("脸.jpg");
    member.post_multipart("/manager/userInfo", Form::new().part("avatar", picture)).await;
    let all = ["title", "company", "picture", "phone", "email", "weixin", "address", "introduction"];
    let shown: Vec<(&str, &str)> = all.into_iter().map(|field| ("shown", field)).collect();
    save(&member, &shown).await;
    let own = address(&member).await;
    let file = server.visitor().get(&format!("{own}/card.vcf")).await;
    assert_eq!(file.headers()["content-type"], "text/vcard; charset=utf-8");
    let file = file.text().await.unwrap();
    assert!(file.starts_with("BEGIN:VCARD\r\nVERSION:3.0\r\n") && file.ends_with("END:VCARD\r\n"));
    let whole = file.replace("\r\n ", "");
    for line in [
        "FN:林知夏",
        "ORG:山海\\, 影像",
        "TEL;TYPE=WORK,VOICE:0571-8765 4321",
        "PHOTO;ENCODING=b;TYPE=JPEG:/9j/",
    ] {
        assert!(whole.contains(line), "{line} in {whole:.2000}");
    }
    assert_eq!(server.visitor().get(&format!("{own}/picture")).await.headers()["content-type"], "image/webp");
    assert_eq!(
        server.visitor().get(&format!("{own}/card.jpg")).await.headers()["content-type"],
        "image/jpeg"
    );
    for look in ["plain", "ink", "cloth"] {
        let mut fields = vec![("look", look)];
        fields.extend(&shown);
        save(&member, &fields).await;
        let pdf = member.get(&format!("{PAGE}/card.pdf")).await.bytes().await.unwrap();
        let pdf = lopdf::Document::load_mem(&pdf).unwrap();
        let pages = pdf.get_pages();
        assert_eq!(pages.len(), 2, "front and back");
        for page in pages.into_values() {
            let sizes = ["MediaBox", "TrimBox"].map(|name| {
                let numbers =
                    pdf.get_dictionary(page).unwrap().get(name.as_bytes()).unwrap().as_array().unwrap();
                let numbers: Vec<f32> = numbers.iter().map(|number| number.as_float().unwrap()).collect();
                [numbers[2] - numbers[0], numbers[3] - numbers[1]]
                    .map(|points| (points / 72.0 * 25.4).round())
            });
            assert_eq!(sizes, [[96.0, 60.0], [90.0, 54.0]], "90 × 54 mm and 3 mm around it");
        }
    }
}
