//! /manager/order and `bindery order export`: what the print shop gets.

use std::process::Command;

use support::editor::json_of;
use support::staff::{Clerk, printable};
use support::{Server, jpeg, on_both_engines, repository};

on_both_engines!(
    ; on_sqlite:
    a_damaged_original_never_leaves,
    an_order_is_exported_as_print_files,
    an_ornament_is_on_the_plate_and_on_the_ticket,
    goods_and_suppliers_say_what_their_files_follow,
    shops_that_want_them_get_the_sheets_of_saddle_stitched_books,
);

/// Runs a PDF tool that the test needs.
fn tool(name: &str, arguments: &[&std::ffi::OsStr]) -> String {
    let output =
        Command::new(name).args(arguments).output().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

async fn an_order_is_exported_as_print_files(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let original = jpeg(1600, 1200, 77);
    let mut photos = vec![("主图.jpg", original.clone())];
    photos.extend((0..5).map(|n| ("照片.jpg", jpeg(800, 600, n))));
    let photos = member.upload(photos).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let line = member.add_to_cart(&work, "album-210").await;
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;

    let folder = server.folder.path().join("export");
    let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names: Vec<String> =
        support::names_in(&folder).iter().map(|name| name.display().to_string()).collect();
    assert_eq!(names, ["1-cover.pdf", "1-inner.pdf", "1-preflight.json", "ticket.json", "ticket.pdf"]);

    let ticket: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("ticket.json")).unwrap()).unwrap();
    assert_eq!(ticket["order"], order.as_str());
    assert_eq!(ticket["state"], "paid");
    assert_eq!(ticket["lines"][0]["title"], "海边的夏天");
    assert_eq!(ticket["lines"][0]["trim_mm"], serde_json::json!([210.0, 210.0]));
    let pages = ticket["lines"][0]["pages"].as_u64().unwrap();
    // what a shop would ask on the telephone: 8 leaves of 0.13 mm and two boards, with its films
    let line = &ticket["lines"][0];
    assert_eq!(line["caliper_mm"], 0.13);
    assert_eq!(line["cover"]["die_line"], "刀线");
    for (name, mm) in [("board_mm", 2.5), ("turn_in_mm", 17.5), ("groove_mm", 10.0), ("square_mm", 3.0)] {
        assert_eq!(line["cover"][name], mm, "{name}");
    }
    let spine = line["cover"]["spine_mm"].as_f64().unwrap();
    assert!((6.0..6.3).contains(&spine) && line["spine_mm"] == spine, "{spine}");
    let wide = 2.0 * (17.5 + 213.0 + 10.0) + spine;
    let file = line["cover"]["file_mm"].as_array().unwrap();
    assert!((file[0].as_f64().unwrap() - wide).abs() < 0.06 && file[1] == 251.0, "{file:?}");
    assert!(line["endpapers"].as_str().unwrap().contains("环衬"));
    assert!(
        line["prints"].as_array().unwrap().iter().any(|said| said.as_str().unwrap().contains("内侧不印"))
    );
    let read = tool("pdftotext", &["-layout".as_ref(), folder.join("ticket.pdf").as_os_str(), "-".as_ref()]);
    let due = ticket["due"].as_str().unwrap();
    assert!(due > &ticket["paid_at"].as_str().unwrap()[..10], "{due}");
    assert_eq!((&ticket["code"], &line["special"]), (&ticket["order"], &serde_json::json!([])));
    let due = format!("交期 {due}");
    for said in ["海边的夏天", "封面文件", "251", "刀线", "内侧不印", &*due, "1 本"] {
        assert!(read.contains(said), "{said}: {read}");
    }
    let report = std::fs::read(folder.join("1-preflight.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["standard"], "PDF/X-4");
    assert!(report["checked"].as_array().unwrap().len() > 15 && report["findings"].is_array());

    let inner = folder.join("1-inner.pdf");
    for pdf in [&inner, &folder.join("1-cover.pdf")] {
        tool("qpdf", &["--check".as_ref(), pdf.as_os_str()]);
        let fonts = tool("pdffonts", &[pdf.as_os_str()]);
        for font in fonts.lines().skip(2) {
            assert!(font.contains(" yes yes "), "not embedded as a subset: {font}");
        }
    }
    let info = tool("pdfinfo", &["-box".as_ref(), inner.as_os_str()]);
    let info = info.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(info.contains(&format!("Pages: {pages} ")), "{info}");
    // 210 mm and 216 mm in points
    assert!(info.contains("TrimBox: 8.50 8.50 603.78 603.78"), "{info}");
    assert!(info.contains("MediaBox: 0.00 0.00 612.28 612.28"), "{info}");
    let bytes = std::fs::read(&inner).unwrap();
    assert!(bytes.windows(original.len()).any(|window| window == original), "the original's own bytes");

    // other settings are other files, and the first ones come back as they were
    let standard = |folder: &std::path::Path| {
        let report = std::fs::read(folder.join("1-preflight.json")).unwrap();
        let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
        report["standard"].as_str().unwrap().to_owned()
    };
    let again = server.folder.path().join("again");
    let export = ["order", "export", &order, again.to_str().unwrap()];
    let strict = [("BINDERY_PRINT_STANDARD", "pdfx-1a")];
    assert!(server.run_with(&strict, &export).status.success());
    assert_eq!(standard(&again), "PDF/X-1a:2003");
    let x1a = std::fs::read(again.join("1-inner.pdf")).unwrap();
    assert!(x1a.windows(13).any(|part| part == b"PDF/X-1a:2003"));
    assert!(server.run_with(&[strict[0], ("BINDERY_TOTAL_INK", "150")], &export).status.success());
    assert!(std::fs::read(again.join("1-inner.pdf")).unwrap() != x1a, "less ink is another file");
    assert!(server.run(&export).status.success());
    assert_eq!(standard(&again), "PDF/X-4");
    assert!(std::fs::read(again.join("1-inner.pdf")).unwrap() == bytes);
    let missing = server.run(&["order", "export", "19990101", folder.to_str().unwrap()]);
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("there is no order"));
}

async fn goods_and_suppliers_say_what_their_files_follow(mut server: Server) {
    let folder = server.folder.path().to_owned();
    std::fs::copy(repository("app/photo/src/coated.icc"), folder.join("uncoated.icc")).unwrap();
    let suppliers = folder.join("suppliers.toml");
    let west = "[suppliers.\"城西一厂\"]\nstandard = \"pdfx-1a\"\nprofile = \"胶版纸\"\ntotal_ink = 240\n";
    std::fs::write(&suppliers, format!("[profiles]\n\"胶版纸\" = \"uncoated.icc\"\n{west}")).unwrap();
    let (_, order) = printable(&server, "buyer@example.com").await;
    let export = |server: &Server, name: &str| {
        let place = folder.join(name);
        let output = server.run_with(
            &[("BINDERY_SUPPLIERS", suppliers.to_str().unwrap())],
            &["order", "export", &order, place.to_str().unwrap()],
        );
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let json = |name: &str| -> serde_json::Value {
            serde_json::from_slice(&std::fs::read(place.join(name)).unwrap()).unwrap()
        };
        (json("1-preflight.json"), json("ticket.json")["lines"][0]["print"].clone(), place)
    };
    let (report, print, house) = export(&server, "house");
    assert_eq!((&report["standard"], &report["total_ink_percent"]), (&"PDF/X-4".into(), &320.0.into()));
    assert_eq!(print["profile"], "FOGRA39");
    assert!(print["supplier"].is_null());

    // goods that nobody can print are refused, by the command and by the page
    let goods = folder.join("album-210.toml");
    let text = std::fs::read_to_string(repository("app/slices/catalog/goods/album-210.toml")).unwrap();
    let of_west = text.replacen("name = ", "supplier = \"城西一厂\"\nname = ", 1);
    std::fs::write(&goods, &of_west).unwrap();
    let import = ["goods", "import", goods.to_str().unwrap()];
    let refused = server.run(&import);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("没有设置供应商“城西一厂”"));
    let known = [("BINDERY_SUPPLIERS", suppliers.to_str().unwrap())];
    assert!(server.run_with(&known, &import).status.success());

    // what was ordered before is printed as its goods say now
    let (report, print, west) = export(&server, "west");
    assert_eq!((&report["standard"], &report["profile"]), (&"PDF/X-1a:2003".into(), &"胶版纸".into()));
    assert_eq!(print["supplier"], "城西一厂");
    assert_eq!(print["total_ink_percent"], 240.0);
    let file = |place: &std::path::Path| std::fs::read(place.join("1-inner.pdf")).unwrap();
    assert!(file(&west).windows(13).any(|part| part == b"PDF/X-1a:2003") && file(&west) != file(&house));
    let read = tool("pdftotext", &["-layout".as_ref(), west.join("ticket.pdf").as_os_str(), "-".as_ref()]);
    assert!(read.contains("城西一厂") && read.contains("总墨量") && read.contains("240%"), "{read}");

    // goods go before their supplier, each setting for itself
    let own = "\n[print]\nstandard = \"pdfx-4\"\ntotal_ink = 260\n\n[zhuangDingPageCfg]";
    std::fs::write(&goods, of_west.replacen("\n[zhuangDingPageCfg]", own, 1)).unwrap();
    assert!(server.run_with(&known, &import).status.success());
    let (report, print, _) = export(&server, "own");
    assert_eq!((&report["standard"], &report["profile"]), (&"PDF/X-4".into(), &"胶版纸".into()));
    assert_eq!(print["total_ink_percent"], 260.0);

    // the back office says what the files follow, and on a house that lost its file of suppliers why there are none
    let page = format!("/staff/orders/{order}");
    let li = Clerk::sign_in(&server, "li", &["印务"]).await.caller;
    let said = li.page(&page).await;
    assert!(said.contains("没有设置供应商“城西一厂”") && !said.contains("1-inner.pdf"), "{said}");
    server.set("BINDERY_SUPPLIERS", suppliers.to_str().unwrap());
    server.restart();
    let li = Clerk::sign_in(&server, "zhao", &["印务"]).await.caller;
    let said = li.page(&page).await;
    let follows = "城西一厂 · PDF/X-4 · 胶版纸 · 总墨量 260%";
    assert!(said.contains(follows) && said.contains("1-inner.pdf"), "{said}");

    // a file that names no press ends the program before it answers anybody
    std::fs::write(&suppliers, "[suppliers.'甲']\nprofile = \"没有\"\ntotal_ink = 300\n").unwrap();
    let refused = server.run_with(&known, &["goods", "export", folder.join("out").to_str().unwrap()]);
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("BINDERY_SUPPLIERS") && said.contains("没有叫“没有”的 profile"), "{said}");
}

async fn a_damaged_original_never_leaves(server: Server) {
    use sha2::Digest;
    let member = server.member("buyer@example.com", "500").await;
    let original = jpeg(1600, 1200, 77);
    let mut photos = vec![("主图.jpg", original.clone())];
    photos.extend((0..5).map(|n| ("照片.jpg", jpeg(800, 600, n))));
    let photos = member.upload(photos).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let order = member.order(&member.add_to_cart(&work, "album-210").await).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    // one bit of one photo turns on the disk
    let digest = hex::encode(sha2::Sha256::digest(&original));
    let place = server.folder.path().join("storage/originals").join(&digest[..2]).join(&digest);
    let mut bytes = std::fs::read(&place).unwrap();
    let at = bytes.len() - 300;
    bytes[at] ^= 1;
    std::fs::write(&place, bytes).unwrap();

    let folder = server.folder.path().join("export");
    let export = ["order", "export", &order, folder.to_str().unwrap()];
    let refused = server.run(&export);
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("主图.jpg") && said.contains("第 ") && said.contains("损坏"), "{said}");
    assert!(!folder.join("1-inner.pdf").exists());
    let shown = server.run(&["order", "show", &order]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("order damaged"));
    let told = || server.outbox().matches("书坊订单的原件有损坏").count();
    let once = told();
    assert!(once > 0);
    assert!(!server.run(&export).status.success());
    assert_eq!(told(), once, "the member is told once");
    // the bytes that came are printed again
    std::fs::write(&place, &original).unwrap();
    assert!(server.run(&export).status.success());
}

async fn an_ornament_is_on_the_plate_and_on_the_ticket(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let photos = member.upload((0..6).map(|n| ("照片.jpg", jpeg(800, 600, n))).collect()).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let line = member.add_to_cart(&work, "album-210").await;
    let info = json_of(member.get(&format!("/cart/cartInfo?cartID={line}")).await).await;
    let steps = info["data"]["data"]["buzhou"].as_array().unwrap().iter();
    let codes = steps.filter(|step| step["IsShow"] == "Y" && step["items"][0].is_object()).map(|step| {
        let foil = step["items"].as_array().unwrap().iter().find(|item| item["Name"] == "烫金");
        foil.map_or(&step["selCnum"], |item| &item["Cnum"]).as_str().unwrap()
    });
    let cnums = codes.collect::<Vec<_>>().join("|");
    let fields = [
        ("CartID", &*line),
        ("goodsID", "album-210"),
        ("count", "1"),
        ("cnums", &*cnums),
        ("artwork", "title-frame"),
    ];
    assert!(member.post("/shopping/updateCart", &fields).await.status().is_success());
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let folder = server.folder.path().join("export");
    let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ticket: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("ticket.json")).unwrap()).unwrap();
    let line = &ticket["lines"][0];
    assert_eq!(line["choices"]["工艺图样"], "书名和边框");
    let cover = &line["cover"];
    assert_eq!((&cover["plate"], &cover["artwork"]), (&"烫金".into(), &"书名和边框".into()));
    assert_eq!((cover["least_line_mm"].as_f64(), cover["least_gap_mm"].as_f64()), (Some(0.2), Some(0.3)));
    // 5 mm that are safe and 4 more, on a face of 213 × 216
    assert_eq!(cover["ornament_mm"], serde_json::json!([9.0, 9.0, 195.0, 198.0]));
    let prints = line["prints"].to_string();
    assert!(prints.contains("版上是：海边的夏天／边框（195.0 × 198.0 毫米"), "{prints}");
    let read = tool("pdftotext", &["-layout".as_ref(), folder.join("ticket.pdf").as_os_str(), "-".as_ref()]);
    let read: String = read.split_whitespace().collect();
    assert!(read.contains("工艺图样书名和边框") && read.contains("间隙不窄于0.3毫米"), "{read}");
    // Ghostscript finds the plate
    let plates = server.folder.path().join("plates");
    std::fs::create_dir(&plates).unwrap();
    let out = format!("-sOutputFile={}/cover%d.tif", plates.display());
    let quiet = ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=tiffsep", "-r20", &*out];
    let mut arguments: Vec<&std::ffi::OsStr> = quiet.iter().map(std::ffi::OsStr::new).collect();
    let file = folder.join("1-cover.pdf");
    arguments.push(file.as_os_str());
    tool("gs", &arguments);
    let names = support::names_in(&plates);
    assert!(
        names.iter().any(|name| name.display().to_string().contains("%E7%83%AB")
            || name.display().to_string().contains("烫金")),
        "{names:?}"
    );
}

async fn shops_that_want_them_get_the_sheets_of_saddle_stitched_books(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let photos = member.upload((0..6).map(|n| ("照片.jpg", jpeg(800, 600, n))).collect()).await;
    let work = member.album("a5-portrait", "小册子", &photos).await;
    let line = member.add_to_cart(&work, "album-a5").await;
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let folder = server.folder.path().join("export");
    let export = ["order", "export", &order, folder.to_str().unwrap()];
    let exported = |settings: &[(&str, &str)]| {
        let output = server.run_with(settings, &export);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ticket = std::fs::read(folder.join("ticket.json")).unwrap();
        serde_json::from_slice::<serde_json::Value>(&ticket).unwrap()["lines"][0].clone()
    };
    let without = exported(&[]);
    assert_eq!(without["choices"]["装订方式"], "骑马钉");
    assert_eq!(without["files"]["booklet"], serde_json::Value::Null);

    let line = exported(&[("BINDERY_IMPOSITION", "saddle-stitch")]);
    let booklet = folder.join(line["files"]["booklet"].as_str().unwrap());
    tool("qpdf", &["--check".as_ref(), booklet.as_os_str()]);
    let info = tool("pdfinfo", &["-box".as_ref(), booklet.as_os_str()]);
    let info = info.split_whitespace().collect::<Vec<_>>().join(" ");
    // two sides for every four pages, and those of the cover
    let pages = line["pages"].as_u64().unwrap();
    assert!(info.contains(&format!("Pages: {} ", pages / 2 + 2)), "{pages}: {info}");
    let refused = server.run_with(&[("BINDERY_IMPOSITION", "quarto")], &export);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("BINDERY_IMPOSITION"));
}
