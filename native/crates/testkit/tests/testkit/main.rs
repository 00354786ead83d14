//! Gates over the sources of the repository, a module each.
#![allow(clippy::unwrap_used, reason = "a failing test says so by panicking")]

mod crate_arrows;
mod limits;
mod lost_modules;
mod module_circles;
