//! The numbers of the statistics page as files for spreadsheets.

use std::collections::HashMap;

use axum::extract::{Query, State};
use axum::response::Response;
use base::db::now_ms;
use base::error::Error;
use domain::csv as table;
use domain::money::Fen;
use domain::statistics::per_mille;
use web::app::App;
use web::session::Member;
use web::ui::files::csv_file;

use super::asked::{Asked, Own, own_things};
use super::charts::{page_name, percent};
use super::days::{self, day_of};
use super::report::{article_lines, day_lines};
use super::store::report as store;

/// GET /manager/statisticMag/days.csv: a line for each day of each thing, and for all of them together. Readers of things
/// are no sum of readers: who reads two of them is in both lines.
pub async fn by_day(
    State(app): State<App>,
    member: Member,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let things = own_things(&app, &member.id).await?;
    let chosen = asked.thing(&things)?;
    let (span, _) = asked.days(day_of(now_ms()));
    let mut text = format!(
        "{}{}",
        table::BOM,
        table::row([
            "日期",
            "作品",
            "打开",
            "阅读",
            "读者",
            "其中登录",
            "阅读秒数",
            "销售笔数",
            "销售额",
            "其中退款笔数",
            "免费试读"
        ])
    );
    let item = chosen.as_ref().map(|own| (own.kind, own.read.id.as_str()));
    let number = Asked::number(chosen.as_ref(), &member.id);
    let days = store::days(&app.db, &member.id, number, span.pair()).await?;
    let sold = selling::sold_by_day(&app.db, &member.id, item, span.moments()).await?;
    let name = chosen.as_ref().map_or_else(|| "全部".to_owned(), |own| own.read.title.clone());
    for line in day_lines(span, &days, &sold) {
        let (day, sold) = (line.day, line.sold);
        let numbers = [day.opens, day.reads, day.readers, day.members, day.spent / 1_000, sold.count];
        let mut cells = vec![days::written(day.day), name.clone()];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.extend([Fen(sold.amount).to_string(), sold.refunded.to_string(), sold.trials.to_string()]);
        text.push_str(&table::row(cells));
    }
    if chosen.is_none() {
        let titles: HashMap<(&str, &str), &str> =
            things.iter().map(|own| ((own.kind, own.read.id.as_str()), own.read.title.as_str())).collect();
        for line in store::days_of_things(&app.db, &member.id, span.pair()).await? {
            let Some(title) = titles.get(&(line.kind.as_str(), line.item_id.as_str())) else { continue };
            let numbers = [line.opens, line.reads, line.readers, line.members, line.spent / 1_000];
            let mut cells = vec![days::written(line.day), (*title).to_owned()];
            cells.extend(numbers.map(|number| number.to_string()));
            cells.extend([const { String::new() }; 4]);
            text.push_str(&table::row(cells));
        }
    }
    Ok(csv_file("days.csv", text))
}

/// GET /manager/statisticMag/pages.csv?of=…: a line for each page of one thing.
pub async fn by_page(
    State(app): State<App>,
    member: Member,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let things = own_things(&app, &member.id).await?;
    let own = asked.thing(&things)?.ok_or(Error::NotFound)?;
    let (span, _) = asked.days(day_of(now_ms()));
    let days = store::days(&app.db, &member.id, own.number(), span.pair()).await?;
    let opens: i64 = days.iter().map(|day| day.opens).sum();
    let mut text = format!("{}{}", table::BOM, table::row(["作品", "页", "阅读", "占打开", "阅读秒数"]));
    for page in store::pages(&app.db, &member.id, own.number(), span.pair()).await? {
        let name = page_name(usize::try_from(page.page).unwrap_or(0));
        let share = percent(per_mille(page.reads, opens));
        let (reads, seconds) = (page.reads.to_string(), (page.spent / 1_000).to_string());
        text.push_str(&table::row([own.read.title.clone(), name, reads, share, seconds]));
    }
    Ok(csv_file("pages.csv", text))
}

/// Lines of the file of articles.
const MOST_ARTICLES: usize = 1_000;

/// GET /manager/statisticMag/articles.csv?of=…: a line for each article of one thing or of all, those that were opened most first.
pub async fn by_article(
    State(app): State<App>,
    member: Member,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let things = own_things(&app, &member.id).await?;
    let number = asked.thing(&things)?.as_ref().map(Own::number);
    let (span, _) = asked.days(day_of(now_ms()));
    let opened = store::opened(&app.db, &member.id, number, span.pair(), MOST_ARTICLES as i64).await?;
    let mut text = format!("{}{}", table::BOM, table::row(["作品", "页", "稿件", "打开"]));
    for line in article_lines(&app, &things, opened, MOST_ARTICLES).await? {
        let page = page_name(line.article.page);
        text.push_str(&table::row([line.of, page, line.article.title, line.opens.to_string()]));
    }
    Ok(csv_file("articles.csv", text))
}
