"""The functions of the standard library that the subset knows, by name; the types are those of Rust's documentation.

In the signatures `I` is the integer type of the first argument, `S` an integer, bool or char, `T` and `E` any type,
`U` the unsigned type of the width of `I`, `[T]` a slice.  Receivers of type `&[T]` and `&mut [T]` arrive unsized
(`Unsize`); a `&mut` argument is a `Borrow` of a place, or an `Unsize` of one.  `panic`: "" never; "debug" on overflow
in debug only, release wraps; "always" in both.
"""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """One function: signature as text, when it panics."""

    signature: str
    panic: str = ""


INTRINSICS: dict[str, Known] = {}


def _add(names: str, signature: str, panic: str = "") -> None:
    for name in names.split():
        INTRINSICS[name] = Known(signature, panic)


# Integers.
_add("int::wrapping_add int::wrapping_sub int::wrapping_mul", "(I, I) -> I")
_add("int::wrapping_div int::wrapping_rem int::wrapping_div_euclid int::wrapping_rem_euclid", "(I, I) -> I", "always")
_add("int::wrapping_neg int::wrapping_abs", "(I) -> I")
_add("int::wrapping_shl int::wrapping_shr int::wrapping_pow", "(I, u32) -> I")
_add("int::checked_add int::checked_sub int::checked_mul int::checked_div int::checked_rem", "(I, I) -> Option<I>")
_add("int::checked_div_euclid int::checked_rem_euclid", "(I, I) -> Option<I>")
_add("int::checked_neg int::checked_abs", "(I) -> Option<I>")
_add("int::checked_shl int::checked_shr int::checked_pow", "(I, u32) -> Option<I>")
_add("int::checked_next_power_of_two", "(I) -> Option<I>")  # unsigned
_add("int::saturating_add int::saturating_sub int::saturating_mul", "(I, I) -> I")
_add("int::saturating_div", "(I, I) -> I", "always")
_add("int::saturating_neg int::saturating_abs", "(I) -> I")  # signed
_add("int::saturating_pow", "(I, u32) -> I")
_add("int::overflowing_add int::overflowing_sub int::overflowing_mul", "(I, I) -> (I, bool)")
_add("int::overflowing_neg", "(I) -> (I, bool)")
_add("int::overflowing_shl int::overflowing_shr int::overflowing_pow", "(I, u32) -> (I, bool)")
_add("int::abs", "(I) -> I", "debug")  # signed
_add("int::pow", "(I, u32) -> I", "debug")
_add("int::next_power_of_two", "(I) -> I", "debug")  # unsigned; release gives 0
_add("int::signum", "(I) -> I")
_add("int::unsigned_abs", "(I) -> U")
_add("int::abs_diff", "(I, I) -> U")
_add("int::is_negative int::is_positive int::is_power_of_two", "(I) -> bool")
_add("int::div_euclid int::rem_euclid", "(I, I) -> I", "always")
_add("int::div_ceil", "(I, I) -> I", "always")  # unsigned
_add("int::is_multiple_of", "(I, I) -> bool")  # unsigned
_add("int::midpoint", "(I, I) -> I")  # unsigned: rounds down; signed: towards zero
_add("int::leading_zeros int::trailing_zeros int::leading_ones int::trailing_ones", "(I) -> u32")
_add("int::count_ones int::count_zeros", "(I) -> u32")
_add("int::rotate_left int::rotate_right", "(I, u32) -> I")
_add("int::swap_bytes int::reverse_bits int::to_be int::to_le", "(I) -> I")
_add("int::ilog2 int::ilog10", "(I) -> u32", "always")
_add("int::checked_ilog2 int::checked_ilog10", "(I) -> Option<u32>")
_add("int::isqrt", "(I) -> I", "always")  # panics on negative numbers
_add("int::to_be_bytes int::to_le_bytes", "(I) -> [u8; N]")
_add("int::from_be_bytes int::from_le_bytes", "([u8; N]) -> I")  # I is the type of the result
_add("int::try_from", "(J) -> Result<I, TryFromIntError>")  # I is in the type of the result; also `try_into`
_add("int::checked_add_signed int::checked_sub_unsigned int::checked_add_unsigned", "(I, other sign) -> Option<I>")
_add("int::wrapping_add_signed int::saturating_add_signed", "(I, signed I) -> I")  # unsigned
# Order: on integers, bool and char, and on what derives Ord.
_add("ord::min ord::max", "(S, S) -> S")  # a tie: min gives the first, max the second
_add("ord::clamp", "(S, S, S) -> S", "always")  # panics if min > max
_add("ord::cmp", "(&S, &S) -> Ordering")
_add("ord::partial_cmp", "(&S, &S) -> Option<Ordering>")
_add("Ordering::reverse", "(Ordering) -> Ordering")
_add("Ordering::then", "(Ordering, Ordering) -> Ordering")
_add(
    "Ordering::is_lt Ordering::is_le Ordering::is_gt Ordering::is_ge Ordering::is_eq Ordering::is_ne",
    "(Ordering) -> bool",
)
# ASCII, on u8 and char (the receiver is a value here).
_add("ascii::is_ascii ascii::is_ascii_digit ascii::is_ascii_hexdigit ascii::is_ascii_alphabetic", "(S) -> bool")
_add("ascii::is_ascii_alphanumeric ascii::is_ascii_uppercase ascii::is_ascii_lowercase", "(S) -> bool")
_add(
    "ascii::is_ascii_whitespace ascii::is_ascii_punctuation ascii::is_ascii_control ascii::is_ascii_graphic",
    "(S) -> bool",
)
_add("ascii::to_ascii_lowercase ascii::to_ascii_uppercase", "(S) -> S")
_add("ascii::eq_ignore_ascii_case", "(S, S) -> bool")
_add("char::from_u32", "(u32) -> Option<char>")
_add("char::from_digit", "(u32, u32) -> Option<char>", "always")  # radix > 36
_add("char::to_digit", "(char, u32) -> Option<u32>", "always")  # radix > 36
_add("char::is_digit", "(char, u32) -> bool", "always")
_add("char::len_utf8", "(char) -> usize")
# Option and Result, by value.
_add("Option::is_some Option::is_none", "(Option<T>) -> bool")
_add("Option::unwrap Option::expect", "(Option<T>) -> T", "always")  # the message of expect is dropped
_add("Option::unwrap_or", "(Option<T>, T) -> T")
_add("Option::or Option::xor", "(Option<T>, Option<T>) -> Option<T>")
_add("Option::and", "(Option<T>, Option<V>) -> Option<V>")
_add("Option::ok_or", "(Option<T>, E) -> Result<T, E>")
_add("Option::copied", "(Option<&T>) -> Option<T>")  # also `cloned`
_add("Option::flatten", "(Option<Option<T>>) -> Option<T>")
_add("Option::as_ref", "(&Option<T>) -> Option<&T>")
_add("Option::take", "(&mut Option<T>) -> Option<T>")
_add("Option::replace", "(&mut Option<T>, T) -> Option<T>")
_add("Result::is_ok Result::is_err", "(Result<T, E>) -> bool")
_add("Result::unwrap Result::expect", "(Result<T, E>) -> T", "always")
_add("Result::unwrap_err", "(Result<T, E>) -> E", "always")
_add("Result::unwrap_or", "(Result<T, E>, T) -> T")
_add("Result::ok", "(Result<T, E>) -> Option<T>")
_add("Result::err", "(Result<T, E>) -> Option<E>")
# Slices (arrays and vectors arrive unsized).
_add("slice::len", "(&[T]) -> usize")
_add("slice::is_empty", "(&[T]) -> bool")
_add("slice::get", "(&[T], usize) -> Option<&T>")
_add("slice::get_range", "(&[T], usize, usize) -> Option<&[T]>")  # `get(a..b)`
_add("slice::first slice::last", "(&[T]) -> Option<&T>")
_add("slice::split_at", "(&[T], usize) -> (&[T], &[T])", "always")
_add("slice::split_first", "(&[T]) -> Option<(&T, &[T])>")
_add("slice::split_last", "(&[T]) -> Option<(&T, &[T])>")
_add("slice::contains", "(&[T], &T) -> bool")  # T compares structurally
_add("slice::starts_with slice::ends_with", "(&[T], &[T]) -> bool")
_add("slice::swap", "(&mut [T], usize, usize) -> ()", "always")
_add("slice::reverse", "(&mut [T]) -> ()")
_add("slice::fill", "(&mut [T], T) -> ()")
_add("slice::copy_from_slice", "(&mut [T], &[T]) -> ()", "always")  # also clone_from_slice; lengths differ
_add("slice::rotate_left slice::rotate_right", "(&mut [T], usize) -> ()", "always")  # amount > len
_add("slice::sort", "(&mut [S]) -> ()")  # also sort_unstable; integers, bool, char only
_add("slice::is_sorted", "(&[S]) -> bool")
_add("slice::to_vec", "(&[T]) -> Vec<T>")
_add("slice::to_array", "(&[T]) -> Result<[T; N], TryFromIntError>")  # `try_into()`; the error stands for its own type
# Vectors.
_add("Vec::new", "() -> Vec<T>")  # also with_capacity (whose argument still runs first, as an ExprStmt)
_add("Vec::push", "(&mut Vec<T>, T) -> ()")
_add("Vec::pop", "(&mut Vec<T>) -> Option<T>")
_add("Vec::clear", "(&mut Vec<T>) -> ()")
_add("Vec::truncate", "(&mut Vec<T>, usize) -> ()")
_add("Vec::insert", "(&mut Vec<T>, usize, T) -> ()", "always")
_add("Vec::remove Vec::swap_remove", "(&mut Vec<T>, usize) -> T", "always")
_add("Vec::extend_from_slice", "(&mut Vec<T>, &[T]) -> ()")
_add("Vec::resize", "(&mut Vec<T>, usize, T) -> ()")
# Values.
_add("mem::swap", "(&mut T, &mut T) -> ()")
_add("mem::replace", "(&mut T, T) -> T")
