//! Buying a card, paying for it, sending it once more, keeping one, and putting its rest into the balance.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::contact::Contact;
use domain::gift::{NAME_LENGTH, NotSent, WORDS_LENGTH, Way, leads_elsewhere};
use domain::gift_card::{Refused, Stored, read_amount};
use domain::ids::GiftCardId;
use domain::money::Fen;
use domain::redeem_code::RedeemCode;
use press::GiftCard;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::files::pdf_file;
use web::ui::forms::{check_length, read_form};

use crate::PAGE;
use crate::cards::{self, KIND, Unsent, Wanted, address, own_address};
use crate::store::{self, Card};
use crate::using::{self, NotUsed, Which};
use ledger::Refusal;
use payments::Bill;

/// What the form says; what is wrong with it stands in the form.
fn read(form: &mut Form) -> Option<(String, Wanted)> {
    let shown = form.own_key("card", |key| (1..=40).contains(&key.len()));
    let amount = read_amount(form.get("face"), form.get("amount"));
    let amount = amount.map_err(|problem| form.refuse("amount", problem.to_string())).ok();
    let way = form.get("way").parse::<Way>().map_err(|problem| form.refuse("way", problem.to_string())).ok();
    let mut address = String::new();
    if way == Some(Way::Mail) {
        match Contact::read(form.get("email")) {
            Some(contact @ Contact::Email(_)) => address = contact.to_string(),
            _ => form.refuse("email", "请填写对方的邮箱，例如 name@example.com"),
        }
    }
    check_length(form, "receiver", "对方的称呼", 0, NAME_LENGTH);
    check_length(form, "giver", "您的落款", 1, NAME_LENGTH);
    check_length(form, "words", "寄语", 0, WORDS_LENGTH);
    for field in ["receiver", "giver", "words"] {
        if leads_elsewhere(form.get(field)) {
            form.refuse(field, "这里不能放网址");
        }
    }
    if form.is_refused() {
        return None;
    }
    let text = |field: &str| form.get(field).to_owned();
    let (receiver, giver, words) = (text("receiver"), text("giver"), text("words"));
    Some((shown?, Wanted { amount: amount?, way: way?, address, receiver, giver, words }))
}

/// POST /manager/gift-cards: begins to buy one; sent again, it is the same one.
pub async fn buy(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let Some((shown, wanted)) = read(&mut form) else {
        return render::again(&app, parts, PAGE, form).await;
    };
    let id = cards::begin(&app, &member.id, &shown, wanted, now_ms()).await?;
    Ok(Redirect::to(&own_address(&id)).into_response())
}

/// POST /manager/gift-cards/{id}: pays for it, from the balance or from outside where `method` names a way. The card is the key,
/// so pressing twice pays once.
pub async fn pay(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<GiftCardId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let card = store::find_own(&app.db, &id, &member.id).await?;
    let page = own_address(&id);
    let mut form = read_form(&body)?;
    if card.state != Stored::Unpaid {
        return Ok(Redirect::to(&page).into_response());
    }
    if !matches!(form.get("method"), "" | "balance") {
        let title = format!("书坊礼品卡 ¥{}", card.amount.grouped());
        let bill = Bill { kind: KIND.to_owned(), id: id.to_string(), title, page };
        return payments::pay_bill(&app, &member, parts, form, bill, card.amount).await;
    }
    if accounts::asks_again(&app, &member).await?
        && let Err(refusal) = accounts::knows_password(&app, &parts, &page, &mut form, &member).await?
    {
        return Ok(refusal);
    }
    let mut tx = app.db.begin().await?;
    match cards::pay(&mut tx, &id, &member.id, "balance", now_ms()).await {
        Ok(_) => {
            tx.commit().await?;
            app.bell.ring();
            Ok(Redirect::to(&page).into_response())
        }
        Err(Refusal::Failed(error)) => Err(error),
        Err(refusal) => {
            drop(tx);
            form.refuse("", refusal.to_string());
            render::again(&app, parts, &page, form).await
        }
    }
}

/// POST /manager/gift-cards/kept: the card with a code is the member's own. Tries are counted.
pub async fn keep(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    let act = |code: RedeemCode| {
        let (app, member) = (app.clone(), member.id.clone());
        async move { using::keep(&app, &member, &code, now_ms()).await }
    };
    let done = using::try_typed(&app, &parts, &member.id, form.get("code"), act).await;
    answered(&app, parts, form, done, "kept").await
}

/// POST /manager/gift-cards/redemption: all that is on the card with a code into the balance. Tries are counted.
pub async fn redeem(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    let act = |code: RedeemCode| {
        let (app, member) = (app.clone(), member.id.clone());
        async move { using::redeem(&app, &member, Which::Code(&code), now_ms()).await }
    };
    let done = using::try_typed(&app, &parts, &member.id, form.get("code"), act).await;
    answered(&app, parts, form, done, "redeemed").await
}

/// Leads back to the cards with what was done, or says beside the code why nothing was.
async fn answered(
    app: &App,
    parts: Parts,
    mut form: Form,
    done: Result<Fen, NotUsed>,
    word: &str,
) -> Result<Response, Error> {
    match done {
        Ok(_) => Ok(Redirect::to(&format!("{PAGE}?done={word}")).into_response()),
        Err(refused) => {
            form.refuse("code", using::said(refused)?);
            render::again(app, parts, PAGE, form).await
        }
    }
}

/// POST /manager/gift-cards/{id}/redemption: the same of one that the member has. Pressed twice, it is done once.
pub async fn redeem_own(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<GiftCardId>,
    parts: Parts,
) -> Result<Response, Error> {
    let page = own_address(&id);
    match using::redeem(&app, &member.id, Which::Own(&id), now_ms()).await {
        Ok(_) | Err(NotUsed::Refused(Refused::Empty)) => {
            Ok(Redirect::to(&format!("{page}?done=redeemed")).into_response())
        }
        Err(refused) => {
            let mut form = Form::default();
            form.refuse("", using::said(refused)?);
            render::again(&app, parts, &page, form).await
        }
    }
}

/// One of a member's own that was paid.
async fn own(app: &App, member: &Member, id: &GiftCardId) -> Result<Card, Error> {
    let card = store::find_own(&app.db, id, &member.id).await?;
    if card.state == Stored::Unpaid { Err(Error::NotFound) } else { Ok(card) }
}

/// POST /manager/gift-cards/{id}/sending: its message once more.
pub async fn send(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<GiftCardId>,
    parts: Parts,
) -> Result<Response, Error> {
    own(&app, &member, &id).await?;
    let page = own_address(&id);
    let refused = match cards::send_again(&app, &id, &member.id, now_ms()).await {
        // pressed twice
        Ok(()) | Err(Unsent::Not(NotSent::JustNow)) => {
            return Ok(Redirect::to(&format!("{page}?done=sent")).into_response());
        }
        Err(Unsent::Failed(error @ Error::TooMany(_))) => error.message(),
        Err(Unsent::Failed(error)) => return Err(error),
        Err(Unsent::Not(NotSent::Closed)) => "这张礼品卡已经被收下、退款或过期了".to_owned(),
        Err(Unsent::Not(NotSent::Card)) => "这张礼品卡是打印的，没有邮箱可发".to_owned(),
        Err(Unsent::Not(NotSent::Often)) => {
            format!("已经发过 {} 次；可以把卡号直接告诉对方", domain::gift::MOST_SENT)
        }
    };
    let mut form = Form::default();
    form.refuse("", refused);
    render::again(&app, parts, &page, form).await
}

/// GET /manager/gift-cards/{id}/card.pdf: a card to print.
pub async fn card(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<GiftCardId>,
    parts: Parts,
) -> Result<Response, Error> {
    let card = own(&app, &member, &id).await?;
    let gone = || Error::Conflict("这张礼品卡已经被收下或退款，不能再打印。".into());
    let code = cards::code(&app, &card).ok_or_else(gone)?;
    let base = Origin::of(&app.config, &parts.headers);
    let link = base.join(&address(&code));
    let place = base.join("").trim_start_matches("https://").trim_start_matches("http://").to_owned();
    let press = app.press;
    let until = card.until();
    let made = app
        .compute(move || {
            press.gift_card(&GiftCard {
                title: &format!("礼品卡 ¥{}", card.amount.grouped()),
                term: &format!("有效期至 {until}，付订单可以分几次用完"),
                receiver: &card.receiver,
                giver: &card.giver,
                words: &card.words,
                code: &code.to_string(),
                address: &link,
                invitation: &format!("扫码收下；或打开 {place}，登录后在“礼品卡”输入卡号"),
            })
        })
        .await?
        .map_err(Error::internal)?;
    Ok(pdf_file("gift-card.pdf", "礼品卡.pdf", made))
}
