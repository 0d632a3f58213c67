// @ts-check
/** A ZIP archive whose files are stored as they are, each aligned, so that a reader can use them in place. */
import { crc32 } from 'node:zlib';

const ALIGNMENT = 16;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const VERSION = 20;
/** The first day that the format knows: the same files make the same bytes. */
const FIRST_DAY = 0x21;

/** @param {readonly (readonly [name: string, content: Uint8Array])[]} files */
export function storedZip(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const entries = [];
  let at = 0;
  for (const [name, content] of files) {
    const label = Buffer.from(name);
    const padding = (ALIGNMENT - ((at + LOCAL_SIZE + label.length) % ALIGNMENT)) % ALIGNMENT;
    const sum = crc32(content);
    const local = Buffer.alloc(LOCAL_SIZE);
    local.writeUInt32LE(LOCAL, 0);
    writeFacts(local, 4, sum, content.length, label.length);
    local.writeUInt16LE(padding, 28);
    const central = Buffer.alloc(CENTRAL_SIZE);
    central.writeUInt32LE(CENTRAL, 0);
    central.writeUInt16LE(VERSION, 4);
    writeFacts(central, 6, sum, content.length, label.length);
    central.writeUInt32LE(at, 42);
    entries.push(Buffer.concat([central, label]));
    parts.push(local, label, Buffer.alloc(padding), Buffer.from(content));
    at += LOCAL_SIZE + label.length + padding + content.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(END_SIZE);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** The run of fields that both headers of a file have. @param {Buffer} out @param {number} at @param {number} sum @param {number} size @param {number} nameSize */
function writeFacts(out, at, sum, size, nameSize) {
  out.writeUInt16LE(VERSION, at);
  out.writeUInt16LE(FIRST_DAY, at + 8);
  out.writeUInt32LE(sum, at + 10);
  out.writeUInt32LE(size, at + 14);
  out.writeUInt32LE(size, at + 18);
  out.writeUInt16LE(nameSize, at + 22);
}
