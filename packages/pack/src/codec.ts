/**
 * Meshopt's codecs, and what bytes cost on their way: as they are, or after the general compressor of a server. The two
 * ask for different files. Text is a third of a packed file and next to nothing of it after brotli; numbers in nibbles
 * are small as they are and large after it.
 */
import type { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { encodeWholeBytes } from './attribute-codec.ts';
import { squeezedSize } from './squeezed-size.ts';

/** What a file is compressed by on its way. */
export type Transport = 'brotli' | 'gzip' | 'none';

export const TRANSPORTS: readonly Transport[] = ['brotli', 'gzip', 'none'];

/** Bytes of what describes arrays. */
export interface TextCosts {
  /** An accessor, a sampler and a channel. */
  readonly channel: number;
  /** The accessor of a list of times, and a time of an even list and of another one. */
  readonly list: number;
  readonly evenKey: number;
  readonly unevenKey: number;
  /** A view. */
  readonly view: number;
  /** Whether numbers cost what they tell, rather than their bits. */
  readonly squeezes: boolean;
}

/** As they are by length; compressed by how much a file grows by one more of the same kind. */
export const PLAIN_COSTS: TextCosts = {
  channel: 165,
  list: 110,
  evenKey: 1.2,
  unevenKey: 2,
  view: 200,
  squeezes: false,
};
const SQUEEZED_COSTS: TextCosts = {
  channel: 14,
  list: 16,
  evenKey: 0.15,
  unevenKey: 0.9,
  view: 24,
  squeezes: true,
};
/** Brotli's bytes of rows over those that are estimated: 0.83 to 0.93 for joints and weights. */
const [ROW_BIAS, SENT_PLAIN] = [0.87, 0.02];
/** Text about views, compressed. */
const SQUEEZED_TEXT = 0.15;

export class Codec {
  readonly encoder: typeof MeshoptEncoder;
  readonly decoder: typeof MeshoptDecoder;
  readonly transport: Transport;
  readonly costs: TextCosts;

  constructor(encoder: typeof MeshoptEncoder, decoder: typeof MeshoptDecoder, transport: Transport) {
    this.encoder = encoder;
    this.decoder = decoder;
    this.transport = transport;
    this.costs = this.squeezes ? SQUEEZED_COSTS : PLAIN_COSTS;
  }

  static async load(transport: Transport): Promise<Codec> {
    const [{ MeshoptEncoder }, { MeshoptDecoder }] = await Promise.all([
      import('meshoptimizer/encoder'),
      import('meshoptimizer/decoder'),
    ]);
    await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
    return new Codec(MeshoptEncoder, MeshoptDecoder, transport);
  }

  /** Whether a general compressor comes after. */
  get squeezes(): boolean {
    return this.transport !== 'none';
  }

  /** Bytes on their way. */
  sizeOf(bytes: Uint8Array): number {
    return this.squeezes ? squeezedSize(bytes) : bytes.length;
  }

  /**
   * Bytes of rows on their way that no codec has seen. A fiftieth of their length counts, too, for a server may send
   * them as they are.
   *
   * @param bias  of the estimate, which misses short repetitions of the row above
   */
  plainSize(bytes: Uint8Array, bias = ROW_BIAS): number {
    return this.squeezes ? bias * squeezedSize(bytes) + SENT_PLAIN * bytes.length : bytes.length;
  }

  /** Characters of a text that has many like it, on their way. */
  textSize(characters: number): number {
    return this.squeezes ? SQUEEZED_TEXT * characters : characters;
  }

  /** The smallest form on its way. */
  encode(bytes: Uint8Array, stride: number, mode: 'ATTRIBUTES' | 'TRIANGLES'): Uint8Array {
    const plain = this.encoder.encodeGltfBuffer(bytes, bytes.length / stride, stride, mode, 0);
    if (!this.squeezes || mode === 'TRIANGLES' || bytes.length === 0) return plain;
    const whole = encodeWholeBytes(bytes, stride);
    return squeezedSize(whole) < squeezedSize(plain) ? whole : plain;
  }

  /** Bytes of attributes on their way, for comparisons: without the search for the smallest form. */
  attributeSize(bytes: Uint8Array, stride: number): number {
    if (this.squeezes) return bytes.length > 0 ? squeezedSize(encodeWholeBytes(bytes, stride)) : 0;
    return this.encoder.encodeGltfBuffer(bytes, bytes.length / stride, stride, 'ATTRIBUTES', 0).length;
  }

  /** The same of triangles. */
  indexSize(indices: Uint32Array): number {
    const bytes = new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength);
    return this.sizeOf(this.encoder.encodeGltfBuffer(bytes, indices.length, 4, 'TRIANGLES', 0));
  }
}
