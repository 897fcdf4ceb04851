//! A browser without scripts: asking, signing in, and what members do again and again.

use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, ClientBuilder, Method, Response, StatusCode, redirect};

use crate::own::Own;
use crate::text::{between, between_all};
use pictures::jpeg;

/// The password of every member that a test seeds.
pub const PASSWORD: &str = "correct horse battery";

/// A browser without scripts: cookies, forms, nothing else.
#[derive(Clone)]
pub struct Caller {
    client: Client,
    pub base: String,
    own: Own,
}

/// A client that follows no redirect, at its test's network address.
fn client(own: Own) -> ClientBuilder {
    let address = own.address().map(|address| HeaderValue::from_str(&address).unwrap());
    let headers = address.map(|address| (HeaderName::from_static("x-forwarded-for"), address));
    Client::builder()
        .redirect(redirect::Policy::none())
        .default_headers(headers.into_iter().collect())
        // everything here is plain HTTP, and reading the roots takes as long as a page
        .tls_built_in_root_certs(false)
}

impl Caller {
    pub(crate) fn new(base: &str, own: Own) -> Self {
        // the server ends connections that are silent for 20 s, and a test that makes pictures meanwhile does not notice
        let client = client(own).cookie_store(true).pool_idle_timeout(Duration::from_secs(10));
        Self { client: client.build().unwrap(), base: base.to_owned(), own }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.client.get(format!("{}{path}", self.base)).send().await.unwrap()
    }

    pub async fn head(&self, path: &str) -> Response {
        self.client.head(format!("{}{path}", self.base)).send().await.unwrap()
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.bare(Method::GET, path, headers).await
    }

    /// A request without a body.
    pub async fn bare(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let request = self.client.request(method, format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap()
    }

    /// The page's HTML; it must be there.
    pub async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.unwrap()
    }

    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.client.post(format!("{}{path}", self.base)).form(fields).send().await.unwrap()
    }

    /// A form from a network address, to a server that trusts its proxy.
    pub async fn post_via(&self, address: &str, path: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}{path}", self.base)).header("x-forwarded-for", address);
        request.form(fields).send().await.unwrap()
    }

    /// A form to a server that may die meanwhile; `None` when nobody answered.
    pub async fn try_post(&self, path: &str, fields: &[(&str, &str)]) -> Option<Response> {
        self.client.post(format!("{}{path}", self.base)).form(fields).send().await.ok()
    }

    /// The same browser at another process of the same site.
    pub fn at(&self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self.clone() }
    }

    /// A program's call: a token, no cookies of its own.
    pub async fn call(&self, method: &str, path: &str, token: &str, fields: &[(&str, &str)]) -> Response {
        let address = format!("{}{path}", self.base);
        let request = self.client.request(method.parse().unwrap(), address).header("authorization", token);
        let request = if method == "POST" { request.form(fields) } else { request };
        request.send().await.unwrap()
    }

    /// A form that stood on another page of the site.
    pub async fn post_from(&self, page: &str, path: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("referer", format!("{}{page}", self.base)).form(fields).send().await.unwrap()
    }

    pub async fn post_with_origin(&self, path: &str, origin: &str) -> Response {
        let request = self.client.post(format!("{}{path}", self.base)).header("origin", origin);
        // what only a browser may say, and what it never says beside a foreign origin
        request.header("sec-fetch-site", "same-origin").send().await.unwrap()
    }

    pub async fn post_with_headers(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let request = self.client.post(format!("{}{path}", self.base)).body(body.to_owned());
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap()
    }

    /// A form from a browser with another jar than this caller's.
    pub async fn post_with_cookie(&self, path: &str, cookie: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("cookie", cookie).form(fields).send().await.unwrap()
    }

    /// Any request; a body is sent as a form.
    pub async fn ask(
        &self,
        method: reqwest::Method,
        path: &str,
        form: String,
        origin: Option<&str>,
    ) -> Response {
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.base));
        // what tus asks of every request; others don't know the name
        request = request.header("tus-resumable", "1.0.0");
        if method == reqwest::Method::POST {
            request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
        }
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        request.send().await.unwrap()
    }

    /// Any request with any body to a server that may die meanwhile; `None` when nobody answered.
    pub async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Option<Response> {
        let request = self.client.request(method.parse().unwrap(), format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(body).send().await.ok()
    }

    pub async fn post_multipart(&self, path: &str, form: Form) -> Response {
        self.client.post(format!("{}{path}", self.base)).multipart(form).send().await.unwrap()
    }

    /// The same from a page of the site.
    pub async fn post_multipart_from(&self, page: &str, path: &str, form: Form) -> Response {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("referer", format!("{}{page}", self.base)).multipart(form).send().await.unwrap()
    }

    /// What a browser of a member sends as `Cookie`.
    pub async fn cookie(&self, account: &str) -> String {
        let request = client(self.own).build().unwrap().post(format!("{}/manager/login", self.base));
        let fields = [("account", &*self.own.name(account)), ("password", PASSWORD)];
        let answer = request.form(&fields).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let cookies = answer.headers().get_all("set-cookie").iter();
        let pairs = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned());
        pairs.collect::<Vec<_>>().join("; ")
    }

    pub async fn sign_in(&self, account: &str, password: &str) -> Response {
        let account = self.own.name(account);
        self.post("/manager/login", &[("account", &account), ("password", password)]).await
    }

    /// Uploads photos and answers the ids of the whole library, in the page's order.
    pub async fn upload(&self, photos: Vec<(&str, Vec<u8>)>) -> Vec<String> {
        let answer = self.post_multipart("/manager/photos", photo_form(photos)).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        self.library().await
    }

    /// Uploads one photo to a server that may die meanwhile; whether it acknowledged.
    pub async fn try_upload(&self, photo: Vec<u8>) -> bool {
        let request = self.client.post(format!("{}/manager/photos", self.base));
        let answer = request.multipart(photo_form(vec![("照片.jpg", photo)])).send().await;
        answer.is_ok_and(|answer| answer.status() == StatusCode::SEE_OTHER)
    }

    pub async fn library(&self) -> Vec<String> {
        let page = self.page("/manager/photos").await;
        between_all(&page, "/manager/photo/", "/320")
    }

    /// Makes an album of photos in the library and answers its id.
    pub async fn album(&self, format: &str, title: &str, photos: &[String]) -> String {
        let mut form = Form::new()
            .text("format", format.to_owned())
            .text("theme", "calm")
            .text("title", title.to_owned())
            .text("author", "");
        for id in photos {
            form = form.text("photo", id.clone());
        }
        let answer = self.post_multipart("/manager/make_ebook", form).await;
        let place = location(&answer);
        place.strip_prefix("/manager/opus/").unwrap_or_else(|| panic!("went to {place}")).to_owned()
    }

    /// Sends the form of a work's sharing, with some of it changed.
    pub async fn share_as(&self, work: &str, changes: &[(&str, &str)]) -> Response {
        let mut fields = vec![
            ("visibility", "public"),
            ("direction", "left"),
            ("title", "山海之间"),
            ("description", "一路向西"),
            ("ends_on", ""),
            ("card_page", "0"),
            ("embed_sites", ""),
            ("act", "publish"),
        ];
        fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        fields.extend_from_slice(changes);
        self.post(&format!("/manager/opus_share_edit/{work}"), &fields).await
    }

    /// Lets everybody read a work.
    pub async fn share(&self, work: &str) {
        let answer = self.share_as(work, &[]).await;
        assert_eq!(location(&answer), format!("/manager/opus_share_edit/{work}?saved=published"));
    }

    /// Puts a work in the cart and answers the line's id.
    pub async fn add_to_cart(&self, work: &str, goods: &str) -> String {
        let address = format!("/manager/add_shopping/{work}");
        let page = self.page(&address).await;
        let line = between(&page, "name=\"line\" value=\"", "\"");
        let answer = self.post(&address, &[("line", &line), ("goods", goods)]).await;
        assert_eq!(location(&answer), format!("/manager/shopping/cart/{line}/options"));
        line
    }

    /// Six small photos, a square album of them, one copy in the cart; answers the cart line's id.
    pub async fn cart_with_album(&self) -> String {
        let photos = self.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
        let work = self.album("square-210", "海边的夏天", &photos).await;
        self.add_to_cart(&work, "album-210").await
    }

    /// Saves an address on the order page of these lines and answers the fields that place the order.
    pub async fn order_form(&self, lines: &str) -> Vec<(String, String)> {
        let address = format!("/manager/shopping/order/{lines}");
        let answer = self
            .post(
                &address,
                &[
                    ("address", "new"),
                    ("receiver", "林知夏"),
                    ("phone", "13800138000"),
                    ("province", "浙江省"),
                    ("city", "杭州市"),
                    ("district", "西湖区"),
                    ("street", "龙井路 18 号"),
                ],
            )
            .await;
        let place = location(&answer);
        let page = self.page(&place).await;
        vec![
            ("request_key".into(), between(&page, "name=\"request_key\" value=\"", "\"")),
            ("address".into(), place.rsplit('=').next().unwrap().to_owned()),
            ("total".into(), between(&page, "name=\"total\" value=\"", "\"")),
        ]
    }

    /// Places an order for cart lines and answers its number.
    pub async fn order(&self, lines: &str) -> String {
        let fields = self.order_form(lines).await;
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        let answer = self.post(&format!("/manager/shopping/order/{lines}"), &fields).await;
        let place = location(&answer);
        place
            .strip_prefix("/manager/shopping/pay?order=")
            .unwrap_or_else(|| panic!("went to {place}"))
            .to_owned()
    }

    /// The balance in the top bar.
    pub async fn balance(&self) -> String {
        let page = self.page("/manager/order").await;
        between(&page, "余额</span> <span class=\"money\"><small>¥</small>", "<")
    }
}

/// Where an answer leads; it must be a redirect after a POST.
pub fn location(answer: &Response) -> String {
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    answer.headers()["location"].to_str().unwrap().to_owned()
}

pub fn photo_form(photos: Vec<(&str, Vec<u8>)>) -> Form {
    photos.into_iter().fold(Form::new(), |form, (name, bytes)| {
        form.part("photos", Part::bytes(bytes).file_name(name.to_owned()))
    })
}
