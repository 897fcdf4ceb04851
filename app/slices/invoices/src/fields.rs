//! What the operator types about an invoice, on the command line and in the back office.

use domain::typed::{code, is_blank, words};
use web::ui::forms::has_control;

/// Digits that a number 发票号码 may have.
pub const MOST_NUMBER: usize = 20;
/// Characters that a reason may have.
pub const MOST_REASON: usize = 200;

/// A number 发票号码, where it is one.
pub fn number(text: &str) -> Option<String> {
    let text = code(text);
    let fits = (1..=MOST_NUMBER).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then_some(text)
}

/// A reason as it is kept: one line, without the end of its sentence, because another goes on behind it.
pub fn reason(text: &str) -> Option<String> {
    let text = words(text);
    let text = text.trim_end_matches(['。', '.', '！', '!']);
    let fits = (1..=MOST_REASON).contains(&text.chars().count()) && !is_blank(text);
    (fits && !has_control(text) && !text.contains(['\n', '\r'])).then(|| text.to_owned())
}
