/// Packs a colour into 5-6-5 bits.
pub fn pack(r: u8, g: u8, b: u8) -> u16 {
    ((r as u16 & 0xf8) << 8) | ((g as u16 & 0xfc) << 3) | (b as u16 >> 3)
}

/// Expands to eight bits a channel, so that white stays white.
pub fn unpack(c: u16) -> (u8, u8, u8) {
    let r = (c >> 11) as u8;
    let g = ((c >> 5) & 0x3f) as u8;
    let b = (c & 0x1f) as u8;
    ((r << 3) | (r >> 2), (g << 2) | (g >> 4), (b << 3) | (b >> 2))
}

/// Mixes two channels. `t` runs from 0 (all `a`) to 255 (all `b`).
pub fn mix(a: u8, b: u8, t: u8) -> u8 {
    let t = t as i32;
    (a as i32 + (b as i32 - a as i32) * t / 255) as u8
}

/// Luma, between 0 and 255.
pub fn luma(r: u8, g: u8, b: u8) -> u8 {
    ((77 * r as u32 + 150 * g as u32 + 29 * b as u32) >> 8) as u8
}

/// Brightens by a percentage.
pub fn brighten(c: u8, percent: u8) -> u8 {
    c + (c as u16 * percent as u16 / 100) as u8
}
