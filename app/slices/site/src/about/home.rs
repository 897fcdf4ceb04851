//! What the shop is.

use leptos::prelude::*;
use web::render::loaded;
use web::ui::parts::Money;

use super::offers::{self, Offer};
use super::samples::{Format, Spread};
use super::{DESK, Frame, HOME, use_app};

/// GET /about
#[component]
pub fn AboutPage() -> impl IntoView {
    let app = use_app();
    let load = async move {
        let app = app?;
        Ok((app.config.photo_kinds(), offers::all(&app).await?))
    };
    loaded(load, |(kinds, offers)| {
        let makeable = offers.iter().filter(|offer| offer.is_made_here);
        let goods: Vec<_> = makeable.map(|offer| view! { <Goods offer/> }).collect();
        view! {
            <Frame at=HOME>
                <section class="opening">
                    <div>
                        <h1>"把照片做成一本书"</h1>
                        <p class="lead">
                            "放进照片，程序按拍摄时间和横竖排好版。您看过每一页，选好装订与纸张，从一本起印。"
                        </p>
                        <p class="row">
                            <a class="button primary" href=DESK>"开始做书"</a>
                            <a class="link" href="/about/prices">"先看价格"</a>
                        </p>
                    </div>
                    <Spread/>
                </section>
                <section>
                    <h2>"怎样做成一本书"</h2>
                    <ol class="stages">
                        <li>
                            <h3>"放进照片"</h3>
                            <p>{kinds}" 都可以，每张不超过 100 MB、6000 万像素。原图原样保存，不压缩。"</p>
                        </li>
                        <li>
                            <h3>"看排好的版"</h3>
                            <p>"照片按拍摄先后与横竖排成对页。书名和图注随时可以改，不够清晰的照片会逐张提醒。"</p>
                        </li>
                        <li>
                            <h3>"选装订与纸张"</h3>
                            <p>"每换一个选项，价格随即重算，逐项列出。页数不合适的选项会写明原因。"</p>
                        </li>
                        <li>
                            <h3>"下单"</h3>
                            <p>"运费按重量与省份写明。付款后 60 分钟内可以自行取消，款项退回余额。"</p>
                        </li>
                    </ol>
                </section>
                <section>
                    <h2>"能印成什么"</h2>
                    <ul class="formats">{goods}</ul>
                    <p><a class="link" href="/about/products">"看全部开本与装订"</a></p>
                </section>
                <section>
                    <h2>"三件说到做到的事"</h2>
                    <dl class="words">
                        <dt>"原图不动"</dt>
                        <dd>
                            "上传的文件一个字节也不改。印刷文件直接用 JPEG 原图；网页上显示的小图另外生成，不带拍摄地点和相机序列号。"
                        </dd>
                        <dt>"看到的就是印出来的"</dt>
                        <dd>"屏幕上的页面与印刷文件出自同一个排版程序：同样的换行，同样的裁切。"</dd>
                        <dt>"价格说得清"</dt>
                        <dd>
                            "总价由一本公开的价目表逐项算出，精确到分。下单时价格与版面一同定下，之后改价不影响已下的订单。"
                        </dd>
                    </dl>
                </section>
                <section class="closing">
                    <h2>"从一张照片开始"</h2>
                    <p class="row">
                        <a class="button primary" href=DESK>"开始做书"</a>
                        <a class="link" href="/about/photos">"怎样准备照片"</a>
                    </p>
                </section>
            </Frame>
        }
    })
}

#[component]
fn Goods<'a>(offer: &'a Offer) -> impl IntoView + use<> {
    let goods = &offer.goods;
    view! {
        <li>
            <Format trim=goods.trim/>
            <div>
                <h3><a href=format!("/about/products#{}", goods.id)>{goods.name.clone()}</a></h3>
                <p class="quiet">{goods.description.clone()}</p>
                <p><Money amount=offer.quote.total/><span class="quiet">{format!("（{}）", offer.terms())}</span></p>
            </div>
        </li>
    }
}
