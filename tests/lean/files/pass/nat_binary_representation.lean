-- Binary numerals: conversion to Nat is a left inverse, increment is successor.
inductive Bin where
  | nil
  | twice (b : Bin)
  | twicePlusOne (b : Bin)

namespace Bin

def incr : Bin → Bin
  | nil => twicePlusOne nil
  | twice b => twicePlusOne b
  | twicePlusOne b => twice b.incr

def toNat : Bin → Nat
  | nil => 0
  | twice b => 2 * b.toNat
  | twicePlusOne b => 2 * b.toNat + 1

def ofNat : Nat → Bin
  | 0 => nil
  | n + 1 => (ofNat n).incr

theorem toNat_incr (b : Bin) : b.incr.toNat = b.toNat + 1 := by
  induction b with
  | nil => rfl
  | twice b => rfl
  | twicePlusOne b ih =>
    simp only [incr, toNat, ih]
    omega

theorem toNat_ofNat (n : Nat) : (ofNat n).toNat = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [ofNat, toNat_incr, ih]

end Bin
