//! The public pages: what the shop is, what it prints, what that costs, how to prepare photos. They are made for
//! search engines and for people who decide whether to trust it: nothing on them is promised that is not so.

mod contact;
mod data;
mod faq;
mod home;
mod offers;
mod photos;
mod prices;
mod privacy;
mod products;
mod samples;

use axum::http::request::Parts;
use leptos::prelude::*;
use serde_json::Value;
use web::app::App;
use web::origin::Origin;
use web::slice::PublicPage;
use web::ui::public::{AboutLinks, PublicLink, present};
use web::ui::shell::{Head, Mark};

pub use contact::ContactPage;
pub use faq::FaqPage;
pub use home::AboutPage;
pub use photos::PhotosGuidePage;
pub use prices::PricesPage;
pub use privacy::PrivacyPage;
pub use products::ProductsPage;

/// The first of the public pages.
pub const HOME: &str = "/about";
/// Where a visitor who wants a book goes; signed out, the door comes first.
const DESK: &str = "/manager/make_ebook";

/// All public pages, in the order of the footer and the sitemap.
pub static PLACES: [PublicPage; 7] = [
    PublicPage {
        path: HOME,
        name: "关于书坊",
        title: "照片书、画册的在线制作与印刷",
        description: "放进照片，自动排版成书；看过每一页，选好装订与纸张，从一本起印。价格逐项列出，原图原样保存。",
    },
    PublicPage {
        path: "/about/products",
        name: "产品与装订",
        title: "产品、开本与装订方式",
        description: "方形、A4、A5 画册与对裱相册的开本、页数和起步价；骑马钉、锁线精装、对裱、铁圈等装订各是什么样，适合多少页。",
    },
    PublicPage {
        path: "/about/prices",
        name: "价格",
        title: "照片书价格与算法",
        description: "照片书怎样计价：基础价、每页价、装订与材料、数量优惠，附一份逐项算到分的例子，以及各地运费。",
    },
    PublicPage {
        path: "/about/photos",
        name: "准备照片",
        title: "怎样准备要印的照片",
        description: "印刷照片书要多少像素：每种开本整页的像素对照、dpi、3 mm 出血、颜色与文件格式，一页讲清。",
    },
    PublicPage {
        path: "/about/faq",
        name: "常见问题",
        title: "印刷与下单的常见问题",
        description: "一本也印吗？颜色会不会有差别？骑马钉为什么要 4 的倍数？下单后能不能改？关于印刷、价格与订单的回答。",
    },
    PublicPage {
        path: "/about/privacy",
        name: "隐私",
        title: "隐私：书坊保存哪些资料",
        description: "书坊保存哪些资料、为什么保存、谁看得到。没有广告，没有第三方统计，网页不向别的网站请求任何东西。",
    },
    PublicPage {
        path: "/about/contact",
        name: "联系我们",
        title: "联系书坊",
        description: "书坊由谁经营，怎样找到我们；询问订单、文件或资料时请带上什么。",
    },
];

/// The public page at a path.
pub fn place(path: &str) -> Option<&'static PublicPage> {
    PLACES.iter().find(|place| place.path == path)
}

/// What stands around every public page, and what it tells search engines.
#[component]
fn Frame(
    /// The page's own path.
    at: &'static str,
    /// What is on the page in schema.org's words, beside the shop and the way here.
    #[prop(optional)]
    data: Vec<Value>,
    children: Children,
) -> impl IntoView {
    let place = place(at).unwrap_or(&PLACES[0]);
    if let Some(base) = use_base() {
        let mut graph = Vec::new();
        if at != HOME {
            graph.push(data::breadcrumbs(&base, place));
        }
        graph.extend(data);
        present(&base, at, place.description, graph);
    }
    // the first four after the front page; the rest is in the footer
    let main_links: Vec<_> = PLACES[1..5].iter().map(|page| view! { <PublicLink page at/> }).collect();
    let way_here = (at != HOME).then(|| {
        view! {
            <nav class="crumbs" aria-label="位置">
                <a href=HOME>"书坊"</a>
                <span aria-hidden="true">"/"</span>
                <span aria-current="page">{place.name}</span>
            </nav>
        }
    });
    let company = use_context::<App>().and_then(|app| app.config.contact.company.clone());
    view! {
        <Head title=place.title.to_owned() assets=&["about.css"]/>
        <a class="skip" href="#main">"跳到正文"</a>
        <header class="masthead">
            <a class="brand" href=HOME><Mark/>"书坊"</a>
            <nav aria-label="主要栏目">{main_links}</nav>
            <a class="button" href=domain::return_path::LOGIN>"登录"</a>
        </header>
        <main id="main" class="about" tabindex="-1">{way_here}{children()}</main>
        <footer class="colophon">
            <AboutLinks at/>
            <p class="quiet">{company.unwrap_or_else(|| "书坊".to_owned())}" · 照片书与画册的制作和印刷"</p>
        </footer>
    }
}

/// Where this site is found; only a public page is told.
fn use_base() -> Option<Origin> {
    use_context::<Parts>().and_then(|parts| parts.extensions.get::<Origin>().cloned())
}

/// The program of this request.
fn use_app() -> Result<App, base::error::Error> {
    use_context::<App>().ok_or_else(|| base::error::Error::internal("a page outside a request"))
}
