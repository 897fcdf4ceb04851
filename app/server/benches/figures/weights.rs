//! What pages weigh on their way to a browser.

use std::collections::BTreeSet;

use crate::Failure;
use crate::program::{Program, SHELF, WORKS};
use crate::report::Section;
use crate::room::Room;

pub fn measure(room: &Room) -> Result<Section, Failure> {
    room.runtime.block_on(async {
        let program = Program::start_with_shelf(room).await?;
        let mut rows = Vec::new();
        for path in ["/manager/login", SHELF] {
            let [html, css, js] = weigh(&program, path).await?;
            let numbers = [html, css, js, html + css + js].map(|bytes| bytes.to_string());
            rows.push([format!("`{path}`")].into_iter().chain(numbers).collect());
        }
        let about = format!(
            "Bytes of the first page that a browser opens and of the styles and scripts that it names, as the program sends \
             them: with brotli. Its styles stand in the HTML. The shelf holds {WORKS} works. Goal: at most 14,600, which a \
             new connection delivers in its first round trip."
        );
        let head = ["page", "HTML", "CSS", "JavaScript", "together"].map(str::to_owned).to_vec();
        Ok(Section { title: "Weight of pages", about, head, rows })
    })
}

async fn weigh(program: &Program, path: &str) -> Result<[usize; 3], Failure> {
    let html = program.get(path, "identity").await?.text().await?;
    let (mut css, mut js) = (0, 0);
    let names = html.split("\"/assets/").skip(1).filter_map(|rest| rest.split('"').next());
    for name in names.collect::<BTreeSet<_>>() {
        let weight = match name.rsplit('.').next() {
            Some("css") => &mut css,
            Some("js") => &mut js,
            _ => continue,
        };
        *weight += compressed(program, &format!("/assets/{name}")).await?;
    }
    Ok([compressed(program, path).await?, css, js])
}

async fn compressed(program: &Program, path: &str) -> Result<usize, Failure> {
    Ok(program.get(path, "br").await?.bytes().await?.len())
}
