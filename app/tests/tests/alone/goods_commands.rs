//! `bindery goods import` and `export`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use support::{Server, names_in, on_both_engines, repository};

on_both_engines!(
    an_imported_price_counts_and_stays;
    on_sqlite:
    one_fault_keeps_everything_out,
    goods_off_sale_leave_carts_but_not_orders,
    what_is_exported_is_imported_without_a_change,
);

fn said(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(output: Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with the goods of an installation.
fn exported(server: &Server) -> PathBuf {
    let folder = server.folder.path().join("goods");
    said(server.run(&["goods", "export", folder.to_str().unwrap()]));
    folder
}

fn import(server: &Server, place: &Path, more: &[&str]) -> Output {
    server.run(&[&["goods", "import", place.to_str().unwrap()][..], more].concat())
}

/// Changes a file; what is looked for must be there.
fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "no {from} in {text}");
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

async fn bodies(server: &Server) -> Vec<String> {
    server
        .column("select body || ' ' || cast(active as text) || cast(position as text) from goods order by id")
        .await
}

async fn what_is_exported_is_imported_without_a_change(server: Server) {
    let before = bodies(&server).await;
    let folder = exported(&server);
    let built_in = repository("app/slices/catalog/goods");
    assert_eq!(names_in(&folder), names_in(&built_in));
    for place in [&folder, &built_in] {
        let text = said(import(&server, place, &[]));
        assert!(text.starts_with("Nothing changed"), "{text}");
    }
    assert_eq!(bodies(&server).await, before);
    assert!(server.column("select id from audit_log").await.is_empty());
}

async fn an_imported_price_counts_and_stays(mut server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let ordered = member.order(&line).await;
    let total = format!("select cast(total as text) from orders where id = '{ordered}'");
    let frozen = server.read(&total).await;
    let folder = exported(&server);
    let file = folder.join("album-210.toml");
    let base = fs::read_to_string(&file).unwrap();
    let base = support::between(&base, "\nbase = \"", "\"");
    edit(&file, &format!("base = \"{base}\""), "base = \"999.00\"");
    edit(&file, "id = \"album-210\"", "active = true\nid = \"album-210\"");
    let dry = said(import(&server, &folder, &["--dry-run"]));
    let change = format!("album-210: price_book.base: \"{base}\" → \"999.00\"");
    assert!(dry.contains(&change) && dry.contains("Nothing was written"), "{dry}");
    assert!(said(import(&server, &file, &[])).contains(&change));
    assert!(said(import(&server, &folder, &[])).starts_with("Nothing changed"));
    // neither the next start nor any command brings the built-in price back
    server.kill();
    said(server.run(&["migrate"]));
    server.restart();
    let member = server.visitor();
    member.sign_in("buyer@example.com", support::PASSWORD).await;
    let second = member.order(&member.cart_with_album().await).await;
    let dearer: i64 = server
        .read(&format!("select cast(goods_total as text) from orders where id = '{second}'"))
        .await
        .parse()
        .unwrap();
    assert!(dearer >= 99_900, "{dearer}");
    assert_eq!(server.read(&total).await, frozen, "what was ordered keeps its price");
    let noted = server.column("select action || ' ' || subject || ' ' || detail from audit_log").await;
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert!(noted[0].starts_with("goods import album-210") && noted[0].contains("999.00"), "{noted:?}");
}

async fn one_fault_keeps_everything_out(server: Server) {
    let before = bodies(&server).await;
    for (from, to, reason) in [
        ("base = \"", "base = \"-", "价格不能为负"),
        ("name = \"", "nome = \"", "unknown field"),
        ("editor_type = ", "editor_type = x", "album-210.toml"),
        ("id = \"album-210\"", "id = \"album-a5\"", "stands in two files"),
        ("id = \"album-210\"", "active = 1\nid = \"album-210\"", "active is true or false"),
        ("width = 210", "width = 200", "can't change its size"),
    ] {
        let folder = exported(&server);
        edit(&folder.join("album-a4.toml"), "base = \"", "base = \"1");
        edit(&folder.join("album-210.toml"), from, to);
        let text = refused(import(&server, &folder, &[]));
        assert!(text.contains(reason), "{text}");
        assert_eq!(bodies(&server).await, before, "{reason}");
    }
    let empty = tempfile::tempdir().unwrap();
    assert!(refused(import(&server, empty.path(), &[])).contains("holds no .toml file"));
    assert!(refused(import(&server, Path::new("/nowhere.toml"), &[])).contains("/nowhere.toml"));
}

async fn goods_off_sale_leave_carts_but_not_orders(mut server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    let line = member.cart_with_album().await;
    let folder = exported(&server);
    let file = folder.join("album-210.toml");
    edit(&file, "id = \"album-210\"", "active = false\nid = \"album-210\"");
    assert!(said(import(&server, &file, &[])).contains("album-210: off sale"));
    server.kill();
    server.restart();
    let member = server.visitor();
    member.sign_in("buyer@example.com", support::PASSWORD).await;
    assert!(!member.page("/manager/shopping/cart").await.contains(&line));
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("海边的夏天"));
    // goods of another id come last
    edit(&file, "active = false\nid = \"album-210\"", "id = \"album-new\"");
    assert!(said(import(&server, &file, &[])).contains("album-new: new"));
    let order = server.column("select id from goods order by position").await;
    assert_eq!(order.last().unwrap(), "album-new");
    // an export says what is off sale
    let folder = exported(&server);
    assert!(fs::read_to_string(folder.join("album-210.toml")).unwrap().starts_with("active = false\n"));
    fs::remove_file(folder.join("album-new.toml")).unwrap();
    edit(&folder.join("album-210.toml"), "active = false\n", "");
    assert!(said(import(&server, &folder, &[])).contains("album-210: on sale again"));
    assert!(member.page("/manager/shopping/cart").await.contains(&line), "and comes back to the cart");
    assert_eq!(
        server.column("select id from goods where active = 1").await.len(),
        11,
        "what has no file stays"
    );
}
