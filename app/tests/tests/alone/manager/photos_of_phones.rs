//! HEIC and AVIF, from the form to the print file.

use std::path::Path;
use std::process::Command;

use image::{GenericImageView, ImageFormat};
use reqwest::StatusCode;

use support::{PASSWORD, Server, encoded, jpeg, on_both_engines, photo_form, quarters};

on_both_engines!(
    ; on_sqlite:
    they_are_shown_and_printed,
    whoever_runs_the_program_need_not_take_them,
);

/// A picture of four quarters as Debian's encoder writes it.
fn phone_photo(coding: &str, seed: u8) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("source.png"), folder.path().join(format!("made.{coding}")));
    std::fs::write(&from, encoded(&quarters(1600, 1200, seed), ImageFormat::Png)).unwrap();
    let made = Command::new("heif-enc").args(["-q", "90"]).arg(&from).arg("-o").arg(&to).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    std::fs::read(to).unwrap()
}

async fn they_are_shown_and_printed(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let heic = phone_photo("heic", 1);
    let photos = vec![("一.HEIC", heic.clone()), ("二.avif", phone_photo("avif", 2))];
    let photos = member.upload(photos).await;
    assert_eq!(photos.len(), 2);
    for photo in &photos {
        let answer = member.get(&format!("/manager/photo/{photo}/1280")).await;
        assert_eq!(
            (answer.status(), answer.headers()["content-type"].to_str().unwrap()),
            (StatusCode::OK, "image/webp")
        );
        let seen = image::load_from_memory(&answer.bytes().await.unwrap()).unwrap();
        assert_eq!(seen.dimensions(), (1280, 960));
        let [red, green, blue, _] = seen.get_pixel(300, 700).0;
        assert!(red < 80 && green < 100 && blue > 180, "{red} {green} {blue}");
    }
    let avatar = reqwest::multipart::Form::new()
        .part("avatar", reqwest::multipart::Part::bytes(heic).file_name("我.heic"));
    let answer = member.post_multipart("/manager/userInfo", avatar).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);

    let work = member.album("square-210", "手机里的夏天", &photos).await;
    let order = member.order(&member.add_to_cart(&work, "album-210").await).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let folder = server.folder.path().join("export");
    let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let inner = folder.join("1-inner.pdf");
    tool("qpdf", &["--check".as_ref(), inner.as_os_str()]);
    let pictures = tool("pdfimages", &["-list".as_ref(), inner.as_os_str()]);
    let jpegs = pictures.lines().filter(|line| line.contains(" jpeg ")).count();
    assert!(jpegs >= 2, "{pictures}");
    // the second page's photo is there, the right way round
    let page = folder.join("page");
    tool("pdftoppm", &["-r".as_ref(), "20".as_ref(), "-png".as_ref(), inner.as_os_str(), page.as_os_str()]);
    let blue = support::names_in(&folder).iter().filter(|name| is_blue_somewhere(&folder.join(name))).count();
    assert_eq!(blue, 2, "pages that show the photos");
}

/// Whether a page shows the blue quarter, as the press will print it.
fn is_blue_somewhere(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "png")
        && image::open(path).unwrap().into_rgb8().pixels().any(|pixel| pixel[2] > 140 && pixel[0] < 90)
}

fn tool(name: &str, words: &[&std::ffi::OsStr]) -> String {
    let output = Command::new(name).args(words).output().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

async fn whoever_runs_the_program_need_not_take_them(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let kept = member.upload(vec![("一.heic", phone_photo("heic", 1))]).await;
    let kept_one = member.get(&format!("/manager/photo/{}/320", kept[0])).await;
    assert_eq!(kept_one.status(), StatusCode::OK);
    server.kill();
    server.set("BINDERY_HEIF", "0");
    server.restart();
    let member = server.visitor();
    member.sign_in("maker@example.com", PASSWORD).await;
    let page = member.page("/manager/photos").await;
    assert!(page.contains("JPEG、PNG、WebP，每张") && !page.contains("WebP、HEIC"), "{page}");
    let form = photo_form(vec![("二.avif", phone_photo("avif", 2)), ("三.jpg", jpeg(300, 200, 3))]);
    let answer = member.post_multipart("/manager/photos", form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let said = answer.text().await.unwrap();
    assert!(said.contains("二.avif：这里不收 HEIC 和 AVIF 照片"), "{said}");
    // those of before are there
    assert_eq!(member.library().await.len(), 2);
    let answer = member.get(&format!("/manager/photo/{}/320", kept[0])).await;
    assert_eq!(answer.status(), StatusCode::OK);
}
