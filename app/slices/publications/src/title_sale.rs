//! How a title is sold, in the form of its settings.

use base::db::now_ms;
use base::error::Error;
use domain::given_article::{DAYS as GIVEN_DAYS, MOST as MOST_GIVEN};
use domain::package::{MOST_TRIAL_PAGES, read_price};
use domain::tier::{Feature, allows};
use domain::typed::{PAGES, whole};
use leptos::prelude::*;
use web::app::App;
use web::render::{Form, use_form};
use web::session::Member;
use web::ui::parts::{Field, FieldError};

use super::TITLE_KIND;
use super::store::publications::{Publication, Sale};

/// Whether a member may sell what it publishes.
pub fn may_sell(member: &Member) -> bool {
    allows(member.tier, Feature::EpaperSubscription)
}

/// How reading is sold, as the form says.
pub async fn sale_in(
    app: &App,
    form: &mut Form,
    member: &Member,
    known: Option<&Publication>,
) -> Result<Option<Sale>, Error> {
    let before = known.and_then(|known| known.sale);
    match form.get("reading") {
        "" | "free" => return Ok(None),
        // what a tier no longer opens stays as it was
        "sold" if before.is_some() || may_sell(member) => {}
        "sold" => {
            form.refuse("reading", "您的会员等级还不能卖报刊");
            return Ok(None);
        }
        _ => {
            form.refuse("reading", "请选择免费还是付费");
            return Ok(None);
        }
    }
    let issue_price = match form.get("issue_price") {
        "" => None,
        text => match read_price(text) {
            Ok(price) => Some(price),
            Err(problem) => {
                form.refuse("issue_price", problem.to_string());
                None
            }
        },
    };
    let preview_pages = match form.get("preview_pages") {
        "" => Some(0),
        text => whole::<u32>(text, PAGES).filter(|pages| *pages <= MOST_TRIAL_PAGES),
    };
    if preview_pages.is_none() {
        form.refuse("preview_pages", format!("请填写 0 到 {MOST_TRIAL_PAGES} 之间的整数"));
    }
    if issue_price.is_none() && form.error("issue_price").is_none() {
        let in_package = match known {
            Some(known) => {
                !selling::offers(&app.db, TITLE_KIND, known.id.as_str(), now_ms()).await?.is_empty()
            }
            None => false,
        };
        if !in_package {
            form.refuse("issue_price", "请填写单期价格；只按套餐订阅的，先建好，再把它放进一个在售的套餐");
        }
    }
    let given_articles = match form.get("given_articles") {
        "" => Some(0),
        text => whole::<u32>(text, &["篇"]).filter(|articles| *articles <= MOST_GIVEN),
    };
    if given_articles.is_none() {
        form.refuse("given_articles", format!("请填写 0 到 {MOST_GIVEN} 之间的整数"));
    }
    Ok(preview_pages.zip(given_articles).map(|(preview_pages, given_articles)| Sale {
        issue_price,
        preview_pages,
        given_articles,
    }))
}

/// Free or sold, at which prices.
#[component]
pub fn SaleFields(known: Option<Publication>, may_sell: bool) -> impl IntoView {
    if !may_sell {
        return view! {
            <p class="hint">"读者免费看全部内容。要按期或按套餐收费，需要超级会员。"</p>
        }
        .into_any();
    }
    let form = use_form();
    let sale = known.and_then(|known| known.sale);
    let reading = form.or("reading", if sale.is_some() { "sold" } else { "free" });
    let price = sale.and_then(|sale| sale.issue_price).map(|price| price.to_string()).unwrap_or_default();
    let preview = sale.map_or(1, |sale| sale.preview_pages).to_string();
    let given = sale.map_or(0, |sale| sale.given_articles).to_string();
    view! {
        <fieldset class="chips" id="reading">
            <legend>"阅读"</legend>
            <div>
                <label>
                    <input type="radio" name="reading" value="free" checked=reading == "free"/>
                    <span>"免费"</span>
                </label>
                <label>
                    <input type="radio" name="reading" value="sold" checked=reading == "sold"/>
                    <span>"付费"</span>
                </label>
            </div>
            <FieldError name="reading".to_owned()/>
        </fieldset>
        <div class="fields two of-sale">
            <Field name="issue_price" label="单期价格（元，只随套餐订阅就不填）" value=price inputmode="decimal" most=12/>
            <Field name="preview_pages" label="每期可以试读的页数（从第一页起）" value=preview inputmode="numeric" most=3/>
            <Field name="given_articles" label="订户每月可以送朋友读几篇（0 是不开放）" value=given inputmode="numeric" most=3/>
        </div>
        <p class="hint of-sale">
            "按月、按年订阅：在"<a href="/manager/epaper_sell">"套餐"</a>
            "里把它放进去。订阅期内出的期，到期以后订阅过的读者仍然能看。"
            {format!("送朋友读的文章凭链接打开，{GIVEN_DAYS} 天有效；您自己送不限篇数。")}
        </p>
    }
    .into_any()
}
