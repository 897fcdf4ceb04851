// Deliberate faults in money, in orders, and in what many people share. Each: what is broken, where, and the test that must notice:
// [the test binary or "lib", a part of the test's name].
const LEDGER = "app/slices/ledger/src/lib.rs";
const ORDERS = "app/slices/orders/src/progress.rs";
const GIVING_BACK = "app/slices/orders/src/giving_back.rs";
const STORE = "app/slices/orders/src/store.rs";
const DOMAIN_LEDGER = "app/domain/src/ledger.rs";
const STATES = "app/domain/src/order_state.rs";
const SETTLE = "app/slices/payments/src/settle.rs";
const REFUND = "app/slices/payments/src/refund.rs";
const WECHATPAY = "app/slices/payments/src/providers/wechatpay.rs";
const ALIPAY = "app/slices/payments/src/providers/alipay.rs";
const MODEL = ["lib", "models::orders::random_operations"];

export const FAULTS = [
  {
    name: "a balance may fall below zero",
    file: LEDGER,
    find: "where id = $1 and (floor is null or balance + $2 >= floor) returning",
    put: "where id = $1 returning",
    test: ["lib", "one_balance_pays_one_of_many_orders"],
  },
  {
    name: "a key may be used for another request",
    file: LEDGER,
    find: "return if before == digest {",
    put: "return if before.len() == digest.len() {",
    test: ["lib", "one_posting_key_posts_once"],
  },
  {
    name: "a repeated key posts again",
    file: LEDGER,
    find: "    if inserted == 0 {",
    put: "    if inserted > 1 {",
    test: MODEL,
  },
  {
    name: "entries are not numbered",
    file: LEDGER,
    find: "set balance = balance + $2, entries = entries + 1",
    put: "set balance = balance + $2, entries = entries + 2",
    test: MODEL,
  },
  {
    name: "an order's row is not locked",
    file: STORE,
    find: '"update orders set state = state where id = $1 and member_id = $2 returning {COLUMNS}"',
    put: '"select {COLUMNS} from orders where id = $1 and member_id = $2"',
    test: ["lib", "orders_races::postgres::one_order_is_paid_once"],
  },
  {
    name: "anybody's order can be moved",
    file: STORE,
    find: '"update orders set state = state where id = $1 and member_id = $2 returning {COLUMNS}"',
    put: '"update orders set state = state where id = $1 and member_id <> $2 || \'x\' returning {COLUMNS}"',
    test: MODEL,
  },
  {
    name: "more is given back than was paid",
    file: GIVING_BACK,
    find: "if amount > order.kept() || amount <= Fen::ZERO {",
    put: "if amount <= Fen::ZERO {",
    test: ["lib", "parts_are_never_more_than_the_whole"],
  },
  {
    name: "a refund's key is not looked at",
    file: GIVING_BACK,
    find: "return Ok(Some(Done::Before));",
    put: "return Ok(Some(Done::Now));",
    test: MODEL,
  },
  {
    name: "a cancelled order gives back its total, whatever was given back before",
    file: GIVING_BACK,
    find: 'Self { key, amount: order.kept(), reason, markup: Fen::ZERO }',
    put: 'Self { key, amount: order.total, reason, markup: Fen::ZERO }',
    test: MODEL,
  },
  {
    name: "a cancelled order keeps the money",
    file: ORDERS,
    find: "if order.paid_at.is_some() && order.kept() > Fen::ZERO {",
    put: "if order.paid_at.is_none() && order.kept() > Fen::ZERO {",
    test: MODEL,
  },
  {
    name: "a cancellation is acknowledged and not kept",
    file: ORDERS,
    find: `    enter(&mut tx, &order, state, "", now).await?;
    tx.commit().await?;
    Ok(Done::Now)
}

/// The member asks`,
    put: `    enter(&mut tx, &order, state, "", now).await?;
    drop(tx);
    Ok(Done::Now)
}

/// The member asks`,
    test: MODEL,
  },
  {
    name: "a refund is noted and not posted",
    file: GIVING_BACK,
    find: "match ledger::post(tx, &posting, &memo, now).await {",
    put: "match Ok::<_, Refusal>((&posting, &memo)) {",
    test: MODEL,
  },
  {
    name: "a payment moves the state before the money is there",
    file: ORDERS,
    find: "    ledger::post(tx, &posting, &format!(\"支付订单 {id}\"), now).await?;",
    put: "    let _ = ledger::post(tx, &posting, &format!(\"支付订单 {id}\"), now).await;",
    test: ["lib", "one_balance_pays_one_of_many_orders"],
  },
  {
    name: "the hour has 61 minutes",
    file: STATES,
    find: "pub const SELF_CANCEL_MS: i64 = 60 * MINUTE_MS;",
    put: "pub const SELF_CANCEL_MS: i64 = 61 * MINUTE_MS;",
    test: ["rules", "order_state::a_member_cancels_a_paid_order_within_sixty_minutes"],
  },
  {
    name: "production begins while the member may cancel",
    file: STATES,
    find: "When::AfterSelfCancel if times.self_cancel_open() => Err(NotMoved::TooEarly),",
    put: "When::AfterSelfCancel if !times.self_cancel_open() => Err(NotMoved::TooEarly),",
    test: ["rules", "order_state::production_begins_after_sixty_minutes"],
  },
  {
    name: "a deadline comes a day early",
    file: ORDERS,
    find: "    if now < order.state_since + ms {",
    put: "    if now < order.state_since + ms - 86_400_000 {",
    test: MODEL,
  },
  {
    name: "shipping is booked as goods",
    file: DOMAIN_LEDGER,
    find: "Entry { account: Account::Shipping, amount: shipping },",
    put: "Entry { account: Account::Revenue, amount: shipping },",
    test: ["rules", "ledger::an_order_is_paid_in_goods_and_shipping"],
  },
  {
    name: "an unbalanced posting is taken",
    file: DOMAIN_LEDGER,
    find: "        if sum != Fen::ZERO {\n            return Err(LedgerError::Unbalanced(sum));\n        }\n        Ok(Self { key, entries })",
    put: "        Ok(Self { key, entries })",
    test: ["rules", "ledger::only_balanced_entries_are_a_posting"],
  },
  {
    name: "prices are rounded up",
    file: "app/domain/src/money.rs",
    find: "RoundingStrategy::ToNegativeInfinity",
    put: "RoundingStrategy::ToPositiveInfinity",
    test: ["rules", "money::rounding_is_down"],
  },
  {
    name: "a begun kilogram is free",
    file: "app/domain/src/shipping.rs",
    find: "grams.div_ceil(1000)",
    put: "(grams / 1000)",
    test: ["rules", "shipping::a_begun_kilogram_counts"],
  },
  {
    name: "two workers hold one job",
    file: "app/base/src/jobs.rs",
    find: ".bind(now + LEASE_MS)",
    put: ".bind(now)",
    test: ["lib", "a_silent_workers_job_is_taken_over"],
  },
  {
    name: "a changed entry is not noticed",
    file: "app/slices/ledger/src/check.rs",
    find: "&& hex::encode(entries.finalize()) != digest",
    put: "&& hex::encode(entries.finalize()).len() != digest.len()",
    test: ["lib", "what_was_changed_is_found_on_sqlite"],
  },
  {
    name: "a notification's amount is not looked at",
    file: SETTLE,
    find: "if payment.amount != receipt.amount {",
    put: "if payment.amount.is_negative() {",
    test: ["lib", "one_notification_credits_once"],
  },
  {
    name: "a notification counts as often as it comes",
    file: SETTLE,
    find: "if !payment.state.may_become(PaymentState::Paid) {",
    put: "if !payment.state.may_become(PaymentState::Paid) && receipt.number.is_none() {",
    test: ["lib", "one_notification_credits_once"],
  },
  {
    name: "a provider's number may pay twice",
    file: SETTLE,
    find: "        return Err(Unsettled::NumberTaken);",
    put: '        tracing::debug!("taken");',
    test: MODEL,
  },
  {
    name: "more goes back to where it came from than came",
    file: REFUND,
    find: "if amount <= Fen::ZERO || amount > left {",
    put: "if amount <= Fen::ZERO {",
    test: MODEL,
  },
  {
    name: "money that could not go back is gone",
    file: REFUND,
    find: "    let posting = match end {\n        RefundState::Failed => {",
    put: "    let posting = match end {\n        RefundState::Done => {",
    test: MODEL,
  },
  {
    name: "WeChat Pay's signature is skipped",
    file: WECHATPAY,
    find: 'Ok(self.platform_key.verify(&signed, header("wechatpay-signature")?)?)',
    put: 'Ok(drop(self.platform_key.verify(&signed, header("wechatpay-signature")?)))',
    test: ["alone", "sqlite::what_is_not_provably_wechats_moves_nothing"],
  },
  {
    name: "old notifications count",
    file: WECHATPAY,
    find: "const SKEW_S: i64 = 5 * 60;",
    put: "const SKEW_S: i64 = 500 * 60;",
    test: ["alone", "sqlite::what_is_not_provably_wechats_moves_nothing"],
  },
  {
    name: "somebody else's appid counts",
    file: WECHATPAY,
    find: "if transaction.appid != self.appid {",
    put: "if transaction.appid.is_empty() {",
    test: ["alone", "sqlite::money_that_nobody_asked_for_moves_nothing"],
  },
  {
    name: "Alipay's signature is skipped",
    file: ALIPAY,
    find: 'self.alipay_key.verify(signed.as_bytes(), get("sign"))?;',
    put: 'drop(self.alipay_key.verify(signed.as_bytes(), get("sign")));',
    test: ["alone", "sqlite::what_is_not_provably_alipays_moves_nothing"],
  },
  {
    name: "another shop's money counts",
    file: ALIPAY,
    find: 'if get("seller_id") != self.seller_id {',
    put: 'if get("seller_id").is_empty() {',
    test: ["alone", "sqlite::what_is_not_provably_alipays_moves_nothing"],
  },
  {
    name: "a save does not say what it shows",
    file: "app/slices/works/src/store/revisions.rs",
    find: "        uses::saved(&mut tx, id, member, base + 1, document).await?;\n",
    put: "",
    test: ["lib", "what_is_shown_stays_and_nothing_else_on_sqlite"],
  },
  {
    name: "what only a deleted version showed stays for ever",
    file: "app/web/src/uses.rs",
    find: "if !versions.iter().any(|version| (first..=last).contains(version)) {",
    put: "if versions.is_empty() && first <= last {",
    test: ["lib", "what_is_shown_stays_and_nothing_else_on_sqlite"],
  },
  {
    name: "a photo is deleted whatever shows it",
    file: "app/slices/photos/src/removal.rs",
    find: "if uses::is_shown(&mut tx, &photo.member, &Shown::Photo(id.clone())).await? {",
    put: "if photo.is_coming() && photo.removed_at.is_none() {",
    test: ["lib", "what_is_shown_stays_and_nothing_else_on_sqlite"],
  },
  {
    name: "a guest's form takes more photos than the collection has places",
    file: "app/slices/guests/src/arriving.rs",
    find: "may_add(counts, collection.most, collection.most_each)?;",
    put: "may_add(counts, collection.most + 100, collection.most_each + 100)?;",
    test: ["shared", "guests::sqlite::sixteen_uploads_at_once_take_the_last_place_once"],
  },
  {
    name: "a guest's upload begins where there is no place",
    file: "app/slices/guests/src/uploads.rs",
    find: `let counts = arriving::counts(tx, to, guest).await?;
            may_add(counts, collection.most, collection.most_each)`,
    put: `let counts = arriving::counts(tx, to, guest).await?;
            may_add(counts, collection.most + 100, collection.most_each + 100)`,
    test: ["shared", "sixteen_begun_at_once_take_the_last_place_once"],
  },
  {
    name: "a small copy is accepted for a photo",
    file: "app/slices/guests/src/deciding.rs",
    find: " || piece.is_broken || piece.is_coming() {",
    put: " || piece.is_broken {",
    test: ["shared", "a_small_copy_stands_until_its_original_comes"],
  },
  {
    name: "one guest goes on with another's upload",
    file: "app/slices/photos/src/uploads/store.rs",
    find: "where id = $1 and member_id = $2 and sent_to = $3 and sender = $4 and state <> 'ended'",
    put: "where id = $1 and member_id = $2 and sent_to = $3 and $4 <> '' and state <> 'ended'",
    test: ["shared", "two_guests_cannot_touch_each_others_upload"],
  },
  {
    name: "a small copy stays for ever",
    file: "app/slices/guests/src/coming.rs",
    find: "now_ms() - COMING_MS, AT_ONCE",
    put: "now_ms() - COMING_MS - 3_600_000, AT_ONCE",
    test: ["alone", "a_small_copy_whose_original_never_comes_goes_after_a_week"],
  },
  {
    name: "a reviewer's link that was taken back still opens",
    file: "app/slices/reviews/src/open.rs",
    find: "let is_withdrawn = link.withdrawn_at.is_some();",
    put: "let is_withdrawn = link.withdrawn_at.is_some_and(|at| at > now_ms());",
    test: ["shared", "reviews::sqlite::a_link_ends"],
  },
  {
    name: "an approval is of the first round for ever",
    file: "app/slices/reviews/src/store/verdicts.rs",
    find: "values ($1, $2, $3, $4, $5)",
    put: "values ($1, $2 - $2 + 1, $3, $4, $5)",
    test: ["shared", "two_look_and_the_order_says_who_approved_what"],
  },
  {
    name: "a page of a year book opens though its link was taken back",
    file: "app/slices/yearbooks/src/own_page.rs",
    find: "if person.state(&book, now_ms()) == LinkState::Withdrawn =>",
    put: "if person.state(&book, now_ms()) == LinkState::Withdrawn && book.title.is_empty() =>",
    test: ["shared", "yearbooks::sqlite::a_closed_account_leaves_nothing_of_its_rosters"],
  },
  {
    name: "one copy of a year book is looked at, not all",
    file: "app/press/src/preflight/copies.rs",
    find: "for (index, copy) in copies.iter().enumerate() {",
    put: "for (index, copy) in copies.iter().enumerate().take(1) {",
    test: ["output", "what_is_the_matter_with_many_copies_is_said_once"],
  },
  {
    name: "a gift card that somebody has goes back to its buyer",
    file: "app/slices/giftcards/src/cards.rs",
    find: `        Stored::Open => {}
        _ => return Err(Error::Conflict(not_refunded`,
    put: `        Stored::Open | Stored::Held => {}
        _ => return Err(Error::Conflict(not_refunded`,
    test: ["alone", "the_shop_gives_a_card_back"],
  },
  {
    name: "what of a gift card is set aside for an order goes into the balance",
    file: "app/slices/giftcards/src/using.rs",
    find: "if set_aside > Fen::ZERO {",
    put: "if set_aside > rest {",
    test: ["lib", "models::gift_cards"],
  },
  {
    name: "a coupon's code is used twice",
    file: "app/slices/coupons/src/offers.rs",
    find: "standing.code_used = !store::take_code(tx, digest, order).await?;",
    put: "store::take_code(tx, digest, order).await?;",
    test: ["alone", "coupons::postgres::each_code_is_used_once"],
  },
  {
    name: "an order that ended keeps its coupon",
    file: "app/slices/coupons/src/store.rs",
    find: "update coupon_uses set returned_at = $2 where order_id = $1 and returned_at is null returning",
    put: "update coupon_uses set returned_at = $2 where order_id = $1 and returned_at > $2 returning",
    test: ["alone", "a_word_takes_off_and_comes_back"],
  },
  {
    name: "a seat that was taken back still reads",
    file: "app/slices/selling/src/store/licences.rs",
    find: "where s.member_id = $4 and s.back_at is null and l.ended_at is null and l.ends_at > $1",
    put: "where s.member_id = $4 and l.ended_at is null and l.ends_at > $1",
    test: ["shared", "a_class_reads_on_its_seats"],
  },
  {
    name: "everybody belongs to an organisation",
    file: "app/slices/selling/src/licences.rs",
    find: "let way = shown_by(&licence.domains, &licence.ranges, reader.email.as_deref(), address)?;",
    put: `let way = shown_by(&licence.domains, &licence.ranges, reader.email.as_deref(), address);
        let way = way.unwrap_or(Way::Network);`,
    test: ["shared", "who_belongs_there_sits_without_a_code"],
  },
];
