//! Inputs that no fuzzer has chosen: they tell how common a case is, and follow from nothing.

/// How many are drawn.
const DRAWN: usize = 30_000;
const LONGEST: usize = 64;

/// Bytes that follow from nothing: any, small ones, so that fields coincide, and letters, so that texts are long.
pub(crate) fn drawn() -> impl Iterator<Item = Vec<u8>> {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..DRAWN).map(move |round| {
        let length = usize::from(next()) % LONGEST;
        let byte = |byte: u8| match round % 4 {
            0 => byte & 3,
            1 => b' ' + byte % 95,
            _ => byte,
        };
        (0..length).map(|_| byte(next())).collect()
    })
}
