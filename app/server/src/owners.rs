//! Tables have owners: a slice's statements name its own, and no other's but those that stand here with their reason. A statement of
//! two slices' tables is one that neither can change alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::house::HOUSE;
use crate::testing::sources;

/// What a slice names of another's tables, and why.
const OPEN: &[(&str, &[&str], &str)] = &[
    ("accounts", &["cart_lines", "ledger_accounts"], "the session's one statement, which every page asks"),
    ("cart", &["works"], "a line shows its work, and lists are read in one question"),
    (
        "invoices",
        &["members", "membership_terms", "order_lines", "order_refunds", "orders"],
        "what may be invoiced is listed over all that is paid",
    ),
    ("giftcards", &["ledger_accounts", "ledger_entries", "ledger_transactions"], BOOKS),
    (
        "giftcards",
        &["orders"],
        "what is set aside on a card lasts as long as its order waits for the payment",
    ),
    ("membership", &["ledger_accounts", "ledger_entries", "ledger_transactions", "members", "orders"], BOOKS),
    ("orders", &["ledger_accounts", "ledger_entries", "ledger_transactions"], BOOKS),
    ("payments", &["ledger_entries", "ledger_transactions"], BOOKS),
    ("payments", &["members"], "a payment is found by its member's contact"),
    ("giftcards", &["approvals"], ASKED),
    ("orders", &["approvals"], ASKED),
    ("payments", &["approvals"], ASKED),
    ("orders", &["file_uses"], SHOWN),
    ("publications", &["file_uses"], SHOWN),
    ("reader", &["file_uses"], SHOWN),
    ("works", &["file_uses"], SHOWN),
    ("yearbooks", &["file_uses"], SHOWN),
    ("publications", &["members"], CLOSED),
    ("reader", &["members"], CLOSED),
    ("reader", &["works"], "what is shared is read with its work, in one question"),
    ("reviews", &["members"], CLOSED),
    ("selling", &["jobs"], "codes that wait to be made are counted where they wait"),
    ("selling", &["ledger_accounts", "ledger_entries", "ledger_transactions"], BOOKS),
    ("selling", &["members"], "who sells is listed with its name"),
    ("works", &["photos"], "a page's photos are looked up without the library"),
    ("yearbooks", &["members"], CLOSED),
];
const BOOKS: &str = "its rows have to fit the ledger";
const ASKED: &str = "what another clerk was asked for is listed with what it is about";
const CLOSED: &str = "what a closed account made is nothing to anybody, before a job has come to its rows";
const SHOWN: &str = "what shows a file is written once for all, and read with the rows that show it";

/// Tables, each with its owner.
fn owners() -> BTreeMap<&'static str, &'static str> {
    let of_slice = |slice: &'static web::slice::Slice| {
        slice.tables.iter().chain(slice.passing).map(|table| (*table, slice.name))
    };
    HOUSE.slices.iter().copied().flat_map(of_slice).collect()
}

/// The words behind which SQL names a table.
const BEFORE: [&str; 4] = ["from", "join", "update", "into"];

/// What stands behind those words in a source, comments left out.
fn named(source: &str) -> BTreeSet<String> {
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words: Vec<&str> = lines
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(2).filter(|two| BEFORE.contains(&two[0])).map(|two| two[1].to_owned()).collect()
}

#[test]
fn statements_name_no_tables_of_others_but_those_that_are_open() {
    let owners = owners();
    let mut found: BTreeSet<(&str, String)> = BTreeSet::new();
    for slice in HOUSE.slices.iter().filter(|slice| slice.name != "web") {
        let folder = Path::new(env!("BINDERY_CHECKOUT")).join("app/slices").join(slice.name).join("src");
        for (_, text) in sources(&folder) {
            let tables = named(&text);
            let others = tables
                .into_iter()
                .filter(|table| owners.get(table.as_str()).is_some_and(|owner| *owner != slice.name));
            found.extend(others.map(|table| (slice.name, table)));
        }
    }
    let open: BTreeSet<(&str, String)> = OPEN
        .iter()
        .flat_map(|(slice, tables, _)| tables.iter().map(move |table| (*slice, (*table).to_owned())))
        .collect();
    let new: Vec<_> = found.difference(&open).collect();
    assert!(new.is_empty(), "tables of others, with no reason in the list: {new:?}");
    let gone: Vec<_> = open.difference(&found).collect();
    assert!(gone.is_empty(), "open, though nobody needs it: {gone:?}");
}
