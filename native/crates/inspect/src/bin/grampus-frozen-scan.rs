//! `grampus-frozen-scan LIST.json`: prints the cells of a region's files as a list names them, a JSON document per line (`docs/inspect.md`).
//! It links no engine and writes nothing but its output.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use grampus_env::LocalEnv;
use grampus_inspect::print_frozen;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(list), None) = (arguments.next(), arguments.next()) else {
        return ends("usage: grampus-frozen-scan LIST.json", 2);
    };
    let request = match std::fs::read_to_string(&list) {
        Ok(request) => request,
        Err(e) => return ends(&format!("{}: {e}", list.display()), 1),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match print_frozen(Arc::new(LocalEnv::new()), &request, &mut out) {
        Ok(read) => match out.flush() {
            Ok(()) => {
                ends(&format!("{} rows, {} bytes of cells read", read.rows_scanned, read.bytes_scanned), 0)
            }
            Err(e) => ends(&format!("the cells cannot be printed: {e}"), 1),
        },
        Err(e) => ends(&e.message, 1),
    }
}

/// Says how it went where no cells are printed.
fn ends(message: &str, code: u8) -> ExitCode {
    // Without standard error there is only the code left to say it.
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(code)
}
