/** Files of a zip archive that are stored as they are, read by range from their directory at the end. */
import { InputError, UnsupportedError } from '@pelt/model';
import type { ByteSource } from '../../byte-source.ts';

const END_BYTES = 22;
const MAX_COMMENT = 65535;
const [END_MARK, ENTRY_MARK, LOCAL_MARK] = [0x06054b50, 0x02014b50, 0x04034b50];
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const decoder = new TextDecoder();

export interface StoredEntry {
  readonly name: string;
  readonly source: ByteSource;
}

export function zipEntries(source: ByteSource): StoredEntry[] {
  const tailBytes = Math.min(source.size, END_BYTES + MAX_COMMENT);
  const tail = viewOf(source, source.size - tailBytes, tailBytes);
  let at = tailBytes - END_BYTES;
  while (at >= 0 && tail.getUint32(at, true) !== END_MARK) at--;
  if (at < 0) throw new InputError('its directory is not at its end; the file is cut short, export it again');
  const [count, size, start] = [
    tail.getUint16(at + 10, true),
    tail.getUint32(at + 12, true),
    tail.getUint32(at + 16, true),
  ];
  const directory = viewOf(source, start, size);
  const entries: StoredEntry[] = [];
  for (let k = 0, p = 0; k < count; k++) {
    if (p + ENTRY_BYTES > size || directory.getUint32(p, true) !== ENTRY_MARK) throw damaged();
    const nameBytes = directory.getUint16(p + 28, true);
    const next = p + ENTRY_BYTES + nameBytes + directory.getUint16(p + 30, true) + directory.getUint16(p + 32, true);
    if (next > size) throw damaged();
    const name = decoder.decode(new Uint8Array(directory.buffer, directory.byteOffset + p + ENTRY_BYTES, nameBytes));
    const place = {
      name,
      method: directory.getUint16(p + 10, true),
      bytes: directory.getUint32(p + 24, true),
      header: directory.getUint32(p + 42, true),
    };
    if (!name.endsWith('/')) entries.push({ name, source: entrySource(source, place) });
    p = next;
  }
  return entries;
}

interface Place {
  readonly name: string;
  readonly method: number;
  readonly bytes: number;
  readonly header: number;
}

function entrySource(source: ByteSource, { name, method, bytes, header }: Place): ByteSource {
  if (method !== 0) {
    throw new UnsupportedError(`'${name}' in it is compressed, which a USDZ never is; pack it without compression`);
  }
  const local = viewOf(source, header, LOCAL_BYTES);
  if (local.getUint32(0, true) !== LOCAL_MARK) throw damaged();
  const first = header + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  if (first + bytes > source.size) throw damaged();
  return { size: bytes, read: (from, length, into) => source.read(first + from, length, into) };
}

/** A copy, since a source may reuse its buffer. */
function viewOf(source: ByteSource, from: number, count: number): DataView {
  if (from < 0 || from + count > source.size) throw damaged();
  return new DataView(new Uint8Array(source.read(from, count)).buffer);
}

function damaged(): InputError {
  return new InputError('its directory is damaged; export the file again');
}
