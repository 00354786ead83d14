//! Random tables, and what their columns have to have.

pub(crate) mod table;
pub(crate) mod value;
