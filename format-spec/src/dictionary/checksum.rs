//! The checksum at the end of an `fst` map.

/// The Castagnoli polynomial, lowest bit first.
const POLYNOMIAL: u32 = 0x82f6_3b78;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// CRC-32C, turned by 15 bits and shifted by a constant, as in Snappy's framing format: the checksum of bytes that hold
/// their own checksum would be a constant otherwise.
pub(super) fn masked_crc32c(bytes: &[u8]) -> u32 {
    let crc = !bytes.iter().fold(u32::MAX, |crc, &byte| crc >> 8 ^ TABLE[usize::from(crc as u8 ^ byte)]);
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::masked_crc32c;

    /// The check value of CRC-32C is 0xe3069283; masked by hand: turned right by 15 bits 0x2507c60d, plus 0xa282ead8.
    #[test]
    fn the_check_value_comes_out_masked() {
        assert_eq!(masked_crc32c(b"123456789"), 0xc78a_b0e5);
    }
}
