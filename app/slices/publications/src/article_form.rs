//! The form of one article of a page: its words, where it stands, its photos; and what the page that took the place of its own
//! says of it.

use domain::hot_area::Place;
use domain::publication::TEXT_LENGTH;
use leptos::prelude::*;
use web::render::{self, use_form};
use web::ui::parts::{Field, FieldError, Limit, area_text};

use super::replacement::Telling;
use super::sound::SoundForm;
use super::store::articles::{Article, ArticlePhoto, Doubt};
use photos::Photo;

/// See the module. `is_public`: readers have seen the issue.
#[component]
pub fn ArticleForm(
    base: String,
    chosen: Option<Article>,
    library: Vec<Photo>,
    revision: i64,
    is_public: bool,
) -> impl IntoView {
    let form = use_form();
    let known = chosen.as_ref();
    // sent twice, a new one is one
    let id =
        known.map_or_else(|| form.or("article", &render::once::<String>()), |known| known.id.to_string());
    let text = |read: fn(&Article) -> &str| known.map_or("", read).to_owned();
    let first = known.and_then(|known| known.areas.first());
    let side = |read: fn(&Place) -> u32| first.map(|place| read(place).to_string()).unwrap_or_default();
    let others: Vec<String> = known
        .map_or(&[][..], |known| known.areas.get(1..).unwrap_or_default())
        .iter()
        .map(|place| format!("{} {} {} {}", place.x, place.y, place.width, place.height))
        .collect();
    let others = form.or("areas", &others.join("\n"));
    let body = form.or("text", &text(|known| &known.text));
    let is_proposed = known.is_some_and(|known| known.is_proposed);
    let sound = chosen.clone().map(|article| view! { <SoundForm base=base.clone() article/> });
    let removal = known.map(|known| {
        view! {
            <form method="post" action=base.clone() enctype="multipart/form-data">
                <input type="hidden" name="article" value=known.id.to_string()/>
                <input type="hidden" name="revision" value=revision.to_string()/>
                <button class="link danger" name="act" value="remove">"拿掉这篇稿件"</button>
                " "
                <a class="link" href=base.clone()>"新写一篇"</a>
            </form>
        }
    });
    let title = match known {
        Some(known) if known.is_proposed => "核对建议的稿件",
        Some(_) => "修改稿件",
        None => "新稿件",
    };
    let telling = (is_public && !is_proposed).then(|| view! { <Telling/> });
    let doubt = known.and_then(|known| known.doubt.clone().map(|doubt| (known.id.to_string(), doubt)));
    let doubt = doubt.map(|(id, doubt)| match doubt {
        Doubt::Gone => view! {
            <p class="notice warn">"换过的版面上找不到这篇的文字了。读者还读得到它；请改好它的位置和文字后保存，或者拿掉。"</p>
        }
        .into_any(),
        Doubt::Changed(found) => {
            let author = (!found.author.is_empty()).then(|| view! { <p>{found.author.clone()}</p> });
            let lines: Vec<_> = found.text.lines().map(|line| view! { <p>{line.to_owned()}</p> }).collect();
            view! {
                <div class="notice warn">
                    <p>"换过的版面上，这篇的文字变了。读者现在读到的还是下面表单里的。"</p>
                    <details class="fold">
                        <summary>"看版面上的文字"</summary>
                        <p><strong>{found.title.clone()}</strong></p>
                        {author}
                        {lines}
                    </details>
                    <form method="post" action=base.clone() enctype="multipart/form-data">
                        <input type="hidden" name="article" value=id/>
                        <input type="hidden" name="revision" value=revision.to_string()/>
                        <button class="button small" name="act" value="take">"改用版面上的文字"</button>
                    </form>
                </div>
            }
            .into_any()
        }
    });
    let save = if is_proposed { "采用并保存" } else { "保存稿件" };
    view! {
        <section aria-labelledby="form">
            <h2 id="form">{title}</h2>
            {doubt}
            <form class="area stack" method="post" action=base.clone() enctype="multipart/form-data" data-area>
                <input type="hidden" name="article" value=id/>
                <input type="hidden" name="revision" value=form.or("revision", &revision.to_string())/>
                <Field name="kicker" label="引题（可不填）" value=text(|known| &known.kicker) most=100/>
                <Field name="title" label="标题" value=text(|known| &known.title) most=100 required=true/>
                <Field name="subtitle" label="副题（可不填）" value=text(|known| &known.subtitle) most=100/>
                <Field name="author" label="作者（可不填）" value=text(|known| &known.author) most=60/>
                <div class="field">
                    <label for="text">"正文，一行一段"</label>
                    <Limit name="text" most=TEXT_LENGTH.to_string()/>
                    <textarea id="text" name="text" rows="12" maxlength=TEXT_LENGTH.to_string() aria-describedby="text-limit" inner_html=area_text(&body)></textarea>
                    <p class="hint">"从表格软件里复制的行贴进来，读者看到的是表格"</p>
                    <FieldError name="text".to_owned()/>
                </div>
                <fieldset>
                    <legend>"在版面上的位置（整页的宽和高都算 1000；可不填）"</legend>
                    <div class="four">
                        <Field name="x" label="左" value=side(|place| place.x) inputmode="numeric" most=4/>
                        <Field name="y" label="上" value=side(|place| place.y) inputmode="numeric" most=4/>
                        <Field name="width" label="宽" value=side(|place| place.width) inputmode="numeric" most=4/>
                        <Field name="height" label="高" value=side(|place| place.height) inputmode="numeric" most=4/>
                    </div>
                </fieldset>
                <details class="fold" open=!others.is_empty()>
                    <summary>"还占着别的几块"</summary>
                    <div class="field">
                        <label for="areas">"每行一块：左 上 宽 高"</label>
                        <textarea id="areas" name="areas" rows="3" inner_html=area_text(&others)></textarea>
                        <FieldError name="areas".to_owned()/>
                    </div>
                </details>
                <Photos known=chosen.clone() library/>
                <Field
                    name="position"
                    label="顺序（小的在前）"
                    value=known.map(|known| known.position.to_string()).unwrap_or_default()
                    inputmode="numeric"
                    most=4
                />
                {telling}
                <button class="button primary" name="act" value="keep">{save}</button>
            </form>
            {sound}
            {removal}
        </section>
    }
}

#[component]
fn Photos(known: Option<Article>, library: Vec<Photo>) -> impl IntoView {
    if library.is_empty() {
        return view! {
            <p class="hint">"稿件要配照片，先到"<a href="/manager/photos">"素材"</a>"上传。"</p>
        }
        .into_any();
    }
    let form = use_form();
    let sent: Vec<String> = form.all("photo").map(str::to_owned).collect();
    let known: Vec<ArticlePhoto> = known.map(|known| known.photos).unwrap_or_default();
    let is_open = !known.is_empty() || !sent.is_empty();
    let items: Vec<_> = library
        .into_iter()
        .map(|photo| {
            let id = photo.id.to_string();
            let mine = known.iter().find(|known| known.photo == photo.id);
            let checked = if form.is_sent() { sent.contains(&id) } else { mine.is_some() };
            let field = format!("caption-{id}");
            let caption = form.or(&field, mine.map_or("", |mine| &mine.caption));
            let (width, height) = photo.upright();
            view! {
                <li>
                    <label>
                        <input type="checkbox" name="photo" value=id.clone() checked=checked aria-label=photo.file_name.clone()/>
                        <img src=format!("/manager/photo/{id}/320") width=width height=height alt="" loading="lazy"/>
                    </label>
                    <input
                        name=field
                        value=caption
                        maxlength="100"
                        placeholder="图片说明"
                        aria-label=format!("图片说明：{}", photo.file_name)
                    />
                </li>
            }
        })
        .collect();
    view! {
        <details class="fold" open=is_open>
            <summary>"照片"</summary>
            <ul class="prints-small">{items}</ul>
        </details>
        <FieldError name="photos".to_owned()/>
    }
    .into_any()
}
