//! Reading forms.

use crate::error::Error;
use crate::render::Form;

/// A form-encoded body or query as a [`Form`].
pub fn read_form(body: &[u8]) -> Result<Form, Error> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(body)
        .map_err(|_| Error::BadRequest("表单无法读取，请刷新页面再试".into()))?;
    Ok(Form::sent(pairs))
}
