//! The public pages: what search engines and anonymous visitors get.

use domain::goods::Goods;
use domain::price::quote;
use domain::print_options::{Quantity, default_choice, evaluate};
use domain::tier::Tier;
use reqwest::StatusCode;
use serde_json::Value;

use support::{Server, between, between_all, brotli_size, on_both_engines, structured_data};

const PATHS: [&str; 7] = [
    "/about",
    "/about/products",
    "/about/prices",
    "/about/photos",
    "/about/faq",
    "/about/privacy",
    "/about/contact",
];

on_both_engines!(
    heads_say_what_the_page_is;
    on_sqlite:
    prices_are_those_of_the_price_book,
    questions_are_the_pages_own,
    pages_are_the_same_for_everybody,
    unchanged_pages_are_not_sent_again,
    robots_and_sitemap_lead_to_the_pages,
    unknown_addresses_are_missing,
    pages_are_small,
);

async fn pages_are_small(server: Server) {
    let visitor = server.visitor();
    for path in PATHS {
        let page = visitor.page(path).await;
        let mut weight = brotli_size(page.as_bytes());
        for asset in between_all(&page, "\"/assets/", "\"") {
            let bytes = visitor.get(&format!("/assets/{asset}")).await.bytes().await.unwrap();
            if asset.ends_with(".css") {
                weight += brotli_size(&bytes);
            } else if asset.ends_with(".js") {
                assert!(brotli_size(&bytes) <= 3_000, "{path}: {asset}");
            }
        }
        println!("{path}: {weight} bytes");
        assert!(weight <= 14_600, "{path} has {weight} bytes");
        assert_eq!(
            page.matches("<script type=\"module\"").count(),
            1,
            "{path}: the progress bar and no more"
        );
        assert!(!page.contains("react-island"), "{path}");
    }
}

async fn heads_say_what_the_page_is(server: Server) {
    let visitor = server.visitor();
    let mut titles = Vec::new();
    for path in PATHS {
        let page = visitor.page(path).await;
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"zh-CN\">"), "{path}");
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        for trace in ["<!>", "<!--", " onclick", " style=", "nonce"] {
            assert!(!page.contains(trace), "{path} has {trace}");
        }
        let title = between(&page, "<title>", "</title>");
        let description = between(&page, "<meta name=\"description\" content=\"", "\"");
        assert!((20..=120).contains(&description.chars().count()), "{path}: {description}");
        let address = format!("{}{path}", server.base);
        assert_eq!(between(&page, "<link rel=\"canonical\" href=\"", "\""), address);
        let og =
            |property: &str| between(&page, &format!("<meta property=\"og:{property}\" content=\""), "\"");
        assert_eq!(og("title"), title);
        assert_eq!(og("description"), description);
        assert_eq!(og("type"), "website");
        assert_eq!(og("url"), address);
        let picture = visitor.get(og("image").strip_prefix(&server.base).expect("absolute")).await;
        assert_eq!(picture.status(), StatusCode::OK);
        assert_eq!(picture.headers()["content-type"], "image/jpeg");
        let things = structured_data(&page);
        assert_eq!(things[0]["@type"], "Organization");
        assert_eq!(things.iter().any(|thing| thing["@type"] == "BreadcrumbList"), path != "/about", "{path}");
        titles.push(title);
    }
    titles.dedup();
    assert_eq!(titles.len(), PATHS.len(), "every page has a title of its own");
}

async fn prices_are_those_of_the_price_book(server: Server) {
    let visitor = server.visitor();
    let page = visitor.page("/about/products").await;
    let products: Vec<Value> =
        structured_data(&page).into_iter().filter(|thing| thing["@type"] == "Product").collect();
    assert!(!products.is_empty());
    let goods = built_in_goods();
    for product in &products {
        let goods = goods.iter().find(|goods| product["name"] == goods.name.as_str()).expect("known goods");
        let total = price(goods, goods.pages.min, 1).total;
        assert_eq!(product["offers"]["price"], total.to_string(), "{}", goods.name);
        assert_eq!(product["offers"]["priceCurrency"], "CNY");
        assert!(page.contains(&format!("<small>¥</small>{}", total.grouped())), "{}", goods.name);
    }

    // the worked example: its lines stand on the page and sum to the total
    let page = visitor.page("/about/prices").await;
    let example = price(goods.iter().find(|goods| goods.id.as_str() == "album-210").unwrap(), 48, 20);
    let table = between(&page, "<table class=\"reckoning\">", "</table>");
    let table = table.replace("\u{2212}<small>¥</small>", "<small>¥</small>-");
    let amounts: Vec<i64> = between_every(&table, "<small>¥</small>", "<")
        .iter()
        .map(|amount| amount.replace([',', '.'], "").parse().unwrap())
        .collect();
    let (total, lines) = amounts.split_last().unwrap();
    assert_eq!(lines.iter().sum::<i64>(), *total);
    assert_eq!(*total, example.total.0);
    assert_eq!(lines, example.lines.iter().map(|line| line.amount.0).collect::<Vec<_>>());
}

async fn questions_are_the_pages_own(server: Server) {
    let page = server.visitor().page("/about/faq").await;
    let things = structured_data(&page);
    let questions = things.iter().find(|thing| thing["@type"] == "FAQPage").expect("questions");
    let questions = questions["mainEntity"].as_array().unwrap();
    assert!(questions.len() >= 10);
    for question in questions {
        assert!(page.contains(&format!("<h2>{}</h2>", question["name"].as_str().unwrap())));
        assert!(page.contains(&format!("<p>{}</p>", question["acceptedAnswer"]["text"].as_str().unwrap())));
    }
}

async fn pages_are_the_same_for_everybody(server: Server) {
    let member = server.member("reader@example.com", "12.34").await;
    for path in PATHS {
        let answer = member.get(path).await;
        assert!(!answer.headers().contains_key("set-cookie"), "{path}");
        assert_eq!(answer.text().await.unwrap(), server.visitor().page(path).await, "{path}");
    }
}

async fn unchanged_pages_are_not_sent_again(server: Server) {
    let visitor = server.visitor();
    let first = visitor.get("/about").await;
    let headers = first.headers().clone();
    assert_eq!(headers["cache-control"], "public, max-age=300, stale-while-revalidate=86400");
    assert_eq!(headers["vary"], "accept-encoding");
    let etag = headers["etag"].to_str().unwrap().to_owned();
    for tag in [etag.clone(), format!("\"other\", {etag}"), "*".to_owned()] {
        let again = visitor.get_with("/about", &[("if-none-match", &tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{tag}");
        assert_eq!(again.headers()["etag"], etag.as_str());
        assert_eq!(again.headers()["cache-control"], headers["cache-control"]);
        assert!(again.text().await.unwrap().is_empty());
    }
    let changed = visitor.get_with("/about", &[("if-none-match", "W/\"other\"")]).await;
    assert_eq!(changed.status(), StatusCode::OK);

    let html = changed.bytes().await.unwrap();
    let packed = visitor.get_with("/about", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(packed.headers()["content-encoding"], "br");
    assert_eq!(packed.headers()["etag"], etag.as_str());
    let mut unpacked = Vec::new();
    brotli::BrotliDecompress(&mut &*packed.bytes().await.unwrap(), &mut unpacked).unwrap();
    assert_eq!(unpacked, html);
}

async fn robots_and_sitemap_lead_to_the_pages(server: Server) {
    let visitor = server.visitor();
    let robots = visitor.page("/robots.txt").await;
    for line in [
        "User-agent: *",
        "Allow: /about",
        "Allow: /manager/login$",
        "Disallow: /manager/",
        "Disallow: /cart/",
    ] {
        assert!(robots.lines().any(|known| known == line), "{line} in {robots}");
    }
    let sitemap = between(&robots, "Sitemap: ", "\n");
    let answer = visitor.get(sitemap.strip_prefix(&server.base).expect("absolute")).await;
    assert_eq!(answer.headers()["content-type"], "application/xml; charset=utf-8");
    let places = between_all(&answer.text().await.unwrap(), "<loc>", "</loc>");
    assert_eq!(places, PATHS.map(|path| format!("{}{path}", server.base)));
    for place in places {
        visitor.page(place.strip_prefix(&server.base).unwrap()).await;
    }
}

async fn unknown_addresses_are_missing(server: Server) {
    let visitor = server.visitor();
    for path in ["/about/nowhere", "/about/products/album-210", "/about/%3Cscript%3E"] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        let page = answer.text().await.unwrap();
        assert!(page.contains("没有找到这一页") && page.contains("href=\"/about\""), "{path}");
    }
    let answer = visitor.get("/about/").await;
    assert_eq!(answer.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(answer.headers()["location"], "/about");
}

fn built_in_goods() -> Vec<Goods> {
    std::fs::read_dir(support::repository("app/slices/catalog/goods"))
        .unwrap()
        .map(|file| toml::from_str(&std::fs::read_to_string(file.unwrap().path()).unwrap()).unwrap())
        .collect()
}

/// What a new member pays for copies as proposed.
fn price(goods: &Goods, pages: u32, count: u32) -> domain::price::Quote {
    let choice = evaluate(goods, pages, &default_choice(goods, pages)).choice();
    quote(goods, pages, &choice, Quantity::try_from(count).unwrap(), Tier::Basic).unwrap()
}

/// What stands between two marks, every time, repetitions, too.
fn between_every(text: &str, start: &str, end: &str) -> Vec<String> {
    text.split(start).skip(1).map(|rest| rest.split_once(end).unwrap().0.to_owned()).collect()
}
