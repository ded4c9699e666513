//! Prints the rows of a log: `cargo run --example dump -- fuzz/verdicts/calculator`.
#![expect(clippy::print_stdout, reason = "an example")]

use bugornot::log::Log;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a log")?;
    for segment in Log::open(path.as_ref())?.segments {
        println!("{} {:?}", segment.path().display(), segment.totals());
        let mut rows = segment.rows()?;
        for row in rows.by_ref() {
            let fields: Vec<String> =
                row.names.iter().zip(&row.fields).map(|(name, value)| format!("{name} = {value}")).collect();
            println!(
                "{} {:?} {} {:?} {:?} {:?}",
                row.id,
                row.phase,
                fields.join(", "),
                row.verdicts,
                row.death,
                row.detail.is_some()
            );
        }
        println!("{:?}", rows.loss());
    }
    Ok(())
}
