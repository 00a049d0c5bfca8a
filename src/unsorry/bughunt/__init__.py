"""Bugs in Rust, found by proof and confirmed by Rust: every confirmed claim arrives as a failing Rust test."""
