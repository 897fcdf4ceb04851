//! The library: every photo under the month in which it was taken.

use base::db::now_ms;
use domain::tier::Tier;
use leptos::prelude::*;
use web::render::{here, loaded, use_acting, use_form, use_query};
use web::ui::shell::Shell;

use super::{PART, PhotoInput, RefusedFiles, UploadSlot, megabytes, month_of, thumbnail};
use crate::store::{self, Part, Photo, PhotoState};
use crate::uploads::{self, Sender};

/// GET /manager/photos, from `after` on.
#[component]
pub fn PhotosPage() -> impl IntoView {
    let here = here();
    let after = use_query("after").and_then(|text| text.parse().ok());
    loaded(
        async move {
            let here = here?;
            let (db, member) = (&here.app.db, &here.member.id);
            let part = store::part(db, member, after.as_ref(), PART).await?;
            let kept = store::kept(&here.app, member).await?;
            let unfinished = uploads::unfinished(db, &Sender::itself(member), now_ms()).await?;
            Ok((here.member, part, kept, unfinished))
        },
        |(member, part, kept, unfinished)| {
            let Part { photos, next, is_first } = part;
            let quota = member.tier.photo_quota();
            let make = (kept.photos > 0)
                .then(|| view! { <a class="button" href="/manager/make_ebook">"用素材做书"</a> });
            // the room is the tier's: a higher one has more
            let is_highest = Tier::ALL.into_iter().all(|tier| tier.photo_quota() <= quota);
            let more = (use_acting().is_none() && !is_highest).then(|| {
                view! { "（"{member.tier.name()}"） "<a class="link" href="/manager/upgrade">"扩容"</a> }
            });
            let least =
                kept.has_many(quota).then(|| format!("，每张照片至少算 {} KB", store::LEAST_BYTES >> 10));
            let next = next.map(|last| {
                let address = format!("/manager/photos?after={last}");
                view! { <a class="button" href=address rel="next">"更早的照片"</a> }
            });
            let first =
                (!is_first).then(|| view! { <a class="button" href="/manager/photos">"最新的照片"</a> });
            let pager = (next.is_some() || first.is_some())
                .then(|| view! { <nav class="pager" aria-label="翻页">{first}{next}</nav> });
            view! {
                <Shell member=member.clone() title="素材".to_owned() assets=&["photos.css", "islands.js"]>
                    <header class="head">
                        <div>
                            <h1>"素材"</h1>
                            <p class="quiet" id="room">
                                "共 "<span class="num">{kept.photos}</span>" 张，已用 "
                                <span class="num">{megabytes(kept.bytes)}</span>"，容量 "
                                <span class="num">{format!("{} GB", quota >> 30)}</span>
                                {least}
                                {more}
                            </p>
                        </div>
                        {make}
                    </header>
                    <Done/>
                    <RefusedFiles/>
                    <form
                        class="upload sheet"
                        method="post"
                        action="/manager/photos"
                        enctype="multipart/form-data"
                    >
                        <UploadSlot label="上传照片" member=member kept>
                            <PhotoInput label="上传照片"/>
                            <div class="row"><button class="button primary">"上传"</button></div>
                        </UploadSlot>
                    </form>
                    <div id="library">
                        <Unfinished names=unfinished/>
                        <Months photos/>
                        {pager}
                    </div>
                </Shell>
            }
        },
    )
}

/// What the last form has done.
#[component]
fn Done() -> impl IntoView {
    let done = [("added", "已上传"), ("removed", "已删除")].into_iter().find_map(|(name, verb)| {
        let count: u64 = use_query(name)?.parse().ok()?;
        (!use_form().is_sent()).then(|| format!("{verb} {count} 张照片。"))
    });
    done.map(|text| view! { <div class="notice good" role="status">{text}</div> })
}

/// Files of which only a part has come.
#[component]
fn Unfinished(names: Vec<String>) -> impl IntoView {
    let shown: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.is_empty()).take(3).collect();
    (!names.is_empty()).then(|| {
        let more = if names.len() > shown.len() { " 等" } else { "" };
        let text = format!("有 {} 张照片还没有传完：{}{more}", names.len(), shown.join("、"));
        view! {
            <div class="notice unfinished">
                <p>{text}</p>
                <p class="quiet">"再选一次这些文件，会从断开的地方接着传；一天没有继续的会被清掉。"</p>
            </div>
        }
    })
}

/// The photos under their months, in a form that deletes the chosen ones.
#[component]
fn Months(photos: Vec<Photo>) -> impl IntoView {
    if photos.is_empty() {
        return view! {
            <section class="trim empty">
                <h2>"还没有照片"</h2>
                <p class="quiet">"在上面选几张照片上传，就可以用它们做第一本书。照片原样保存，不会压缩。"</p>
            </section>
        }
        .into_any();
    }
    let form = use_form();
    let chosen: Vec<String> = form.all("photo").map(str::to_owned).collect();
    let mut months: Vec<(String, Vec<_>)> = Vec::new();
    for photo in photos {
        let month = month_of(&photo);
        let is_chosen = chosen.iter().any(|id| id == photo.id.as_str());
        let print = view! { <Print photo is_chosen/> };
        match months.last_mut() {
            Some((known, prints)) if *known == month => prints.push(print),
            _ => months.push((month, vec![print])),
        }
    }
    let months: Vec<_> = months
        .into_iter()
        .map(|(month, prints)| {
            view! { <section class="month"><h2>{month}</h2><ul class="prints">{prints}</ul></section> }
        })
        .collect();
    view! {
        <form class="months" method="post" action="/manager/photos/removal">
            {months}
            <div class="actionbar">
                <button class="button primary" formmethod="get" formaction="/manager/make_ebook">"用这些照片做书"</button>
                <details class="ask">
                    <summary>"删除选中的照片"</summary>
                    <div>
                        <p>"删除后不能找回。正用在作品或订单里的照片会留下，并告诉您用在哪里。"</p>
                        <button class="button small danger">"确认删除"</button>
                    </div>
                </details>
            </div>
        </form>
    }
    .into_any()
}

#[component]
fn Print(photo: Photo, is_chosen: bool) -> impl IntoView {
    let (width, height) = photo.upright();
    let note = match photo.state {
        PhotoState::Broken => Some(view! { <span class="badge bad">"已损坏"</span> }),
        _ => photo.is_coming().then(|| view! { <span class="badge bad">"原图未到"</span> }),
    };
    let name = photo.file_name.clone();
    view! {
        <li>
            <label class="tick">
                <input
                    type="checkbox"
                    name="photo"
                    value=photo.id.to_string()
                    checked=is_chosen
                    aria-label=format!("选中 {name}")
                />
            </label>
            <figure>
                <a href=format!("/manager/photo/{}", photo.id) aria-label=name.clone()>
                    <img src=thumbnail(&photo) width=width height=height alt="" loading="lazy"/>
                </a>
                <figcaption>{note}{name}</figcaption>
            </figure>
        </li>
    }
}
