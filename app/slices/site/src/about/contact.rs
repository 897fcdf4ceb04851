//! Who runs the shop and how to reach them, as far as the host has said.

use leptos::prelude::*;
use web::app::App;

use super::Frame;

const PATH: &str = "/about/contact";

/// GET /about/contact
#[component]
pub fn ContactPage() -> impl IntoView {
    let contact = use_context::<App>().map(|app| app.config.contact.clone()).unwrap_or_default();
    let unknown = contact.email.is_none() && contact.phone.is_none();
    let company = contact.company.map(|company| view! { <dt>"经营者"</dt><dd>{company}</dd> });
    let email = contact.email.map(|email| {
        view! { <dt>"邮箱"</dt><dd><a href=format!("mailto:{email}")>{email.clone()}</a></dd> }
    });
    let phone = contact.phone.map(|phone| {
        let number: String = phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
        view! { <dt>"电话"</dt><dd><a class="num" href=format!("tel:{number}")>{phone}</a></dd> }
    });
    let missing = unknown
        .then(|| view! { <p>"这里的经营者还没有留下联系方式。账户若是别人为您开通的，请先问那位。"</p> });
    view! {
        <Frame at=PATH>
            <header>
                <h1>"联系我们"</h1>
                <p class="lead">"关于印刷、订单和您的资料，都可以问。"</p>
            </header>
            <section>
                <dl class="words">{company}{email}{phone}</dl>
                {missing}
            </section>
            <section>
                <h2>"请带上这些"</h2>
                <dl class="words">
                    <dt>"问订单"</dt>
                    <dd>"订单号，在“订单”页可以看到。请不要发密码。"</dd>
                    <dt>"收到的书有问题"</dt>
                    <dd>"订单号，以及能看清问题的照片：整页一张，局部一张。"</dd>
                    <dt>"页面出错"</dt>
                    <dd>"错误页上的编号，和出错时您在做什么。有编号就能在日志里找到那一次请求。"</dd>
                </dl>
            </section>
        </Frame>
    }
}
