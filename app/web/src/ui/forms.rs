//! Reading forms.

use base::error::Error;
use domain::typed::is_blank;

use crate::render::Form;

/// A form-encoded body or query as a [`Form`].
pub fn read_form(body: &[u8]) -> Result<Form, Error> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(body).map_err(|_| unreadable())?;
    if pairs.iter().any(|(_, value)| has_control(value)) {
        return Err(unwritable());
    }
    Ok(Form::sent(pairs))
}

/// The answer to a form that is none, or more than any page sends.
pub fn unreadable() -> Error {
    Error::BadRequest("表单无法读取，请刷新页面再试".into())
}

/// The answer to a form that names no act.
pub const CHOOSE: &str = "请选择要做什么";

/// Whether a text holds what nobody can see or print, and a database may refuse.
pub fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

/// The answer to such a text.
pub fn unwritable() -> Error {
    Error::BadRequest("文字里有不能保存的控制字符，请去掉后再试".into())
}

/// Refuses a text that has fewer or more characters than it may (specification section 5).
pub fn check_length(form: &mut Form, field: &str, label: &str, least: usize, most: usize) {
    let text = form.get(field);
    let length = text.chars().count();
    if length < least || (least > 0 && is_blank(text)) {
        form.refuse(field, format!("请输入{label}"));
    } else if length > most {
        form.refuse(field, format!("{label}最多 {most} 个字"));
    }
}
