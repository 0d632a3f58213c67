/**
 * A zip archive without compression, in which every file begins at a multiple of 64 bytes, as USDZ wants it: a reader can
 * map it into memory and use it in place.
 *
 * References: PKWARE. .ZIP File Format Specification 6.3; Pixar. Usdz File Format Specification.
 */
import { OutputError } from '@pelt/model';
import { crc32 } from '../crc32.ts';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const ALIGNMENT = 64;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** An extra field is its id and length, 2 bytes each, and padding. */
const EXTRA_HEAD = 4;
/** An id that no program uses for anything else. */
const PADDING_ID = 0x1986;
const MAX_BYTES = 0xffffffff;
/** 1 January 1980, the first day that the format knows. */
const DOS_DATE = 0x21;

const encoder = new TextEncoder();

export function zipStored(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  let at = 0;
  const placed = entries.map(({ name, bytes }) => {
    const label = encoder.encode(name);
    const plain = at + LOCAL_BYTES + label.length;
    const gap = (ALIGNMENT - (plain % ALIGNMENT)) % ALIGNMENT;
    const extra = gap === 0 ? 0 : gap < EXTRA_HEAD ? gap + ALIGNMENT : gap;
    const entry = { label, bytes, extra, start: at, crc: crc32(bytes) };
    at = plain + extra + bytes.length;
    return entry;
  });
  const central = at;
  const size = placed.reduce((sum, { label }) => sum + CENTRAL_BYTES + label.length, central) + END_BYTES;
  if (size > MAX_BYTES) throw new OutputError(`a USDZ can hold ${MAX_BYTES} bytes, this one would need ${size}`);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  for (const { label, bytes, extra, start, crc } of placed) {
    view.setUint32(start, 0x04034b50, true);
    writeCommon(view, start + 4, crc, bytes.length, label.length, extra);
    out.set(label, start + LOCAL_BYTES);
    if (extra > 0) {
      view.setUint16(start + LOCAL_BYTES + label.length, PADDING_ID, true);
      view.setUint16(start + LOCAL_BYTES + label.length + 2, extra - EXTRA_HEAD, true);
    }
    out.set(bytes, start + LOCAL_BYTES + label.length + extra);
  }
  at = central;
  for (const { label, bytes, start, crc } of placed) {
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 4, 20, true);
    writeCommon(view, at + 6, crc, bytes.length, label.length, 0);
    view.setUint32(at + 42, start, true);
    out.set(label, at + CENTRAL_BYTES);
    at += CENTRAL_BYTES + label.length;
  }
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, placed.length, true);
  view.setUint16(at + 10, placed.length, true);
  view.setUint32(at + 12, at - central, true);
  view.setUint32(at + 16, central, true);
  return out;
}

/** What the header before a file and the one in the directory have in common. */
function writeCommon(view: DataView, at: number, crc: number, size: number, name: number, extra: number): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 8, DOS_DATE, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name, true);
  view.setUint16(at + 24, extra, true);
}
