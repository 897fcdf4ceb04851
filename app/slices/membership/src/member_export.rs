//! Members as a file, as the list shows them: how they are reached has its middle hidden there, too.

use async_trait::async_trait;
use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::ids::MemberId;
use domain::staff::Capability;
use web::app::App;
use web::exports::{Cell, Export, Rows};
use web::render::Form;

use crate::staff::masked;

/// Members at once.
const AT_ONCE: i64 = 500;

/// A row for each member.
#[derive(Debug)]
pub struct Members;

#[async_trait]
impl Export for Members {
    fn kind(&self) -> &'static str {
        "members"
    }

    fn name(&self) -> &'static str {
        "会员"
    }

    fn needs(&self) -> Capability {
        Capability::SeeMembers
    }

    fn columns(&self) -> &'static [&'static str] {
        &["会员号", "名字", "手机", "邮箱", "等级", "到期", "余额", "注册", "注销"]
    }

    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error> {
        let search = lists::search_text(query.get("q"));
        let after: Option<MemberId> = after.map(|id| id.parse().map_err(|_| Error::NotFound)).transpose()?;
        let mut found = accounts::find_members(app, &search, after.as_ref(), AT_ONCE + 1).await?;
        let more = found.len() as i64 > AT_ONCE;
        found.truncate(AT_ONCE as usize);
        let next = found.last().filter(|_| more).map(|member| member.id.to_string());
        let now = now_ms();
        let mut rows = Vec::new();
        let mut tx = app.db.begin_snapshot().await?;
        for member in found {
            let (tier, until) = member.standing.at(now);
            let hidden =
                |contact: Option<String>| Cell::text(contact.map(|text| masked(&text)).unwrap_or_default());
            rows.push(vec![
                Cell::text(member.member_code),
                Cell::text(member.name),
                hidden(member.phone),
                hidden(member.email),
                Cell::text(tier.name()),
                Cell::at(until),
                Cell::Money(ledger::balance(&mut tx, &member.id).await?),
                Cell::Moment(member.created_at),
                Cell::at(member.closed_at),
            ]);
        }
        Ok((rows, next))
    }
}
