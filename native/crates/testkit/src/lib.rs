//! What tests of the engine share: request encoders, a model store and scenarios.

pub mod wire;
