//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

mod actions {
    use web::render::Form;
    use works::tested::shelf;

    #[test]
    fn a_form_leads_back_to_a_shelf_and_nowhere_else() {
        let back = |asked: &str| shelf(&Form::sent([("shelf".to_owned(), asked.to_owned())]));
        assert_eq!(back("/manager/opus_list/album?q=%E6%B5%B7"), "/manager/opus_list/album?q=%E6%B5%B7");
        for wrong in [
            "",
            "https://evil.example",
            "//evil.example",
            "/manager/opus_list/../x",
            "/manager/opus_list/a b\r\nx",
        ] {
            assert_eq!(back(wrong), "/manager/opus_list/all", "{wrong}");
        }
    }
}

mod page_photos {
    use domain::ids::PhotoId;
    use works::tested::in_order;

    #[test]
    fn a_photo_goes_where_its_number_says() {
        let id = |name: char| -> PhotoId { format!("photo-{name}").parse().unwrap() };
        let before = ['a', 'b', 'c'].map(id);
        let order = |form: &str, numbers: &[(char, u32)]| -> String {
            let number = |photo: &PhotoId| {
                numbers.iter().find(|(name, _)| id(*name) == *photo).map(|(_, number)| *number)
            };
            let sorted = in_order(form.chars().map(id).collect(), &before, number);
            sorted.iter().filter_map(|photo| photo.as_str().chars().last()).collect()
        };
        assert_eq!(order("abc", &[('a', 1), ('b', 2), ('c', 3)]), "abc");
        assert_eq!(order("abc", &[('a', 1), ('b', 2), ('c', 1)]), "cab", "the last to the front");
        assert_eq!(order("abc", &[('a', 3), ('b', 2), ('c', 3)]), "bca", "the first to the end");
        assert_eq!(order("abcde", &[('a', 2), ('b', 1), ('c', 3)]), "bacde", "new ones follow");
    }
}

mod pictures {
    use std::collections::BTreeSet;
    use std::io;

    use base::storage::Storage;
    use works::tested::LibraryProxies;

    #[test]
    fn a_picture_that_cannot_be_read_now_is_no_missing_one() {
        let folder = tempfile::tempdir().unwrap();
        let proxies = || {
            let storage =
                Storage::open(folder.path(), None, base::storage::Space { reserve: 0, pictures: u64::MAX })
                    .unwrap();
            LibraryProxies::new(storage, Vec::new(), BTreeSet::new())
        };
        let missing = proxies();
        assert_eq!(missing.noted(Err(io::ErrorKind::NotFound.into())), None);
        assert!(missing.complete(Ok(())).is_ok(), "its frame stays empty");
        let late = proxies();
        assert_eq!(late.noted(Err(io::ErrorKind::TimedOut.into())), None);
        assert_eq!(late.noted(Ok(vec![1])), Some(vec![1]));
        assert!(late.complete(Ok(())).is_err(), "what was drawn without it is not kept");
    }
}

mod bundle {
    use works::tested::Places;

    #[test]
    fn addresses_lead_to_files_however_they_are_written() {
        let names: Vec<(usize, String)> = [
            "书/笔记.md",
            "书/图/a b.png",
            "书/封面.jpg",
            "底.jpg",
            "书/图/同.png",
            "另/同.png",
            "书/图/caf\u{e9}.png",
        ]
        .into_iter()
        .map(str::to_owned)
        .enumerate()
        .collect();
        for (address, found) in [
            ("图/a b.png", Some(1)),
            ("图/a%20b.png", Some(1)),
            ("./图/A B.PNG", Some(1)),
            ("图\\a b.png", Some(1)),
            ("../底.jpg", Some(3)),
            ("/书/封面.jpg", Some(2)),
            ("C:/Users/我/笔记/封面.jpg", Some(2)),
            ("别处/同.png", None),
            ("图/同.png", Some(4)),
            ("https://a.cn/封面.jpg", None),
            ("data:image/png;base64,AAAA", None),
            ("没有.jpg", None),
            ("../../../底.jpg", Some(3)),
            ("图/cafe\u{301}.png", Some(6)),
        ] {
            assert_eq!(Places::of(&names).find("书", address), found, "{address}");
        }
    }
}
