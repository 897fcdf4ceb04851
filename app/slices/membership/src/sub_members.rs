//! What moves a sub-member's place: invited, accepted, removed. Each is a transaction; whoever holds a member's row and a
//! place's takes the member's first.

use base::db::{Tx, new_id};
use base::delivery::{self, Message};
use base::error::Error;
use domain::contact::Contact;
use domain::days::DAY_MS;
use domain::ids::{InvitationId, MemberId, SubMemberId};
use domain::money::Fen;
use domain::sub_member::{INVITATION_MS, InvitationState, Role};
use domain::tier::{Feature, allows};
use hmac::Mac;
use web::app::App;
use web::session::Member;

use super::allowance;
use super::store::invitations::{self, Invitation};
use super::store::sub_members::{self as rows, SubMember};

/// How many invitations a house sends to accounts in a day: each is a message to somebody who may not know it.
const MOST_SENT: i64 = 20;

/// Why nobody is invited or taken in, as a sentence.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error("成员和没有接受的邀请已经占满了 {0} 个名额。可以移除成员、撤回邀请，或者升级会员")]
    Full(u32),
    #[error("今天发出的邀请太多了，请明天再发，或者把邀请链接直接给对方")]
    TooMany,
    #[error("这是您自己的账号")]
    Own,
    #[error("这个账号已经是您的成员")]
    Already,
    #[error("这是您自己发出的邀请，请把链接交给要邀请的人")]
    OwnInvitation,
    #[error("这个邀请已经用过了。需要的话，请对方再发一个")]
    Used,
    #[error("这个邀请已经撤回")]
    Withdrawn,
    #[error("这个邀请已经过期。需要的话，请对方再发一个")]
    Expired,
    #[error("这个邀请是发给另一个账号的，请用收到邀请的手机号或邮箱登录")]
    OtherAccount,
    #[error("您已经是这家的成员")]
    AlreadyIn,
    #[error("对方的会员等级现在不能有成员，请和对方联系")]
    Closed,
    #[error("对方的成员名额已经满了，请和对方联系")]
    HouseFull,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotTaken {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// What a link to an invitation says: nobody can make one up.
pub fn token(app: &App, id: &InvitationId) -> String {
    let signature = base::signing::keyed(app.key.as_bytes(), "invitation").chain_update(id.as_str());
    format!("{id}.{}", hex::encode(&signature.finalize().into_bytes()[..16]))
}

/// The invitation that a link names.
pub fn read_token(app: &App, text: &str) -> Result<InvitationId, Error> {
    let (id, signed) = text.split_once('.').ok_or(Error::NotFound)?;
    let id: InvitationId = id.parse().map_err(|_| Error::NotFound)?;
    let signed = hex::decode(signed).map_err(|_| Error::NotFound)?;
    let signature = base::signing::keyed(app.key.as_bytes(), "invitation").chain_update(id.as_str());
    match signed.len() {
        16 => signature.verify_truncated_left(&signed).map_err(|_| Error::NotFound).map(|()| id),
        _ => Err(Error::NotFound),
    }
}

/// Whom a house wants.
pub struct Wanted {
    pub id: InvitationId,
    pub name: String,
    pub role: Role,
    /// The one account that may accept, which is told; none for whoever has the link.
    pub contact: Option<Contact>,
}

/// Makes an invitation; the same id again is the same form. `link` is its address.
pub async fn invite(
    app: &App,
    house: &Member,
    wanted: Wanted,
    link: Option<&str>,
    now: i64,
) -> Result<InvitationId, NotTaken> {
    let known = match &wanted.contact {
        Some(contact) => accounts::member_of(app, contact.as_str()).await?,
        None => None,
    };
    let mut tx = app.db.begin().await?;
    accounts::hold_standing(&mut tx, &house.id).await?;
    let own = [Some(&house.account), house.phone.as_ref(), house.email.as_ref()];
    if let Some(contact) = &wanted.contact {
        if own.into_iter().flatten().any(|own| own == contact.as_str()) {
            return Err(NotTaken::Own);
        }
        if let Some(known) = known
            && rows::is_one(&mut tx, &house.id, &known).await?
        {
            return Err(NotTaken::Already);
        }
    }
    let invitation = Invitation {
        id: wanted.id,
        house: house.id.clone(),
        name: wanted.name,
        role: wanted.role,
        contact: wanted.contact.as_ref().map(ToString::to_string),
        created_at: now,
        expires_at: now + INVITATION_MS,
        used_at: None,
        withdrawn_at: None,
    };
    if !invitations::insert(&mut tx, &invitation).await? {
        // sent again
        drop(tx);
        return Ok(invitations::find_for_house(&app.db, &invitation.id, &house.id).await?.id);
    }
    // itself counted
    let (open, sent) = invitations::counts(&mut tx, &house.id, now, now - DAY_MS).await?;
    let places = house.tier.sub_members();
    if rows::count(&mut tx, &house.id).await? + open > i64::from(places) {
        return Err(NotTaken::Full(places));
    }
    if sent > MOST_SENT {
        return Err(NotTaken::TooMany);
    }
    if let Some(to) = &wanted.contact {
        let how = match link {
            Some(link) => format!("七天内用这个手机号或邮箱登录后打开：{link}"),
            None => "请向对方要邀请链接，七天内用这个手机号或邮箱登录后打开。".to_owned(),
        };
        let text = format!("【书坊】{}邀请您一起做书（{}）。{how}", house.name, wanted.role.name());
        let message = Message {
            to,
            subject: "书坊成员邀请",
            text,
            expires_at: invitation.expires_at,
            on_behalf_of: None,
        };
        delivery::queue(app, &mut tx, message).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(invitation.id)
}

/// What stands in the way of a member's accepting an invitation.
pub async fn obstacle(
    tx: &mut Tx,
    invitation: &Invitation,
    member: &Member,
    now: i64,
) -> Result<Option<NotTaken>, Error> {
    if invitation.house == member.id {
        return Ok(Some(NotTaken::OwnInvitation));
    }
    if rows::is_one(tx, &invitation.house, &member.id).await? {
        return Ok(Some(NotTaken::AlreadyIn));
    }
    match invitation.state(now) {
        InvitationState::Used => return Ok(Some(NotTaken::Used)),
        InvitationState::Withdrawn => return Ok(Some(NotTaken::Withdrawn)),
        InvitationState::Expired => return Ok(Some(NotTaken::Expired)),
        InvitationState::Open => {}
    }
    let own = [Some(&member.account), member.phone.as_ref(), member.email.as_ref()];
    if invitation.contact.as_ref().is_some_and(|contact| !own.into_iter().flatten().any(|own| own == contact))
    {
        return Ok(Some(NotTaken::OtherAccount));
    }
    let (_, standing) = match accounts::house(tx, &invitation.house).await {
        Ok(house) => house,
        // its account was closed
        Err(Error::NotFound) => return Ok(Some(NotTaken::Withdrawn)),
        Err(error) => return Err(error),
    };
    let (tier, _) = standing.at(now);
    if !allows(tier, Feature::SubMembers) {
        return Ok(Some(NotTaken::Closed));
    }
    let full = rows::count(tx, &invitation.house).await? >= i64::from(tier.sub_members());
    Ok(full.then_some(NotTaken::HouseFull))
}

/// Takes a member in, once for each invitation.
pub async fn accept(app: &App, id: &InvitationId, member: &Member, now: i64) -> Result<(), NotTaken> {
    let house = invitations::find(&app.db, id).await?.house;
    let mut tx = app.db.begin().await?;
    // those who come at once wait here, so that there is never one too many
    match accounts::hold_standing(&mut tx, &house).await {
        Ok(_) => {}
        Err(Error::NotFound) => return Err(NotTaken::Withdrawn),
        Err(error) => return Err(error.into()),
    }
    let invitation = invitations::lock(&mut tx, id).await?;
    if let Some(reason) = obstacle(&mut tx, &invitation, member, now).await? {
        return Err(reason);
    }
    let place = SubMember {
        id: new_id(),
        house: invitation.house.clone(),
        member: member.id.clone(),
        name: invitation.name,
        role: invitation.role,
        joined_at: now,
        removed_at: None,
    };
    if !rows::insert(&mut tx, &place).await? {
        return Err(NotTaken::AlreadyIn);
    }
    invitations::set_used(&mut tx, id, &member.id, now).await?;
    let text = format!("【书坊】{}接受了您的邀请，现在是您的成员（{}）。", member.name, place.role.name());
    accounts::tell_member(app, &mut tx, &place.house, "书坊成员邀请已接受", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Ends a place: nobody works there any more from the next request on, and what is left of the allowance goes back to the
/// house.
pub async fn remove(tx: &mut Tx, place: &SubMember, now: i64) -> Result<Fen, Error> {
    let rest = allowance::sweep(tx, place, now).await?;
    rows::set_removed(tx, &place.id, now).await?;
    Ok(rest)
}

/// The same for one of a house's own, who is told.
pub async fn dismiss(app: &App, house: &Member, id: &SubMemberId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let place = rows::lock_for_house(&mut tx, id, &house.id).await?;
    remove(&mut tx, &place, now).await?;
    let text = format!("【书坊】您已不在{}的成员里；您自己的作品和素材都在。", house.name);
    accounts::tell_member(app, &mut tx, &place.member, "书坊成员变更", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// A member leaves a house by itself.
pub async fn leave(app: &App, member: &MemberId, id: &SubMemberId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let place = rows::lock(&mut tx, id).await?;
    if place.member != *member {
        return Err(Error::NotFound);
    }
    if place.removed_at.is_none() {
        remove(&mut tx, &place, now).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// A house's page of its invitations, for the link.
pub fn path(app: &App, id: &InvitationId) -> String {
    format!("/manager/invitation/{}", token(app, id))
}
