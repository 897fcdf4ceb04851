//! SQL of payments from outside.

pub mod closing;
pub mod refunds;
pub mod staff;

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::metrics;
use domain::ids::{MemberId, OrderId, PaymentId};
use domain::money::Fen;
use domain::payment::{Method, PaymentState};

/// An attempt to pay from outside.
#[derive(Debug, Clone)]
pub struct Payment {
    pub id: PaymentId,
    pub member: MemberId,
    pub method: Method,
    /// What it is for; without an order and a bill it is a recharge.
    pub order: Option<OrderId>,
    pub bill: Option<Bill>,
    pub amount: Fen,
    pub state: PaymentState,
    /// The provider's or the bank's number.
    pub provider_number: Option<String>,
    /// What a QR code says, or where to go.
    pub pay_url: Option<String>,
    /// What a bank transfer carries.
    pub reference: Option<String>,
    /// Whether the money paid the order or the bill that it was for; otherwise it is in the balance.
    pub paid_order: bool,
    /// Epoch ms, like all times here.
    pub created_at: i64,
    pub expires_at: i64,
    pub paid_at: Option<i64>,
}

/// Something of another slice's that a payment is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bill {
    /// The word of that slice, and the id there.
    pub kind: String,
    pub id: String,
    /// What the payer reads.
    pub title: String,
    /// Where it is paid and shown.
    pub page: String,
}

impl Payment {
    /// Whether nothing is expected any more though nothing has come.
    pub fn is_over(&self, now: i64) -> bool {
        match self.state {
            PaymentState::Pending => now >= self.expires_at,
            PaymentState::Closed => true,
            PaymentState::Paid => false,
        }
    }

    /// What the payer reads at the provider.
    pub fn title(&self) -> String {
        match (&self.order, &self.bill) {
            (Some(order), _) => format!("书坊订单 {order}"),
            (None, Some(bill)) => bill.title.clone(),
            (None, None) => "书坊账户充值".to_owned(),
        }
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    id: String,
    member_id: String,
    method: String,
    order_id: Option<String>,
    amount: i64,
    state: String,
    provider_number: Option<String>,
    pay_url: Option<String>,
    reference: Option<String>,
    paid_order: i64,
    created_at: i64,
    expires_at: i64,
    paid_at: Option<i64>,
    bill_kind: Option<String>,
    bill_id: Option<String>,
    bill_title: Option<String>,
    bill_page: Option<String>,
}

impl TryFrom<Row> for Payment {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            method: row.method.parse().map_err(Error::internal)?,
            order: row.order_id.map(OrderId::try_from).transpose().map_err(Error::internal)?,
            bill: row.bill_kind.zip(row.bill_id).map(|(kind, id)| Bill {
                kind,
                id,
                title: row.bill_title.unwrap_or_default(),
                page: row.bill_page.unwrap_or_default(),
            }),
            amount: Fen(row.amount),
            state: row.state.parse().map_err(Error::internal)?,
            provider_number: row.provider_number,
            pay_url: row.pay_url,
            reference: row.reference,
            paid_order: row.paid_order == 1,
            created_at: row.created_at,
            expires_at: row.expires_at,
            paid_at: row.paid_at,
        })
    }
}

pub(super) const COLUMNS: &str = "id, member_id, method, order_id, amount, state, provider_number, pay_url, reference, \
                                  paid_order, created_at, expires_at, paid_at, bill_kind, bill_id, bill_title, bill_page";

/// Writes a new payment; false when the same form began one before, or its reference is taken.
pub async fn insert(tx: &mut Tx, payment: &Payment, request_key: &str) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into payments (id, member_id, method, order_id, amount, request_key, state, reference, created_at,
                               expires_at, bill_kind, bill_id, bill_title, bill_page)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing",
    )
    .bind(payment.id.as_str())
    .bind(payment.member.as_str())
    .bind(payment.method.code())
    .bind(payment.order.as_ref().map(OrderId::as_str))
    .bind(payment.amount.0)
    .bind(request_key)
    .bind(payment.state.code())
    .bind(payment.reference.as_deref())
    .bind(payment.created_at)
    .bind(payment.expires_at)
    .bind(payment.bill.as_ref().map(|bill| &bill.kind))
    .bind(payment.bill.as_ref().map(|bill| &bill.id))
    .bind(payment.bill.as_ref().map(|bill| &bill.title))
    .bind(payment.bill.as_ref().map(|bill| &bill.page))
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if inserted == 1 {
        metrics::payment("pending");
    }
    Ok(inserted == 1)
}

/// The payment that a form began before, if it did.
pub async fn begun_by(tx: &mut Tx, member: &MemberId, request_key: &str) -> Result<Option<Payment>, Error> {
    let sql = sql!("select {COLUMNS} from payments where member_id = $1 and request_key = $2");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(request_key)
        .fetch_optional(conn)
        .await)?;
    row.map(Payment::try_from).transpose()
}

/// How many payments a member has begun that can still be paid.
pub async fn count_open(tx: &mut Tx, member: &MemberId, now: i64) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from payments where member_id = $1 and state = 'pending' and expires_at > $2"
    )
    .bind(member.as_str())
    .bind(now)
    .fetch_one(conn)
    .await)?)
}

/// An order's payment of this amount by this way that can still be paid for a while.
pub async fn open_of_order(
    tx: &mut Tx,
    order: &OrderId,
    method: Method,
    amount: Fen,
    until: i64,
) -> Result<Option<PaymentId>, Error> {
    let id: Option<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select id from payments where order_id = $1 and method = $2 and state = 'pending' and expires_at > $3 and amount = $4
                and (pay_url is not null or reference is not null)
         order by created_at desc limit 1"
    )
    .bind(order.as_str())
    .bind(method.code())
    .bind(until)
    .bind(amount.0)
    .fetch_optional(conn)
    .await
    })?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// The same for a bill.
pub async fn open_of_bill(
    tx: &mut Tx,
    bill: &Bill,
    member: &MemberId,
    method: Method,
    until: i64,
) -> Result<Option<PaymentId>, Error> {
    let id: Option<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
            "select id from payments where bill_kind = $1 and bill_id = $2 and member_id = $3 and method = $4
                and state = 'pending' and expires_at > $5 and (pay_url is not null or reference is not null)
         order by created_at desc limit 1",
        )
        .bind(&bill.kind)
        .bind(&bill.id)
        .bind(member.as_str())
        .bind(method.code())
        .bind(until)
        .fetch_optional(conn)
        .await
    })?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Notes where a payment is paid.
pub async fn set_pay_url(db: &Db, id: &PaymentId, pay_url: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update payments set pay_url = $2 where id = $1")
        .bind(id.as_str())
        .bind(pay_url)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// One of a member's own payments.
pub async fn find_for_owner(db: &Db, id: &PaymentId, member: &MemberId) -> Result<Payment, Error> {
    let sql = sql!("select {COLUMNS} from payments where id = $1 and member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any payment, for providers, jobs and the operator.
pub async fn find(db: &Db, id: &PaymentId) -> Result<Payment, Error> {
    let sql = sql!("select {COLUMNS} from payments where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The payment that a bank transfer names.
pub async fn find_by_reference(db: &Db, reference: &str) -> Result<Payment, Error> {
    let sql = sql!("select {COLUMNS} from payments where reference = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(reference).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Reads a payment and holds its row, so that one notification at a time settles it.
pub async fn lock(tx: &mut Tx, id: &PaymentId) -> Result<Option<Payment>, Error> {
    let sql = sql!("update payments set state = state where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.map(Payment::try_from).transpose()
}

/// Whether another payment already has a provider's number.
pub async fn is_number_taken(
    tx: &mut Tx,
    method: Method,
    number: &str,
    except: &PaymentId,
) -> Result<bool, Error> {
    let count: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from payments where method = $1 and provider_number = $2 and id <> $3"
    )
    .bind(method.code())
    .bind(number)
    .bind(except.as_str())
    .fetch_one(conn)
    .await)?;
    Ok(count > 0)
}

/// Notes that the money is here.
pub async fn set_paid(
    tx: &mut Tx,
    id: &PaymentId,
    number: Option<&str>,
    paid_order: bool,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update payments set state = 'paid', provider_number = $2, paid_order = $3, paid_at = $4 where id = $1"
    )
    .bind(id.as_str())
    .bind(number)
    .bind(i64::from(paid_order))
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    metrics::payment("paid");
    Ok(())
}

/// Closes a payment that nothing has come for.
pub async fn close(db: &Db, id: &PaymentId) -> Result<(), Error> {
    let closed = with_write!(db, |pool| sqlx::query(
        "update payments set state = 'closed' where id = $1 and state = 'pending'"
    )
    .bind(id.as_str())
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if closed == 1 {
        metrics::payment("closed");
    }
    Ok(())
}

/// A member's payments, the newest first.
pub async fn of_member(db: &Db, member: &MemberId, limit: i64) -> Result<Vec<Payment>, Error> {
    let sql = sql!(
        "select {COLUMNS} from payments where member_id = $1 order by created_at desc, id desc limit $2"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(limit)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Payment::try_from).collect()
}

/// How an order was paid from outside; `None` when it was from the balance.
pub async fn method_of_order(db: &Db, order: &OrderId) -> Result<Option<Method>, Error> {
    let method: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select method from payments where order_id = $1 and paid_order = 1"
    )
    .bind(order.as_str())
    .fetch_optional(pool)
    .await)?;
    method.map(|method| method.parse().map_err(Error::internal)).transpose()
}

/// Everybody's payments, the oldest first, each with its member's account.
pub async fn all(db: &Db, state: Option<PaymentState>) -> Result<Vec<(Payment, String)>, Error> {
    let sql = sql!(
        "select {COLUMNS}, (select account from members where members.id = payments.member_id) as account
         from payments where $1 = '' or state = $1 order by created_at, id"
    );
    #[derive(sqlx::FromRow)]
    struct Listed {
        #[sqlx(flatten)]
        payment: Row,
        account: String,
    }
    let rows: Vec<Listed> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(state.map_or("", PaymentState::code))
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(|row| Ok((row.payment.try_into()?, row.account))).collect()
}
