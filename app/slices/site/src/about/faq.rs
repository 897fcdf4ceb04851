//! Questions that people ask before they have something printed.

use domain::payment::Method;
use domain::print_options::{PAPER_WEIGHT_PAGES, QUANTITY};
use leptos::prelude::*;
use web::app::App;

use super::{Frame, data};

const PATH: &str = "/about/faq";

/// GET /about/faq: the same texts for people and, as data, for search engines.
#[component]
pub fn FaqPage() -> impl IntoView {
    let questions = questions();
    let data = vec![data::questions(&questions)];
    let items: Vec<_> = questions
        .into_iter()
        .map(|(question, answer)| view! { <section><h2>{question}</h2><p>{answer}</p></section> })
        .collect();
    view! {
        <Frame at=PATH data>
            <header><h1>"常见问题"</h1></header>
            <div class="questions">{items}</div>
        </Frame>
    }
}

fn questions() -> Vec<(&'static str, String)> {
    let weights: Vec<String> = PAPER_WEIGHT_PAGES
        .iter()
        .map(|(name, range)| format!("{name} {}–{} 页", range.min, range.max))
        .collect();
    vec![
        (
            "一本也印吗？",
            format!(
                "印。从 {} 本到 {} 万本都可以；从第几本起有优惠，价格页按产品列出。",
                QUANTITY.start(),
                QUANTITY.end() / 10_000
            ),
        ),
        (
            "印出来的颜色和屏幕上一样吗？",
            "不会完全一样。屏幕自己发光，纸靠反光，不同屏幕之间也有差别；印出来通常略暗、略柔。版面、裁切和换行则与屏幕上一致，它们出自同一个排版程序。"
                .into(),
        ),
        (
            "四色和六色有什么区别？",
            "高清印刷用青、品红、黄、黑四种油墨。超清印刷再加两色，过渡更细，肤色和天空更平滑；加价见价格页。".into(),
        ),
        (
            "骑马钉为什么要求页数是 4 的倍数？",
            "骑马钉是把整张纸对折，在折线上用铁丝订住。一张纸对折后有 4 面，所以页数必须是 4 的倍数。首尾两页印在封面内侧的册子，这两页另计，其余页数是 4 的倍数。"
                .into(),
        ),
        (
            "哪种装订能摊平？",
            "骑马钉、铁圈装、对裱精装、对裱平装和豪华装都能摊平，跨页照片适合对裱或豪华装。胶装与锁线的书，中缝会遮住一点画面，重要的内容请避开中间。"
                .into(),
        ),
        ("纸的克重怎么选？", format!("克重越大纸越厚。可选范围与页数有关：{}。页数不合适的克重会自动不可选。", weights.join("，"))),
        (
            "布艺封面为什么只能配精装？",
            "布面要裱在硬壳上才平整，所以只能配各种精装或豪华装。布上不印图：书名用烫金或起鼓做上去。".into(),
        ),
        (
            "照片会被压缩吗？",
            "原图一个字节也不改。JPEG 原图直接进入印刷文件；PNG、WebP，以及分辨率远超印刷所需（600 dpi 以上）的照片，会转成印刷尺寸的高质量 JPEG。网页上看到的是另外生成的小图。"
                .into(),
        ),
        (
            "不够清晰的照片会提醒吗？",
            "会。印前检查逐张计算有效分辨率，并检查文字是否超出文本框、是否离页边太近，列成清单，指明在第几页。".into(),
        ),
        (
            "下单以后还能改吗？",
            "作品随时可以接着改，但已下的订单印的是下单那一刻的版面、选项和价格。付款后 60 分钟内可以自行取消，款项退回余额，改好再下单。"
                .into(),
        ),
        ("怎样付款？", format!("{}。金额以订单页为准，下单时会再核对一次您看到的总价。", ways())),
        (
            "能开发票吗？",
            "能。付款以后在“发票”里申请，抬头可以是个人或企业；开好后在那里下载，也可以发到您写的邮箱。".into(),
        ),
        ("运费怎么算？", "按整单重量与省份计算，下单前写明。各地的首重与续重列在价格页。".into()),
        (
            "手机上能做吗？",
            "能。页面按手机屏幕设计；浏览器关掉 JavaScript，从上传到付款的每一步也都能走完。".into(),
        ),
    ]
}

/// How orders are paid here.
fn ways() -> String {
    let outside: Vec<&str> = use_context::<App>()
        .and_then(|app| payments::ways(&app).ok())
        .map(|ways| ways.all().map(Method::name).collect())
        .unwrap_or_default();
    if outside.is_empty() {
        "用账户余额付款".to_owned()
    } else {
        format!("用账户余额付款，也可以直接用{}", outside.join("、"))
    }
}
