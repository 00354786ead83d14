//! What tests of the engine share: request encoders, a model store and scenarios.

pub mod model;
pub mod random;
pub mod wire;
