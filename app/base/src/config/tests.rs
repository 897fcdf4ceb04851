use super::own::SECURE_COOKIES;
use super::{reached_at, site};

#[test]
fn the_public_address_is_scheme_and_host() {
    assert_eq!(site("https://books.example/").ok().as_deref(), Some("https://books.example"));
    assert_eq!(site("http://[::1]:3000").ok().as_deref(), Some("http://[::1]:3000"));
    for wrong in
        ["books.example", "ftp://books.example", "https://a@b", "https://b/shop", "https://b/?x", "https://"]
    {
        assert!(site(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn files_lie_in_a_folder_or_a_bucket() {
    let storage = |url: Option<&str>| {
        super::storage("data".as_ref(), url.map(str::to_owned), std::iter::empty())
            .map(|(folder, bucket)| (folder.display().to_string(), bucket.is_some()))
            .map_err(|error| error.to_string())
    };
    assert_eq!(storage(None), Ok(("data/storage".into(), false)));
    assert_eq!(storage(Some("file:///srv/books")), Ok(("/srv/books".into(), false)));
    assert_eq!(storage(Some("file:books")), Ok(("books".into(), false)));
    assert_eq!(storage(Some("s3://books/bindery")), Ok(("data/copies".into(), true)));
    assert_eq!(storage(Some("s3:books")), Ok(("data/copies".into(), true)));
    for wrong in ["s3://", "gs://books", "/srv/books"] {
        let refusal = storage(Some(wrong)).unwrap_err();
        assert!(refusal.starts_with("BINDERY_STORAGE_URL: "), "{refusal}");
    }
}

#[test]
fn a_hot_folder_is_a_whole_path_or_in_a_bucket() {
    let place = |url: &str| match super::HotFolder::new(url, std::iter::empty()).map(|folder| folder.place) {
        Ok(super::Place::Folder(path)) => Ok(path.display().to_string()),
        Ok(super::Place::Bucket(bucket)) => Ok(format!("{bucket:?}")),
        Err(error) => Err(error.to_string()),
    };
    assert_eq!(place("/mnt/prepress/in"), Ok("/mnt/prepress/in".into()));
    assert_eq!(place("file:///mnt/prepress"), Ok("/mnt/prepress".into()));
    assert!(place("s3://jobs/prepress").unwrap().contains("prepress"));
    for wrong in ["prepress", "file:prepress", "s3://", "gs://jobs"] {
        let refusal = place(wrong).unwrap_err();
        assert!(refusal.starts_with("BINDERY_HOT_FOLDER: "), "{refusal}");
    }
}

#[test]
fn a_switch_is_on_or_off_or_refused() {
    for (word, expected) in
        [("1", true), ("yes", true), ("On", true), ("TRUE ", true), ("0", false), ("off", false)]
    {
        assert_eq!(SECURE_COOKIES.taken(word).ok(), Some(expected), "{word}");
    }
    for word in ["2", "ja", "enabled", "tru"] {
        let refusal = SECURE_COOKIES.taken(word).unwrap_err().to_string();
        assert!(refusal.starts_with("BINDERY_SECURE_COOKIES: ") && refusal.contains(word), "{refusal}");
    }
}

#[test]
fn whoever_hears_of_holes_has_an_address_with_a_scheme() {
    assert_eq!(reached_at(" safety@books.example").unwrap(), "mailto:safety@books.example");
    for good in ["https://books.example/safety", "mailto:a@b.example", "tel:+86-571-87654321"] {
        assert_eq!(reached_at(good).unwrap(), good);
    }
    for bad in ["", "books.example", "http://books.example", "a@b\nExpires: never", "javascript:a@b"] {
        assert!(reached_at(bad).is_err(), "{bad:?}");
    }
}
