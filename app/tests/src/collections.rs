//! Collections to which guests send photos.

use reqwest::multipart::{Form, Part};

use crate::{Caller, Server, between, between_all, day, location};

/// The fields of a new collection, with some of them changed.
pub fn fields<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("title", "小雨和老王的婚礼"),
        ("greeting", "谢谢您来！"),
        ("thanks", "等书做好了，送您一本。"),
        ("until", ""),
        ("most", "100"),
        ("most_each", "10"),
        ("wishes", "1"),
    ];
    fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    fields.extend(changes.iter().filter(|(_, value)| *value != "(none)"));
    fields
}

/// A new collection: its page, and its address for guests.
pub async fn collection(owner: &Caller, changes: &[(&str, &str)]) -> (String, String) {
    let form = owner.page("/manager/guests/new").await;
    let key = between(&form, "name=\"collection\" value=\"", "\"");
    let last = day(20);
    let mut fields = fields(&[&[("until", &*last)], changes].concat());
    fields.push(("collection", &key));
    let place = location(&owner.post("/manager/guests/new", &fields).await);
    let own = place.strip_suffix("?done=made").unwrap_or_else(|| panic!("went to {place}")).to_owned();
    let address = format!("/g/{}", between(&owner.page(&own).await, "/g/", "\""));
    (own, address)
}

/// What a guest's form says.
pub fn words(name: &str, wish: &str, photos: Vec<(&str, Vec<u8>)>) -> Form {
    let form = Form::new().text("name", name.to_owned()).text("wish", wish.to_owned());
    photos
        .into_iter()
        .fold(form, |form, (name, bytes)| form.part("photos", Part::bytes(bytes).file_name(name.to_owned())))
}

/// A guest who has opened the page.
pub async fn guest(server: &Server, address: &str) -> Caller {
    let guest = server.visitor();
    assert!(guest.page(address).await.contains("小雨和老王的婚礼"));
    guest
}

/// What a guest's page shows of its own photos, the last first.
pub async fn own_photos(guest: &Caller, address: &str) -> Vec<String> {
    between_all(&guest.page(address).await, &format!("src=\"{address}/photo/"), "\"")
}

/// What waits on an owner's page.
pub async fn waiting(owner: &Caller, own: &str) -> Vec<String> {
    between_all(&owner.page(own).await, "name=\"photo\" value=\"", "\"")
}
