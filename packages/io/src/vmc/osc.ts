/**
 * Open Sound Control 1.0: messages and bundles, as UDP carries them. Strings and blobs are padded to four bytes, numbers are
 * big-endian. Packets come from anyone on the network, so that every length is checked against the bytes that are left.
 */

import { InputError } from '@pelt/model';
import { joinBytes } from '../join-bytes.ts';

/** Numbers are written as floats, bigints as integers of 32 bits, which are read as numbers. */
export type OscArgument = number | bigint | string | boolean | Uint8Array;

export interface OscMessage {
  readonly address: string;
  readonly args: readonly OscArgument[];
}

/** Bundles may nest; senders do not nest deeper than one. */
const DEEPEST = 4;
const BUNDLE = '#bundle';

/**
 * The messages of a packet, bundles unpacked in order.
 *
 * @param packet  as it came
 * @throws InputError for bytes that are no packet
 * @example
 * {@includeCode ../../examples/vmc.ts}
 */
export function readOsc(packet: Uint8Array): OscMessage[] {
  const messages: OscMessage[] = [];
  readInto(messages, packet, 0);
  return messages;
}

function readInto(messages: OscMessage[], bytes: Uint8Array, depth: number): void {
  const cursor = new OscCursor(bytes);
  const address = cursor.text();
  if (address !== BUNDLE) {
    messages.push(readMessage(address, cursor));
    return;
  }
  if (depth >= DEEPEST) throw new InputError('OSC: bundles are nested too deeply');
  cursor.take(8); // when it is meant for, which live senders leave at once
  while (cursor.left > 0) readInto(messages, cursor.take(cursor.view(4).getInt32(0)), depth + 1);
}

function readMessage(address: string, cursor: OscCursor): OscMessage {
  if (!address.startsWith('/')) throw new InputError('OSC: an address that does not begin with a slash');
  const types = cursor.left > 0 ? cursor.text() : ',';
  if (!types.startsWith(',')) throw new InputError(`OSC: '${address}' has no types`);
  const args = Array.from(types.slice(1), (type): OscArgument => {
    switch (type) {
      case 'f':
        return cursor.view(4).getFloat32(0);
      case 'i':
        return cursor.view(4).getInt32(0);
      case 'd':
        return cursor.view(8).getFloat64(0);
      case 'h':
        return Number(cursor.view(8).getBigInt64(0));
      case 's':
        return cursor.text();
      case 'b':
        return cursor.blob();
      case 'T':
      case 'F':
        return type === 'T';
      default:
        throw new InputError(`OSC: '${address}' has an argument of the unknown type '${type}'`);
    }
  });
  return { address, args };
}

class OscCursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number): Uint8Array {
    if (!(length >= 0 && length <= this.left)) throw new InputError('OSC: the packet is cut short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  view(length: number): DataView {
    const { buffer, byteOffset } = this.take(length);
    return new DataView(buffer, byteOffset, length);
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw new InputError('OSC: a text without an end');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.take(Math.min(padded(end - this.#at + 1), this.left));
    return new TextDecoder().decode(bytes);
  }

  blob(): Uint8Array {
    const length = this.view(4).getInt32(0);
    const bytes = this.take(length);
    this.take(Math.min(padded(length) - length, this.left));
    return bytes.slice();
  }
}

/**
 * A packet: one message, or a bundle of several.
 *
 * @param messages  at least one
 * @example
 * {@includeCode ../../examples/vmc.ts}
 */
export function writeOsc(messages: readonly OscMessage[]): Uint8Array<ArrayBuffer> {
  if (messages.length === 1) return joinBytes(messageParts(messages[0]));
  const parts: Uint8Array[] = [textBytes(BUNDLE), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)];
  for (const message of messages) {
    const bytes = joinBytes(messageParts(message));
    parts.push(
      numberBytes(4, (view) => view.setInt32(0, bytes.length)),
      bytes,
    );
  }
  return joinBytes(parts);
}

function messageParts({ address, args }: OscMessage): Uint8Array[] {
  const types = args.map((arg) => {
    if (typeof arg === 'number') return 'f';
    if (typeof arg === 'bigint') return 'i';
    if (typeof arg === 'string') return 's';
    return typeof arg === 'boolean' ? (arg ? 'T' : 'F') : 'b';
  });
  const parts = [textBytes(address), textBytes(`,${types.join('')}`)];
  for (const arg of args) {
    if (typeof arg === 'number') parts.push(numberBytes(4, (view) => view.setFloat32(0, arg)));
    else if (typeof arg === 'bigint') parts.push(numberBytes(4, (view) => view.setInt32(0, Number(arg))));
    else if (typeof arg === 'string') parts.push(textBytes(arg));
    else if (typeof arg !== 'boolean') {
      const bytes = new Uint8Array(padded(arg.length));
      bytes.set(arg);
      parts.push(
        numberBytes(4, (view) => view.setInt32(0, arg.length)),
        bytes,
      );
    }
  }
  return parts;
}

function textBytes(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const out = new Uint8Array(padded(bytes.length + 1));
  out.set(bytes);
  return out;
}

function numberBytes(length: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  write(new DataView(bytes.buffer));
  return bytes;
}

/** The next multiple of four. */
function padded(length: number): number {
  return (length + 3) & ~3;
}
