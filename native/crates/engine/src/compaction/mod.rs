//! Merging column files into fewer.
