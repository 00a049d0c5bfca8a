//! Arithmetic on 16-bit samples.  Loud is loud: results saturate.

/// Mixes two samples; saturates.
pub fn mix(a: i16, b: i16) -> i16 {
    a.saturating_add(b)
}

/// The same as [`mix`], in a wider type.
pub fn mix_wide(a: i16, b: i16) -> i16 {
    let sum = a as i32 + b as i32;
    if sum > i16::MAX as i32 {
        i16::MAX
    } else if sum < i16::MIN as i32 {
        i16::MIN
    } else {
        sum as i16
    }
}

/// The loudness of a sample.  That of the minimum saturates, so that the result stays a sample.
pub fn magnitude(a: i16) -> i16 {
    a.saturating_abs()
}

/// Turns the wave upside down; the minimum becomes the maximum, so inverting twice does not always give it back.
pub fn invert(a: i16) -> i16 {
    a.checked_neg().unwrap_or(i16::MAX)
}

/// Applies a gain of `percent`, rounded towards zero; saturates.
pub fn gain(sample: i16, percent: u16) -> i16 {
    let scaled = sample as i32 * percent as i32 / 100;
    if scaled > i16::MAX as i32 {
        i16::MAX
    } else if scaled < i16::MIN as i32 {
        i16::MIN
    } else {
        scaled as i16
    }
}

/// The loudest magnitude, 0 in silence.
pub fn peak(samples: &[i16]) -> u16 {
    let mut best = 0;
    for &s in samples {
        let m = s.unsigned_abs();
        if m > best {
            best = m;
        }
    }
    best
}

/// Adds `b` to `a`, sample by sample; what `a` has more is left as it is.
pub fn mix_into(a: &mut [i16], b: &[i16]) {
    let n = if a.len() < b.len() { a.len() } else { b.len() };
    for i in 0..n {
        a[i] = mix(a[i], b[i]);
    }
}

/// The level as a number from 0 to 1.
pub fn level(sample: i16) -> f32 {
    sample.unsigned_abs() as f32 / 32768.0
}
