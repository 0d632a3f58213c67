/**
 * Tables of four floats in a texture, read by index in any shader stage: the one form of data that both back ends of
 * WebGPURenderer read from the vertex stage and from a pass alike, and that needs no vertex attribute (WebGPU has eight).
 */
import { DataTexture, FloatType, NearestFilter, RGBAFormat, type RGFormat, type Texture } from 'three';
import { int, ivec2, texture } from 'three/tsl';
import type { Node, TextureNode } from 'three/webgpu';

/** Texels in a row: a power of two, so that an index splits by bits. */
const ROW_BITS = 10;
const ROW = 1 << ROW_BITS;

/** @param data  texels × 4, or × 2 where `format` says so */
export function floatTexture(
  data: Float32Array,
  width: number,
  height: number,
  format: typeof RGBAFormat | typeof RGFormat = RGBAFormat,
): DataTexture {
  const made = new DataTexture(data, width, height, format, FloatType);
  made.minFilter = NearestFilter;
  made.magFilter = NearestFilter;
  made.generateMipmaps = false;
  made.needsUpdate = true;
  return made;
}

/** A constant table over a geometry. */
export class TexelTable {
  readonly texture: DataTexture;
  readonly #node: TextureNode;
  readonly #rows: number;

  /** @param data  texels × 4 */
  constructor(data: Float32Array) {
    const texels = Math.max(1, data.length / 4);
    const width = Math.min(texels, ROW);
    this.#rows = Math.ceil(texels / ROW);
    const padded = new Float32Array(4 * width * this.#rows);
    padded.set(data);
    this.texture = floatTexture(padded, width, this.#rows);
    this.#node = texture(this.texture);
  }

  at(index: Node<'int'>): Node<'vec4'> {
    const x = this.#rows > 1 ? index.bitAnd(int(ROW - 1)) : index;
    const y = this.#rows > 1 ? index.shiftRight(int(ROW_BITS)) : int(0);
    return this.#node.load(ivec2(x, y));
  }

  dispose(): void {
    this.texture.dispose();
  }
}

/** Bones in a row of a palette's texture. */
const BONE_BITS = 8;
export const PALETTE_ROW = 1 << BONE_BITS;

export function paletteSize(bones: number, texels: number): { readonly width: number; readonly height: number } {
  return { width: texels * Math.min(bones, PALETTE_ROW), height: Math.ceil(bones / PALETTE_ROW) };
}

/** A palette of a few texels per bone, whose texture is another mesh's from one draw to the next. */
export class PaletteNode {
  readonly node: TextureNode;
  readonly #texels: number;
  /** Rows of the texture that one palette takes. */
  readonly rows: number;

  constructor(first: Texture, bones: number, texels: number) {
    this.node = texture(first);
    this.#texels = texels;
    this.rows = paletteSize(bones, texels).height;
  }

  /** One texel of one bone; `row` is where the palette begins, of several in one texture. */
  texel(bone: Node<'int'>, k: Node<'int'>, row: Node<'int'> = int(0)): Node<'vec4'> {
    const column = this.rows > 1 ? bone.bitAnd(int(PALETTE_ROW - 1)) : bone;
    const y = this.rows > 1 ? bone.shiftRight(int(BONE_BITS)).add(row) : row;
    return this.node.load(ivec2(column.mul(int(this.#texels)).add(k), y));
  }

  /** All texels of one bone. */
  of(bone: Node<'int'>, row: Node<'int'> = int(0)): Node<'vec4'>[] {
    const column = this.rows > 1 ? bone.bitAnd(int(PALETTE_ROW - 1)) : bone;
    const x = column.mul(int(this.#texels)).toVar();
    const y = this.rows > 1 ? bone.shiftRight(int(BONE_BITS)).add(row) : row;
    return Array.from({ length: this.#texels }, (_, k) => this.node.load(ivec2(k === 0 ? x : x.add(int(k)), y)));
  }
}
