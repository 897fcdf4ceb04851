//! What is written of an order's lines, made before the transaction that writes it: a document is large, and whoever writes holds
//! everybody who wants to.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base::error::Error;
use web::uses::Shown;

use super::{Proposal, mark};
use crate::store::FrozenLine;
use crate::store::uses::shown;

/// A proposal as it is ordered.
#[derive(Debug)]
pub struct Frozen {
    pub proposal: Proposal,
    /// Its lines, as they are kept.
    pub lines: Vec<FrozenLine>,
    /// The photos and PDFs of all of them.
    pub shown: BTreeSet<Shown>,
}

impl Proposal {
    /// Makes it what is written. A document that lines share is made once.
    pub fn freeze(self) -> Result<Frozen, Error> {
        let mut texts: HashMap<usize, Arc<str>> = HashMap::new();
        let mut files = BTreeSet::new();
        let mut lines = Vec::with_capacity(self.lines.len());
        for (index, item) in self.lines.iter().enumerate() {
            let document = match texts.get(&mark(&item.document)) {
                Some(text) => text.clone(),
                None => {
                    files.append(&mut shown([&*item.document].into_iter()));
                    let text: Arc<str> = serde_json::to_string(&*item.document)?.into();
                    texts.insert(mark(&item.document), text.clone());
                    text
                }
            };
            let choice = item.evaluation.choice();
            lines.push(FrozenLine {
                position: index as i64 + 1,
                work_id: item.work_id.clone(),
                title: item.document.title.clone(),
                remark: item.remark.clone(),
                quantity: i64::from(item.quote.count.get()),
                total: item.quote.total,
                discount: item.quote.coupon(),
                document,
                goods: serde_json::to_string(&item.goods)?,
                choice: choice.to_string(),
                artwork: choice.artwork().to_string(),
                quote: serde_json::to_string(&item.quote)?,
                proofed_at: item.proofed_at,
                cart_line: item.cart_line.clone(),
            });
        }
        Ok(Frozen { proposal: self, lines, shown: files })
    }
}
