//! What the statistics page shows below its charts: things, pages, hot areas, and where readers came from.

use domain::statistics::per_mille;
use leptos::prelude::*;

use super::STATISTICS;
use super::asked::{Asked, Own};
use super::charts::{Bar, PageChart, duration, grouped, page_name, percent};
use super::report::{ArticleLine, Named, PageLine, PressedPage, ThingLine};

/// Everything that is read, as a shelf of covers with their numbers.
#[component]
pub fn Things(lines: Vec<ThingLine>, asked: Asked) -> impl IntoView {
    let most = lines.iter().map(|line| line.reads).max().unwrap_or(0);
    let rows: Vec<_> = lines
        .into_iter()
        .map(|line| {
            let address = asked.address(STATISTICS, &[("of", &line.own.code())]);
            let cover = match line.own.read.cover.clone() {
                Some(src) => view! { <img src=src width="72" height="72" alt="" loading="lazy"/> }.into_any(),
                None => view! { <span class="nothing"></span> }.into_any(),
            };
            let per_read = if line.reads > 0 { line.spent / line.reads } else { 0 };
            view! {
                <li>
                    <a href=address>
                        {cover}
                        <span class="name"><small>{line.own.kind_name}</small>{line.own.read.title}</span>
                        <span class="measure"><Bar share=per_mille(line.reads, most).unwrap_or(0)/></span>
                        <span class="fact num"><b>{grouped(line.reads)}</b>" 页次"</span>
                        <span class="fact num"><b>{grouped(line.opens)}</b>" 次打开"</span>
                        <span class="fact num">{duration(per_read)}<span class="phone-less">" / 页"</span></span>
                    </a>
                </li>
            }
        })
        .collect();
    view! {
        <section class="part" aria-labelledby="things">
            <h2 id="things">"作品和刊物"</h2>
            <ol class="things">{rows}</ol>
        </section>
    }
}

/// How far readers come, page by page.
#[component]
pub fn Pages(lines: Vec<PageLine>, opens: i64, own: Own, more: Option<String>, csv: String) -> impl IntoView {
    let values: Vec<i64> = lines.iter().map(|line| per_mille(line.reads, opens).unwrap_or(0)).collect();
    let total = lines.len();
    let cells: Vec<_> = lines
        .into_iter()
        .filter(|line| line.face.is_some() || own.read.cover.is_none())
        .map(|line| {
            let share = per_mille(line.reads, opens);
            let href = line.face.as_ref().map_or_else(|| own.read.address.clone(), |face| face.address.clone());
            let picture = line.face.map(|face| {
                let height = format!("{:.0}", 120.0 * face.ratio);
                view! { <img src=face.picture width="120" height=height alt="" loading="lazy"/> }
            });
            let spent = if line.reads > 0 { line.spent / line.reads } else { 0 };
            view! {
                <li>
                    <a href=href>
                        {picture}
                        <span class="name">{page_name(line.number)}</span>
                    </a>
                    <Bar share=share.unwrap_or(0)/>
                    <p class="num"><b>{percent(share)}</b><span class="sr">"，"</span>{format!("{} 次", grouped(line.reads))}</p>
                    <p class="num quiet">{duration(spent)}</p>
                </li>
            }
        })
        .collect();
    let more = more.map(|address| view! { <p><a class="button" href=format!("{address}#pages")>{format!("看全部 {total} 页")}</a></p> });
    view! {
        <section class="part" aria-labelledby="pages">
            <header>
                <h2 id="pages">"读到哪一页"</h2>
                <a class="link" href=csv>"各页的 CSV"</a>
            </header>
            <p class="hint">"每一页有多少人次看到，占打开次数的比例；下面是看一次停留多久。"</p>
            <PageChart values/>
            <ol class="page-cells">{cells}</ol>
            {more}
        </section>
    }
}

/// Pages with their hot areas, the more often pressed the darker.
#[component]
pub fn Pressed(pages: Vec<PressedPage>) -> impl IntoView {
    if pages.is_empty() {
        return None;
    }
    let pages: Vec<_> = pages
        .into_iter()
        .map(|PressedPage { face, reads, areas }| {
            let most = areas.iter().map(|(_, count)| *count).max().unwrap_or(0);
            let high = (1_000.0 * face.ratio).round();
            let marks: Vec<_> = areas
                .iter()
                .enumerate()
                .map(|(index, (area, count))| {
                    let [x, width] = [area.frame.x, area.frame.width].map(|side| format!("{side:.0}"));
                    let [y, height] = [area.frame.y, area.frame.height].map(|side| format!("{:.0}", side * face.ratio));
                    let dark = format!("{:.2}", 0.12 + 0.5 * per_mille(*count, most).unwrap_or(0) as f64 / 1_000.0);
                    let [dot_x, dot_y] = [area.frame.x + 34.0, area.frame.y * face.ratio + 34.0].map(|at| format!("{at:.0}"));
                    view! {
                        <rect x=x y=y width=width height=height fill-opacity=dark></rect>
                        <circle cx=dot_x.clone() cy=dot_y.clone() r="26"></circle>
                        <text x=dot_x y=dot_y dy=".36em">{index + 1}</text>
                    }
                })
                .collect();
            let rows: Vec<_> = areas
                .iter()
                .enumerate()
                .map(|(index, (area, count))| {
                    view! {
                        <li>
                            <span class="number num">{index + 1}</span>
                            <span class="name">{area.name.clone()}</span>
                            <span class="num"><b>{grouped(*count)}</b>{format!(" 次 · {}", percent(per_mille(*count, reads)))}</span>
                        </li>
                    }
                })
                .collect();
            let alt = format!("{}，上面标出热区", page_name(face.number));
            view! {
                <li>
                    <figure>
                        <img src=face.large width="540" height=format!("{:.0}", 540.0 * face.ratio) alt=alt loading="lazy"/>
                        <svg viewBox=format!("0 0 1000 {high:.0}") aria-hidden="true">{marks}</svg>
                    </figure>
                    <div>
                        <h3>{page_name(face.number)}<small class="quiet num">{format!(" 阅读 {} 次", grouped(reads))}</small></h3>
                        <ol>{rows}</ol>
                    </div>
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="part" aria-labelledby="pressed">
            <h2 id="pressed">"热区"</h2>
            <p class="hint">"颜色越深，点的人越多；比例是点击次数占这一页的阅读。"</p>
            <ol class="pressed">{pages}</ol>
        </section>
    })
}

/// The articles that were opened most, of one thing or of all.
#[component]
pub fn Articles(lines: Vec<ArticleLine>, of_one: bool, csv: String) -> impl IntoView {
    if lines.is_empty() {
        return None;
    }
    let most = lines.iter().map(|line| line.opens).max().unwrap_or(0);
    let rows: Vec<_> = lines
        .into_iter()
        .map(|ArticleLine { article, of, opens }| {
            let page = page_name(article.page);
            let place = if of_one { page } else { format!("{of} · {page}") };
            view! {
                <li>
                    <span class="name"><a href=article.address>{article.title}</a><small>{place}</small></span>
                    <span class="measure"><Bar share=per_mille(opens, most).unwrap_or(0)/></span>
                    <span class="num"><b>{grouped(opens)}</b>" 次"</span>
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="part" aria-labelledby="articles">
            <header>
                <h2 id="articles">"读得最多的稿件"</h2>
                <a class="link" href=csv>"稿件的 CSV"</a>
            </header>
            <p class="hint">"一篇稿件自己的页面被打开多少次；从版面上点进去的，和从标题、链接打开的一样算。"</p>
            <ol class="most-read">{rows}</ol>
        </section>
    })
}

/// How a number is shared out, as bars.
#[component]
pub fn Shares(
    title: &'static str,
    of: &'static str,
    rows: Vec<Named>,
    nothing: &'static str,
) -> impl IntoView {
    let total: i64 = rows.iter().map(|(_, count)| count).sum();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(name, count)| {
            let share = per_mille(count, total);
            view! {
                <tr>
                    <th scope="row">{name}</th>
                    <td class="measure"><Bar share=share.unwrap_or(0)/></td>
                    <td class="num">{grouped(count)}</td>
                    <td class="num quiet">{percent(share)}</td>
                </tr>
            }
        })
        .collect();
    let body = if rows.is_empty() {
        view! { <p class="quiet">{nothing}</p> }.into_any()
    } else {
        view! {
            <table class="shares">
                <caption class="sr">{format!("{title}，按{of}")}</caption>
                <tbody>{rows}</tbody>
            </table>
        }
        .into_any()
    };
    view! { <section class="part"><h2>{title}</h2>{body}</section> }
}

/// What readers looked for.
#[component]
pub fn Searches(rows: Vec<Named>) -> impl IntoView {
    if rows.is_empty() {
        return None;
    }
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(word, count)| view! { <li><q>{word}</q>" "<span class="num quiet">{format!("{} 次", grouped(count))}</span></li> })
        .collect();
    Some(view! {
        <section class="part" aria-labelledby="searches">
            <h2 id="searches">"读者在书里搜过"</h2>
            <ul class="searches">{rows}</ul>
        </section>
    })
}
