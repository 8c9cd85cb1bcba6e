//! Edits of a bundle. Each is one a hostile writer could make: a field, a row, a section, the table, the header.

use std::sync::LazyLock;

use super::image::Image;
use super::pristine::{ENTRY, HEADER, Section, u32_at};
use super::seal::{BODY_LENGTH, FILE_LENGTH, SECTION_COUNT};
use crate::script::Script;

/// Most edits of one script.
const MOST: usize = 24;

/// Sections by kind, see SPEC.md.
mod kind {
    pub(super) const STRING_BYTES: u32 = 2;
    pub(super) const STRING_ENDS: u32 = 3;
    pub(super) const FRAMES: u32 = 17;
    pub(super) const FRAME_BYTES: u32 = 18;
}

/// Frames that decode to more, less or something else than a reader expects.
static FRAMES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let zeros = |length| zstd::bulk::compress(&vec![0; length], 1).unwrap();
    vec![
        zeros(0),
        zeros(1),
        zeros(1 << 20),
        zeros((1 << 20) + 1),
        zeros(16 << 20),
        [zeros(100), zeros(100)].concat(),
        // A skippable frame of four bytes, then one that is none.
        [b"\x50\x2a\x4d\x18\x04\0\0\0abcd".to_vec(), zeros(9)].concat(),
    ]
});

/// Applies the script's edits.
pub fn apply(script: &mut Script<'_>, image: &mut Image<'_>) {
    for _ in 0..MOST {
        if script.is_done() {
            return;
        }
        edit(script, image);
    }
}

fn edit(script: &mut Script<'_>, image: &mut Image<'_>) {
    let what = script.u8();
    let index = usize::from(script.u8()) % image.pristine.sections.len();
    let section = image.pristine.sections[index];
    let entry = HEADER + index * ENTRY;
    match what % 20 {
        0..=4 => field(script, image, section),
        5 | 6 => {
            let at = section.offset + script.index(section.length.max(1));
            image.put(at, script.piece());
        }
        7 => {
            let at = entry + 4 * (usize::from(script.u8()) % 8);
            number(script, image, at, section);
        }
        8 => {
            // Version, analyzer, lengths, counts; or any word of header and trailer.
            let named = [8, 12, 16, 20, BODY_LENGTH, FILE_LENGTH, 40, SECTION_COUNT, 52, 96];
            let which = usize::from(script.u8());
            let end = image.bytes.len();
            let from_end = || end.saturating_sub(4 * (which - named.len() + 1));
            let at = named.get(which).copied().unwrap_or_else(from_end);
            number(script, image, at, section);
        }
        9 => {
            let (a, b) = (row(script, section), row(script, section));
            let (at_a, at_b) = (image.take(a, section.row_size), image.take(b, section.row_size));
            image.put(a, &at_b);
            image.put(b, &at_a);
        }
        10 => {
            let (from, to) = (row(script, section), row(script, section));
            let length = section.row_size * (1 + usize::from(script.u8()) % 16);
            let length = length.min((section.offset + section.length).saturating_sub(to));
            let copied = image.take(from, length);
            image.put(to, &copied);
        }
        11 => {
            let other = image.pristine.sections[usize::from(script.u8()) % image.pristine.sections.len()];
            let from = other.offset + script.index(other.length.max(1));
            let to = section.offset + script.index(section.length.max(1));
            let copied = image.take(from, script.u8().into());
            image.put(to, &copied);
        }
        12 => shrink(image, entry, section, script.index(section.rows.max(1))),
        13 => {
            let later = image.take(entry + ENTRY, (image.pristine.sections.len() - index - 1) * ENTRY);
            image.put(entry, &later);
            let count = u32_at(&image.bytes, SECTION_COUNT) as u32;
            image.put_u32(SECTION_COUNT, count.saturating_sub(1));
        }
        14 => {
            let steps = script.u16() as i16 / 64;
            let body = image.body as i64 + 64 * i64::from(steps);
            image.resize(body.max(128) as usize);
        }
        15 => frame(script, image),
        16 => text(script, image),
        17 => {
            // Two sections in one place.
            let other = HEADER + ENTRY * (usize::from(script.u8()) % image.pristine.sections.len());
            let place = image.take(other + 8, 24);
            image.put(entry + 8, &place);
        }
        _ => {
            // Several fields of one row: what fits together, such as the first row and number of a range.
            let at = row(script, section);
            for field in 0..section.row_size.min(16) / 4 {
                number(script, image, at + 4 * field, section);
            }
        }
    }
}

/// Where a row of a section begins.
fn row(script: &mut Script<'_>, section: Section) -> usize {
    section.offset + script.index(section.rows.max(1)) * section.row_size
}

fn field(script: &mut Script<'_>, image: &mut Image<'_>, section: Section) {
    let fields = (section.row_size / 4).max(1);
    let at = row(script, section) + 4 * (usize::from(script.u8()) % fields);
    number(script, image, at, section);
}

/// Sets the 32-bit number at an offset to one that is likely to matter.
fn number(script: &mut Script<'_>, image: &mut Image<'_>, at: usize, section: Section) {
    let how = script.u8();
    let operand = script.u16();
    if at + 4 > image.bytes.len() {
        return;
    }
    let was = u32_at(&image.bytes, at) as u32;
    let rows = section.rows as u32;
    let value = match how % 8 {
        0 | 1 => was.wrapping_add_signed(i32::from(operand as i8)),
        2 => operand.into(),
        3 => u32::from(operand) << 16 | script.u32() & 0xffff,
        4 => {
            let likely =
                [0, 1, rows, rows.wrapping_sub(1), rows + 1, u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) - 1];
            likely[usize::from(operand) % likely.len()]
        }
        5 => [1 << 20, (1 << 20) + 1, 1 << 16, 65_535, 8192, 8193, 128, 127, 255, 256]
            [usize::from(operand) % 10],
        6 => {
            // The same field of another row.
            let other = usize::from(operand) % section.rows.max(1) * section.row_size;
            let within = at.wrapping_sub(section.offset) % section.row_size;
            let from = section.offset + other + within;
            if from + 4 > image.bytes.len() { was } else { u32_at(&image.bytes, from) as u32 }
        }
        _ => {
            // The size of another section, or of one less.
            let sections = &image.pristine.sections;
            let other = sections[usize::from(operand) % sections.len()];
            (other.rows as u32).wrapping_sub(u32::from(operand >> 8 & 1))
        }
    };
    image.put_u32(at, value);
}

/// Leaves a table its first rows, with table entry, footer and padding to match.
fn shrink(image: &mut Image<'_>, entry: usize, section: Section, rows: usize) {
    if section.row_size == 1 {
        image.put(section.offset + rows, &vec![0; section.length - rows.min(section.length)]);
        image.put(entry + 24, &(rows as u64).to_le_bytes());
    } else {
        let kept = rows * section.row_size;
        image.put(section.offset + kept, &vec![0; section.length - kept.min(section.length)]);
        image.put_u32(section.offset + kept, (kept as u32).wrapping_neg());
        image.put_u32(section.offset + kept + 4, rows as u32);
        image.put(entry + 24, &(kept as u64 + 8).to_le_bytes());
    }
    image.put_u32(entry + 12, rows as u32);
}

/// Puts another frame in the place of one, where it fits.
fn frame(script: &mut Script<'_>, image: &mut Image<'_>) {
    let (rows, bytes) = (image.section(kind::FRAMES), image.section(kind::FRAME_BYTES));
    let at = row(script, rows);
    let frame = &FRAMES[usize::from(script.u8()) % FRAMES.len()];
    if at + 12 > image.bytes.len() {
        return;
    }
    let place = bytes.offset.saturating_add(u32_at(&image.bytes, at));
    if place.saturating_add(frame.len()) <= bytes.offset + bytes.length {
        image.put(place, frame);
        image.put_u32(at + 4, frame.len() as u32);
        number(script, image, at + 8, rows);
    }
}

/// Overwrites the beginning of a text, up to its end.
fn text(script: &mut Script<'_>, image: &mut Image<'_>) {
    let (ends, bytes) = (image.section(kind::STRING_ENDS), image.section(kind::STRING_BYTES));
    let id = script.index(ends.rows.max(1));
    let end = |id: usize| u32_at(&image.pristine.bytes, ends.offset + 4 * id);
    let start = if id == 0 { 0 } else { end(id - 1) };
    let length = end(id) - start;
    let piece = script.piece();
    image.put(bytes.offset + start, &piece[..piece.len().min(length)]);
}
