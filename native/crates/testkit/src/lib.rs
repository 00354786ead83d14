//! What tests of the engine share: request encoders, a model store, scenarios and a small file.

pub mod column_file;
pub mod model;
pub mod random;
pub mod wire;
