//! GET /manager/opus_share_edit/{id}: who may read a work, and how.

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::compare::compare;
use domain::ids::WorkId;
use domain::money::Fen;
use domain::sharing::{Direction, Visibility};
use domain::tier::{Feature, Tier, allows};
use leptos::prelude::*;
use press::PageRef;
use web::origin::Origin;
use web::render::{Here, here, loaded, parameter, use_form, use_query};
use web::ui::parts::{Ask, Book, ErrorSummary, Field, FieldError, Limit, Money, area_text};
use web::ui::qr;
use web::ui::shell::Shell;

use crate::forms::{DESCRIPTION_LENGTH, MOST_SITES};
use crate::store::{self, Share};
use orders::{self, Sold};
use works::{self, Work, picture_address};

/// What a shared work is just now, in a few words.
pub fn state_text(share: &Share, now: i64) -> String {
    if let Some(reason) = &share.withdrawn_reason {
        return format!("已被下架（{reason}）");
    }
    if share.is_trashed {
        return "在回收站里，别人看不到".into();
    }
    if share.withdrawn_at.is_some() {
        return "已收回，别人看不到".into();
    }
    if share.settings.ends_at.is_some_and(|end| end <= now) {
        return "分享已到期，别人看不到".into();
    }
    match share.settings.visibility {
        Visibility::Private => "私密，只有您能看".into(),
        Visibility::Link => "知道链接的人能看".into(),
        Visibility::Password => "知道链接和密码的人能看".into(),
        Visibility::Public => "公开，所有人能看".into(),
    }
}

struct Shown {
    here: Here,
    work: Work,
    share: Option<Share>,
    /// How many pages differ between what readers see and the work.
    changed: usize,
    /// Whether what readers see is still among the versions.
    has_before: bool,
    address: String,
    code: Option<String>,
    /// Printed copies that readers ordered.
    sold: Sold,
    /// Readers who have it by what they bought.
    buyers: usize,
    /// How many bought it by itself, and for how much.
    singles: (usize, Fen),
}

/// The form, and what can be sent to others.
#[component]
pub fn SharePage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let base = Origin::of(&here.app.config, &parts.headers);
            load(here, id, base).await
        },
        |shown| view! { <Sharing shown/> },
    )
}

async fn load(here: Here, id: WorkId, base: Origin) -> Result<Shown, Error> {
    let work = works::for_owner(&here.app, &id, &here.member.id).await?.on_shelf()?;
    let share = store::find(&here.app.db, &id).await?;
    let mut changed = 0;
    if let Some(share) = &share
        && share.revision != work.revision
    {
        let before = store::document(&here.app.db, &id).await?;
        let comparison = compare(&before, &work.document);
        changed = comparison.pages.len().max(usize::from(!comparison.facts.is_empty()));
    }
    let address = base.join(&format!("/read/{id}"));
    let code = match &share {
        Some(_) => Some(qr::picture(&address, "分享地址的二维码")?),
        None => None,
    };
    let sold = orders::sold_copies(&here.app.db, &here.member.id, &id).await?;
    let has_before = match share.as_ref().filter(|_| changed > 0) {
        Some(share) => works::has_revision(&here.app, &id, &here.member.id, share.revision).await?,
        None => false,
    };
    let buyers = selling::readers_of(&here.app.db, "work", id.as_str(), now_ms()).await?.len();
    let singles = selling::singles(&here.app.db, &here.member.id, "work", id.as_str()).await?;
    Ok(Shown { here, work, share, changed, has_before, address, code, sold, buyers, singles })
}

#[component]
fn Sharing(shown: Shown) -> impl IntoView {
    let Shown { here, work, share, changed, has_before, address, code, sold, buyers, singles } = shown;
    let saved = use_query("saved").filter(|_| !use_form().is_sent()).map(|what| {
        let words = match what.as_str() {
            "published" => "已发布，读者现在看到的就是这一版。",
            "withdrawn" => "已收回，别人不能再看了。",
            "refunded" => "已收回，正在给单独买过它的读者退款。每一单的结果在“销售订单”里。",
            _ => "已保存，马上生效。",
        };
        view! { <div class="notice good" role="status">{words}</div> }
    });
    let state = match &share {
        None => "还没有发布，别人看不到。".to_owned(),
        Some(share) => format!("{}。读者看到的是第 {} 版", state_text(share, now_ms()), share.revision),
    };
    let tier = here.member.tier;
    // what could not be given back at once is given back when there is income again
    let is_withdrawn = share.as_ref().is_some_and(|share| share.withdrawn_at.is_some());
    let owed = (is_withdrawn && singles.0 > 0).then(|| {
        view! { <p><Refunding singles withdrawal=format!("/manager/opus_share_edit/{}/withdrawal", work.id)/></p> }
    });
    let panel = share
        .clone()
        .filter(|share| share.withdrawn_at.is_none())
        .map(|share| view! { <Sending share address code buyers singles/> });
    view! {
        <Shell member=here.member title="分享设置".to_owned() assets=&["works.css", "share.css"]>
            <header class="head">
                <div>
                    <h1>"分享设置"</h1>
                    <p class="quiet">
                        <a href=format!("/manager/opus/{}", work.id)>{format!("《{}》", work.document.title)}</a>
                        " · "{state}
                    </p>
                </div>
            </header>
            {saved}
            <ErrorSummary title="还没有保存"/>
            {panel}
            {owed}
            <Settings work share changed has_before tier sold/>
        </Shell>
    }
}

/// Whether everybody who bought it by itself shall have the money back, and nobody read it any more.
#[component]
fn Refunding(singles: (usize, Fen), withdrawal: String) -> impl IntoView {
    let (count, paid) = singles;
    let question = format!(
        "单独买过它的 {count} 位读者，共付 ¥{}，全部退到他们的账户余额，从您的收入里出；退款以后他们不能再读。随套餐买的不受影响。",
        paid.grouped()
    );
    view! { <Ask label="收回并退款" question confirm="收回并全部退款" action=format!("{withdrawal}?refund=all")/> }
}

/// What can be sent: link, QR code, and the code for other sites' pages.
#[component]
fn Sending(
    share: Share,
    address: String,
    code: Option<String>,
    buyers: usize,
    /// How many bought it by itself, and for how much.
    singles: (usize, Fen),
) -> impl IntoView {
    let embed = address.replacen("/read/", "/embed/", 1);
    let ratio = share.facts.trim.height / share.facts.trim.width;
    let height = (720.0 * ratio).round() + 200.0;
    let frame = format!(
        "<iframe src=\"{embed}\" width=\"720\" height=\"{height}\" style=\"border:0;max-width:100%\" \
         title=\"{}\" loading=\"lazy\" allowfullscreen></iframe>",
        share.settings.title.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
    );
    let embedded = (!share.settings.embed_sites.is_empty()).then(|| {
        view! {
            <details class="embed">
                <summary>"嵌入到网页的代码"</summary>
                <textarea readonly rows="4" aria-label="嵌入代码">{area_text(&frame)}</textarea>
            </details>
        }
    });
    let mut question = "收回以后，别人马上就看不到了，链接也不再显示内容。以后再发布，地址不变。".to_owned();
    if buyers > 0 {
        question =
            format!("有 {buyers} 位读者买过它，收回以后他们仍然可以读，别人不能。以后再发布，地址不变。");
    }
    let base = format!("/manager/opus_share_edit/{}", share.work);
    let withdrawal = format!("{base}/withdrawal");
    let refunding = (singles.0 > 0).then(|| view! { <Refunding singles withdrawal=withdrawal.clone()/> });
    view! {
        <section class="sending">
            <div class="code">
                <div inner_html=code></div>
                <p>
                    <a class="link" href=format!("{base}/poster.jpg") download>"存海报"</a>
                    <a class="link" href=format!("{base}/code.svg") download>"存二维码"</a>
                </p>
            </div>
            <div class="stack">
                <div class="field">
                    <label for="link">"链接"</label>
                    <input id="link" class="num" readonly value=address.clone() data-copy/>
                </div>
                <p class="row">
                    <a class="button" href=format!("/read/{}", share.work)>"打开看看"</a>
                    <a class="button" href=format!("/manager/opus_hotarea_edit/{}", share.work)>"热区"</a>
                    <Ask
                        label="收回分享"
                        question
                        confirm="收回"
                        action=withdrawal
                    />
                    {refunding}
                </p>
                {embedded}
            </div>
        </section>
    }
}

#[component]
fn Settings(
    work: Work,
    share: Option<Share>,
    changed: usize,
    has_before: bool,
    tier: Tier,
    sold: Sold,
) -> impl IntoView {
    let form = use_form();
    let known = share.as_ref().map(|share| &share.settings);
    let is_withdrawn = share.as_ref().is_some_and(|share| share.withdrawn_at.is_some());
    let is_barred = share.as_ref().is_some_and(|share| share.withdrawn_reason.is_some());
    let visibility = form.or("visibility", known.map_or("link", |known| known.visibility.code()));
    let direction = form.or("direction", known.map_or("left", |known| known.direction.code()));
    let ends = known.and_then(|known| known.ends_at).map(|end| time::day(end - 1)).unwrap_or_default();
    let description =
        form.or("description", known.map_or(&work.document.description, |known| &known.description));
    let sites = form.or("embed_sites", &known.map(|known| known.embed_sites.join("\n")).unwrap_or_default());
    let title = known.map_or(&work.document.title, |known| &known.title).clone();
    let has_password = known.is_some_and(|known| known.password_hash.is_some());
    let card_page = form.or("card_page", &known.map_or(0, |known| known.card_page).to_string());
    let visibilities: Vec<_> = Visibility::ALL
        .into_iter()
        .map(|choice| {
            let code = choice.code();
            view! {
                <label class="choice">
                    <input type="radio" name="visibility" value=code checked=code == visibility/>
                    <span><strong>{choice.name()}</strong><small>{choice.meaning()}</small></span>
                </label>
            }
        })
        .collect();
    let directions: Vec<_> = Direction::ALL
        .into_iter()
        .map(|choice| {
            let code = choice.code();
            view! { <option value=code selected=code == direction>{choice.name()}</option> }
        })
        .collect();
    let first = share.is_none() || is_withdrawn;
    let compared = share.as_ref().filter(|_| has_before).map(|share| {
        format!("/manager/opus/{}/comparison?before={}&after={}", work.id, share.revision, work.revision)
    });
    let news = (changed > 0 && !is_withdrawn).then(|| {
        view! {
            <div class="notice warn">
                <p>
                    {format!("作品在发布以后改过（{changed} 处）。读者看到的还是发布时的样子。")}
                    {compared.map(|href| view! { <a href=href>"看改了什么"</a> })}
                </p>
            </div>
        }
    });
    let buttons = if is_barred {
        view! { <p class="hint">"这件作品被下架了，要重新发布请先联系我们。"</p> }.into_any()
    } else if first {
        view! { <button class="button primary" name="act" value="publish">"发布"</button> }.into_any()
    } else {
        let again = (changed > 0)
            .then(|| view! { <button class="button" name="act" value="publish">"保存并发布最新版"</button> });
        view! { {again}<button class="button primary" name="act" value="save">"保存设置"</button> }.into_any()
    };
    view! {
        {news}
        <form class="desk" method="post" action=format!("/manager/opus_share_edit/{}", work.id)>
            <div class="part sharing">
                <Book
                    src=picture_address(&work.id, work.revision, PageRef::Cover, 320)
                    trim=work.document.trim
                    alt=String::new()
                />
                <fieldset id="visibility">
                    <legend>"谁可以看"</legend>
                    <div class="choices">{visibilities}</div>
                    <FieldError name="visibility".to_owned()/>
                </fieldset>
            </div>
            <section class="part">
                <div class="fields two">
                    <Field
                        name="password"
                        label=if has_password { "新密码（不改就空着）" } else { "密码（选了“密码”才用得到）" }
                        kind="password"
                        autocomplete="new-password"
                        most=64
                    />
                    <Field name="ends_on" label="看到哪一天为止（不填就一直能看）" kind="date" value=ends/>
                    <Field name="title" label="分享时的标题" value=title most=60 required=true/>
                    <div class="field">
                        <label for="direction">"怎样翻页"</label>
                        <select id="direction" name="direction">{directions}</select>
                        <FieldError name="direction".to_owned()/>
                    </div>
                    <div class="field all">
                        <label for="description">"一两句介绍"</label>
                        <Limit name="description" most=DESCRIPTION_LENGTH.to_string()/>
                        <textarea id="description" name="description" rows="3" maxlength=DESCRIPTION_LENGTH.to_string() aria-describedby="description-limit">
                            {area_text(&description)}
                        </textarea>
                        <FieldError name="description".to_owned()/>
                    </div>
                    <div class="field">
                        <label for="card_page">"卡片上用哪一页的图（0 是封面）"</label>
                        <input id="card_page" name="card_page" inputmode="numeric" value=card_page/>
                        <FieldError name="card_page".to_owned()/>
                    </div>
                    <div class="field all">
                        <label for="embed_sites">{format!("哪些网站可以嵌入它（一行一个网址，最多 {MOST_SITES} 个；不填就都不可以）")}</label>
                        <textarea id="embed_sites" name="embed_sites" rows="2" placeholder="https://example.com">
                            {area_text(&sites)}
                        </textarea>
                        <FieldError name="embed_sites".to_owned()/>
                    </div>
                </div>
            </section>
            <Selling share=share.clone() tier/>
            <Taking share=share.clone() sold/>
            <div class="actionbar">
                <p class="hint">"设置马上生效；作品的内容在您再次发布以前不变"</p>
                {buttons}
            </div>
        </form>
    }
}

/// Whether reading costs something, and how much of it can be tried.
#[component]
fn Selling(share: Option<Share>, tier: Tier) -> impl IntoView {
    let form = use_form();
    let known = share.and_then(|share| share.settings.sale);
    if known.is_none() && !allows(tier, Feature::EpaperSubscription) {
        let names: Vec<_> = Feature::EpaperSubscription.opened_by().iter().map(|tier| tier.name()).collect();
        return view! {
            <section class="part" id="reading">
                <h2>"阅读收费"</h2>
                <p class="hint">{format!("现在免费阅读。{}可以给作品定价出售。", names.join("、"))}</p>
                <FieldError name="reading".to_owned()/>
            </section>
        }
        .into_any();
    }
    let reading = form.or("reading", if known.is_some() { "sold" } else { "free" });
    let price = known.and_then(|sale| sale.price).map(|price| price.to_string()).unwrap_or_default();
    let preview = known.map_or(String::new(), |sale| sale.preview_pages.to_string());
    let choices =
        [("free", "免费", "能打开的人都能读完整本"), ("sold", "收费", "买了才能读完，开头可以试读")];
    let choices: Vec<_> = choices
        .into_iter()
        .map(|(code, name, meaning)| {
            view! {
                <label class="choice">
                    <input type="radio" name="reading" value=code checked=code == reading/>
                    <span><strong>{name}</strong><small>{meaning}</small></span>
                </label>
            }
        })
        .collect();
    view! {
        <section class="part sharing one">
            <fieldset id="reading">
                <legend>"阅读收费"</legend>
                <div class="choices">{choices}</div>
                <FieldError name="reading".to_owned()/>
            </fieldset>
            <div class="fields two">
                <Field name="price" label="单买这一本的价格（元；不填就只随套餐卖）" value=price inputmode="decimal" most=12/>
                <Field
                    name="preview_pages"
                    label="可以试读前几页"
                    value=preview
                    inputmode="numeric"
                    most=3
                />
            </div>
        </section>
    }
    .into_any()
}

/// What readers may take away: files, and printed copies.
#[component]
fn Taking(share: Option<Share>, sold: Sold) -> impl IntoView {
    let form = use_form();
    let known = share.as_ref().map(|share| &share.settings);
    let is_on = |name: &str, known: bool| if form.is_sent() { !form.get(name).is_empty() } else { known };
    let markup = known.and_then(|known| known.markup);
    let boxes = [
        ("pdf", "下载 PDF", "能读完整本的人可以存一份", is_on("pdf", known.is_some_and(|known| known.pdf))),
        (
            "epub",
            "下载 EPUB",
            "放进阅读软件和电纸书里看",
            is_on("epub", known.is_some_and(|known| known.epub)),
        ),
        ("print", "可以订印刷本", "读者自己选材料、付款、收货", is_on("print", markup.is_some())),
    ];
    let boxes: Vec<_> = boxes
        .into_iter()
        .map(|(name, label, meaning, checked)| {
            view! {
                <label class="choice">
                    <input type="checkbox" name=name value="1" checked=checked/>
                    <span><strong>{label}</strong><small>{meaning}</small></span>
                </label>
            }
        })
        .collect();
    let markup = markup.filter(|markup| *markup > Fen::ZERO).map(|markup| markup.to_string());
    let counted = (sold.copies > 0).then(|| {
        view! {
            <p class="hint">
                {format!("读者订了 {} 本印刷本，加价收入 ", sold.copies)}<Money amount=sold.earned/>
                "，另有 "<Money amount=sold.held/>" 等读者收到以后到账。"
            </p>
        }
    });
    view! {
        <section class="part sharing one" id="taking">
            <fieldset>
                <legend>"读者还可以"</legend>
                <div class="choices">{boxes}</div>
            </fieldset>
            <div class="fields two">
                <Field
                    name="markup"
                    label="每本印刷本给作者加价（元；不填就不加）"
                    value=markup.unwrap_or_default()
                    inputmode="decimal"
                    most=9
                />
            </div>
            {counted}
        </section>
    }
}
