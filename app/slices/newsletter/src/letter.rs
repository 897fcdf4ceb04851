//! An issue as a mail: a text, and a page that says the same with a few pictures, readable in the dark, without anything that is
//! fetched from anywhere when it is opened.

use std::fmt::Write;

use domain::newsletter::{MOST_BYTES, in_base64};
use domain::xml::escaped;

use publications::{ArticleInLetter, IssueInLetter, Title};
use web::origin::Origin;

/// A letter in words.
pub struct Written {
    pub subject: String,
    pub text: String,
    pub html: String,
    pub pictures: Vec<(&'static str, Vec<u8>)>,
}

/// What pictures are called in the page.
const COVER: &str = "cover";
const PHOTOS: [&str; 3] = ["photo1", "photo2", "photo3"];
/// Bytes of a letter's head and of what stands between its parts.
const AROUND: usize = 4_000;

const STYLE: &str = "\
:root{color-scheme:light dark;supported-color-schemes:light dark}\
body{margin:0;padding:24px 16px;font:17px/1.7 -apple-system,'PingFang SC','Microsoft YaHei',sans-serif;color:#1d2433;background:#fbfaf7}\
main{max-width:560px;margin:0 auto}\
h1{font-size:26px;line-height:1.4;margin:0;text-align:center;letter-spacing:.1em}\
h2{font-size:19px;line-height:1.5;margin:0}\
a{color:#203864}\
h1 a,h2 a{text-decoration:none}\
p{margin:4px 0}\
.day,.by,.foot{color:#5a6170;font-size:14px}\
.day{text-align:center;padding-bottom:12px;border-bottom:3px double #8a90a0}\
.cover{display:block;margin:20px auto;width:180px;height:auto;border:1px solid #c9ccd4}\
.article{padding:16px 0;border-bottom:1px solid #d8dae0}\
.photo{display:block;max-width:100%;height:auto;margin:8px 0}\
.on{margin:20px 0;text-align:center}\
.foot{margin-top:24px}\
@media (prefers-color-scheme:dark){\
body{color:#e6e8ee;background:#14171f}\
a{color:#a9c1f5}\
.day,.by,.foot{color:#a6adbb}\
.cover,.article,.day{border-color:#4a5160}}";

/// Writes a letter; `leave` ends its reader's letters.
pub fn write(issue: &IssueInLetter, base: &Origin, leave: &str) -> Written {
    let subject = format!("《{}》{}", issue.title.name, issue.called);
    let text = text(issue, base, leave);
    // as many pictures as there is room for, the cover first
    let mut left = MOST_BYTES
        .saturating_sub(AROUND + in_base64(text.len()) + in_base64(html(issue, base, leave, &[]).len()));
    let photos = issue.articles.iter().filter_map(|article| article.photo.as_ref());
    let cover = issue.cover.iter().map(|(jpeg, _)| (COVER, jpeg));
    let mut pictures = Vec::new();
    for (name, jpeg) in cover.chain(PHOTOS.into_iter().zip(photos)) {
        let bytes = in_base64(jpeg.len()) + 400;
        if bytes <= left {
            left -= bytes;
            pictures.push((name, jpeg.clone()));
        }
    }
    let names: Vec<&str> = pictures.iter().map(|(name, _)| *name).collect();
    Written { html: html(issue, base, leave, &names), subject, text, pictures }
}

/// What stands in the head: which list it is of (RFC 2919), and how it is left by one press (RFC 2369, RFC 8058).
pub fn headers(base: &Origin, title: &Title, leave: &str) -> Vec<(&'static str, String)> {
    let home = base.join("");
    let host = home.split("://").nth(1).unwrap_or_default().split([':', '/']).next().unwrap_or_default();
    let list = title.path.trim_start_matches('/').replace('/', ".");
    let mut fields = vec![
        ("List-Id", format!("<{list}.{host}>")),
        ("List-Unsubscribe", format!("<{leave}>")),
        // nobody's absence is told to it (RFC 3834)
        ("Auto-Submitted", "auto-generated".to_owned()),
    ];
    // one press goes over https alone
    if leave.starts_with("https://") {
        fields.push(("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
    }
    fields
}

const SOLD: &str = "全文要订阅或购买；登录以后，买过的就能读。";

fn text(issue: &IssueInLetter, base: &Origin, leave: &str) -> String {
    let IssueInLetter { title, called, path, articles, more, is_sold, .. } = issue;
    let mut out = format!("《{}》{called}\n{}\n\n", title.name, base.join(path));
    for ArticleInLetter { headline, author, beginning, path, .. } in articles {
        let _ = writeln!(out, "■ {headline}");
        for line in [author, beginning].into_iter().filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out, "{}\n", base.join(path));
    }
    if *more > 0 {
        let _ = writeln!(out, "还有 {more} 篇，在这里：{}\n", base.join(path));
    }
    if *is_sold {
        let _ = writeln!(out, "{SOLD}\n");
    }
    let _ = writeln!(
        out,
        "-- \n您订阅了《{}》的新一期，所以收到这封信。不想再收到，请打开：\n{leave}",
        title.name
    );
    out
}

fn html(issue: &IssueInLetter, base: &Origin, leave: &str, pictures: &[&str]) -> String {
    let IssueInLetter { title, called, path, articles, more, is_sold, cover } = issue;
    let (name, called, place) = (escaped(&title.name), escaped(called), escaped(&base.join(path)));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"zh-CN\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"supported-color-schemes\" content=\"light dark\">\
         <title>《{name}》{called}</title><style>{STYLE}</style></head>\n<body><main>\
         <h1><a href=\"{place}\">{name}</a></h1>\n<p class=\"day\">{called}</p>\n"
    );
    if let Some((_, width)) = cover.as_ref().filter(|_| pictures.contains(&COVER)) {
        let _ = writeln!(
            out,
            "<a href=\"{place}\"><img class=\"cover\" src=\"cid:{COVER}\" width=\"{}\" alt=\"《{name}》{called}的头版\"></a>",
            width / 2
        );
    }
    let mut photos = PHOTOS.into_iter();
    for ArticleInLetter { headline, author, beginning, path, photo } in articles {
        let place = escaped(&base.join(path));
        let _ =
            writeln!(out, "<div class=\"article\"><h2><a href=\"{place}\">{}</a></h2>", escaped(headline));
        if !author.is_empty() {
            let _ = writeln!(out, "<p class=\"by\">{}</p>", escaped(author));
        }
        let picture = photo.as_ref().and_then(|_| photos.next()).filter(|name| pictures.contains(name));
        if let Some(picture) = picture {
            let _ =
                writeln!(out, "<a href=\"{place}\"><img class=\"photo\" src=\"cid:{picture}\" alt=\"\"></a>");
        }
        if !beginning.is_empty() {
            let _ = writeln!(out, "<p>{}</p>", escaped(beginning));
        }
        out.push_str("</div>\n");
    }
    if *more > 0 {
        let _ = writeln!(out, "<p class=\"on\"><a href=\"{place}\">还有 {more} 篇</a></p>");
    } else {
        let _ = writeln!(out, "<p class=\"on\"><a href=\"{place}\">打开这一期</a></p>");
    }
    if *is_sold {
        let _ = writeln!(out, "<p class=\"by\">{SOLD}</p>");
    }
    let _ = writeln!(
        out,
        "<p class=\"foot\">您订阅了《{name}》的新一期，所以收到这封信。<a href=\"{}\">不再接收</a></p></main></body></html>",
        escaped(leave)
    );
    out
}
