import type { GLTF } from '@gltf-transform/core';
import { resolveOptions, UnsupportedError, UsageError } from '@pelt/model';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { MESHOPT } from '../check-accessors.ts';
import { readGlbContainer, writeGlbContainer } from '../glb-container.ts';
import { isObject } from '../json-shape.ts';
import { TWO_LAYER_EXTENSION } from '../two-layer-extension.ts';
import { type FileArray, fileArrays } from './file-arrays.ts';
import { bitsByCost, type JointInfluence, jointInfluence } from './joint-influence.ts';
import { type Filter, type PackedArray, PackedViews } from './pack-views.ts';
import {
  alignSlots,
  type PositionGrid,
  positionGrid,
  quantiseDeltas,
  quantisePositions,
  quantiseWeights,
} from './quantise.ts';
import { orderVertices, permuted } from './reorder-vertices.ts';

/**
 * A GLB that pelt has written, made small: vertices and triangles in the order that packs best, positions and weights on
 * grids (KHR_mesh_quantization), curves through Meshopt's filters, everything through its codecs
 * (EXT_meshopt_compression). The way back from the grid goes into the inverse bind matrices, or, for a mesh without a
 * skin, into its node.
 */
export interface CompressOptions {
  /** Bits of a coordinate, up to 16; the longest side of the box has 2^bits steps. */
  readonly positionBits: number;
  /** Bits of a weight, up to 16. */
  readonly weightBits: number;
  /** Bits of a quaternion's component, 4 to 16: the mean over the joints; those that move more of the surface have more. */
  readonly rotationBits: number;
  /** Bits of the mantissa of translations and scales, 4 to 24, a mean as well; a vector shares its exponent. */
  readonly translationBits: number;
  readonly normalBits: number;
}

export const COMPRESS_DEFAULTS: CompressOptions = {
  positionBits: 14,
  weightBits: 10,
  rotationBits: 12,
  translationBits: 14,
  normalBits: 8,
};

export interface CompressedGlb {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Vertex of the input file of each vertex. */
  readonly order: Uint32Array;
}

const QUANTIZATION = 'KHR_mesh_quantization';
const LIMITS: Readonly<Record<keyof CompressOptions, readonly [number, number]>> = {
  positionBits: [4, 16],
  weightBits: [4, 16],
  rotationBits: [4, 16],
  translationBits: [4, 24],
  normalBits: [4, 16],
};

/**
 * Quantises a GLB and compresses it with meshopt (EXT_meshopt_compression).
 *
 * @param bytes  of a GLB as the writers of this package make it
 * @example
 * {@includeCode ../../../examples/skinned.ts}
 */
export async function compressGlb(bytes: Uint8Array, options?: Partial<CompressOptions>): Promise<CompressedGlb> {
  const resolved = resolveOptions('compressGlb', COMPRESS_DEFAULTS, options);
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = resolved[name as keyof CompressOptions];
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new UsageError(`compressGlb: ${name} is ${value}; it must be a whole number from ${least} to ${most}`);
    }
  }
  const { MeshoptEncoder } = await import('meshoptimizer/encoder');
  await MeshoptEncoder.ready;
  const { json, binary } = readGlbContainer(bytes);
  const file = JSON.parse(new TextDecoder().decode(json)) as GLTF.IGLTF;
  if ((file.meshes ?? []).length !== 1) throw new UnsupportedError('compressGlb: the file must have one mesh');
  for (const [name, value] of Object.entries(file.extensions ?? {})) {
    // Vertices change their order: only arrays that do not follow them may stay.
    if (isObject(value) && value.buffers && name !== TWO_LAYER_EXTENSION) {
      throw new UnsupportedError(`compressGlb: it cannot pack the arrays of the extension ${name}`);
    }
  }
  return new Compression(MeshoptEncoder, file, binary ?? new Uint8Array(0), resolved).run();
}

class Compression {
  readonly #encoder: typeof MeshoptEncoder;
  readonly #json: GLTF.IGLTF;
  readonly #binary: Uint8Array;
  readonly #options: CompressOptions;
  readonly #arrays: FileArray[];
  /** How each accessor is packed; those that nothing refers to are left out. */
  readonly #packed = new Map<number, PackedArray>();

  constructor(encoder: typeof MeshoptEncoder, json: GLTF.IGLTF, binary: Uint8Array, options: CompressOptions) {
    this.#encoder = encoder;
    this.#json = json;
    this.#binary = binary;
    this.#options = options;
    this.#arrays = fileArrays(json, binary);
  }

  run(): CompressedGlb {
    // Before the positions go onto their grid, and the way back into the matrices.
    const influence = jointInfluence(this.#json, this.#arrays);
    const order = this.#packMesh();
    this.#packAnimations(influence);
    for (const { inverseBindMatrices } of this.#json.skins ?? []) {
      if (inverseBindMatrices !== undefined) this.#pack(inverseBindMatrices, 'ATTRIBUTES', NONE);
    }
    this.#dropDefaults();
    return { bytes: this.#write(), order };
  }

  #pack(index: number, mode: PackedArray['mode'], filter: Filter, change: Partial<PackedArray> = {}): void {
    this.#packed.set(index, { ...this.#arrays[index], mode, filter, ...change });
  }

  #packMesh(): Uint32Array {
    const [mesh] = this.#json.meshes as GLTF.IMesh[];
    const { primitives } = mesh;
    const { attributes } = primitives[0];
    const positions = this.#arrays[attributes.POSITION].values as Float32Array;
    const indexArrays = primitives.map(({ indices }) => Uint32Array.from(this.#arrays[indices as number].values));
    const { order, indices } = orderVertices(this.#encoder, indexArrays, positions.length / 3);
    primitives.forEach((primitive, p) => {
      const index = primitive.indices as number;
      const Kind = this.#arrays[index].values.constructor as typeof Uint16Array;
      this.#pack(index, 'TRIANGLES', NONE, { values: Kind.from(indices[p]), target: 34963 });
    });
    const grid = positionGrid(positions, this.#options.positionBits);
    const targets = (primitives[0].targets ?? []).map((target) => target.POSITION);
    const steps = targets.map((index) => quantiseDeltas(this.#arrays[index].values as Float32Array, grid));
    const onGrid = steps.every((values) => values !== undefined);
    if (onGrid) {
      this.#packAttribute(attributes.POSITION, order, quantisePositions(positions, grid));
      targets.forEach((index, r) => {
        this.#packAttribute(index, order, steps[r]);
      });
      this.#returnFromGrid(grid);
    }
    for (const [semantic, index] of Object.entries(attributes)) this.#packOther(semantic, index, order);
    for (const target of primitives[0].targets ?? []) {
      for (const index of Object.values(target)) if (!this.#packed.has(index)) this.#packAttribute(index, order);
    }
    this.#alignJoints(attributes);
    return order;
  }

  #packAttribute(index: number, order: Uint32Array, values = this.#arrays[index].values, filter: Filter = NONE): void {
    const moved = permuted(values, this.#arrays[index].size, order);
    this.#pack(index, 'ATTRIBUTES', filter, { values: moved, target: 34962 });
  }

  #packOther(semantic: string, index: number, order: Uint32Array): void {
    if (this.#packed.has(index)) return;
    const { values, size } = this.#arrays[index];
    if (semantic === 'NORMAL' || semantic === 'TANGENT') {
      this.#packAttribute(index, order, values, { kind: 'OCTAHEDRAL', bits: this.#options.normalBits });
    } else if (semantic.startsWith('WEIGHTS_') && values instanceof Float32Array && this.#oneSet()) {
      this.#packAttribute(index, order, quantiseWeights(values, size, this.#options.weightBits));
      this.#packed.set(index, { ...(this.#packed.get(index) as PackedArray), normalized: true });
    } else this.#packAttribute(index, order);
  }

  /** With a second set of joints the sum of one is not 1: such weights stay as they are. */
  #oneSet(): boolean {
    return (this.#json.meshes as GLTF.IMesh[])[0].primitives[0].attributes.WEIGHTS_1 === undefined;
  }

  #alignJoints(attributes: Readonly<Record<string, number>>): void {
    const [joints, weights] = [attributes.JOINTS_0, attributes.WEIGHTS_0].map(
      (index) => this.#packed.get(index)?.values,
    );
    if (!weights || weights instanceof Float32Array || !this.#oneSet()) return;
    alignSlots(joints as Uint8Array, weights as Uint8Array);
  }

  /** p = origin + step·q as a matrix behind every inverse bind matrix, or as the node's own transform. */
  #returnFromGrid({ origin, step }: PositionGrid): void {
    const node = (this.#json.nodes as GLTF.INode[]).find(({ mesh }) => mesh !== undefined) as GLTF.INode;
    if (node.skin === undefined) {
      Object.assign(node, { translation: [...origin], scale: [step, step, step] });
      return;
    }
    const [skin] = this.#json.skins as GLTF.ISkin[];
    const matrices = this.#arrays[skin.inverseBindMatrices as number].values as Float32Array;
    for (let at = 0; at < matrices.length; at += 16) {
      for (let row = 0; row < 3; row++) {
        let shift = matrices[at + 12 + row];
        for (let c = 0; c < 3; c++) {
          shift += matrices[at + 4 * c + row] * origin[c];
          matrices[at + 4 * c + row] *= step;
        }
        matrices[at + 12 + row] = shift;
      }
    }
  }

  #packAnimations(influence: JointInfluence | undefined): void {
    const curves = { rotation: new Map<number, number>(), other: new Map<number, number>() };
    for (const { channels, samplers } of this.#json.animations ?? []) {
      for (const { sampler, target } of channels) {
        const { input, output } = samplers[sampler];
        this.#pack(input, 'ATTRIBUTES', NONE);
        if (target.path === 'weights') this.#pack(output, 'ATTRIBUTES', NONE);
        else {
          // A curve that several joints share has the bits of the one that needs most.
          const same = target.path === 'rotation' ? curves.rotation : curves.other;
          same.set(output, Math.max(same.get(output) ?? 0, this.#costOf(influence, target, output)));
        }
      }
    }
    this.#packCurves(curves.rotation, 'QUATERNION', 'rotationBits');
    this.#packCurves(curves.other, 'EXPONENTIAL', 'translationBits');
  }

  /** What an error of one step in a curve moves. */
  #costOf(influence: JointInfluence | undefined, target: GLTF.IAnimationChannelTarget, output: number): number {
    const joint = influence?.nodes.indexOf(target.node as number) ?? -1;
    if (!influence || joint < 0) return 1;
    if (target.path === 'rotation') return influence.turns[joint];
    // The filter's steps are shares of each vector's largest number.
    const values = this.#arrays[output].values as Float32Array;
    const size = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / (values.length / 3));
    return size * (target.path === 'scale' ? influence.turns[joint] : influence.shifts[joint]);
  }

  #packCurves(
    costs: ReadonlyMap<number, number>,
    kind: 'QUATERNION' | 'EXPONENTIAL',
    option: 'rotationBits' | 'translationBits',
  ): void {
    const bits = bitsByCost([...costs.values()], this.#options[option], ...LIMITS[option]);
    [...costs.keys()].forEach((output, k) => {
      this.#pack(output, 'ATTRIBUTES', { kind, bits: bits[k] });
    });
  }

  /** What a reader assumes anyway; with short clips the text outweighs the curves. */
  #dropDefaults(): void {
    for (const { samplers } of this.#json.animations ?? []) {
      for (const sampler of samplers) if (sampler.interpolation === 'LINEAR') delete sampler.interpolation;
    }
    for (const { primitives } of this.#json.meshes ?? []) {
      for (const primitive of primitives) if (primitive.mode === 4) delete primitive.mode;
    }
  }

  #write(): Uint8Array<ArrayBuffer> {
    const json = this.#json;
    const views = new PackedViews(this.#encoder);
    const before = json.accessors as GLTF.IAccessor[];
    const accessors = before.map((accessor, k) => {
      const packed = this.#packed.get(k);
      if (!packed) throw new UnsupportedError(`compressGlb: accessors[${k}] serves a purpose that it does not know`);
      const { type, count, min } = accessor;
      return { type, count, ...views.add(packed), ...(min && boundsOf(packed)) } as GLTF.IAccessor;
    });
    // Images are packed already, and arrays of extensions stay as they are: they keep their views, in front.
    const owners = [...(json.images ?? []), ...payloadEntries(json)].filter(
      ({ bufferView }) => bufferView !== undefined,
    );
    const kept = owners.map(({ bufferView }) => {
      const { byteOffset = 0, byteLength } = (json.bufferViews as GLTF.IBufferView[])[bufferView as number];
      return this.#binary.subarray(byteOffset, byteOffset + byteLength);
    });
    const { rest, offsets } = joined(kept);
    const { bufferViews, binary, decoded } = views.write(rest);
    owners.forEach((owner, k) => {
      owner.bufferView = bufferViews.length;
      bufferViews.push({ buffer: 0, byteOffset: offsets[k], byteLength: kept[k].length });
    });
    const extensions = [MESHOPT, QUANTIZATION];
    const out: GLTF.IGLTF = {
      ...json,
      extensionsUsed: [...new Set([...(json.extensionsUsed ?? []), ...extensions])],
      extensionsRequired: [...new Set([...(json.extensionsRequired ?? []), ...extensions])],
      accessors,
      bufferViews,
      buffers: [
        { byteLength: binary.length },
        { byteLength: decoded, extensions: { [MESHOPT]: { fallback: true } } } as GLTF.IBuffer,
      ],
    };
    return writeGlbContainer(new TextEncoder().encode(JSON.stringify(out)), binary);
  }
}

const NONE: Filter = { kind: 'NONE' };

/** The arrays of extensions at the root, in pelt's form. */
function payloadEntries({ extensions = {} }: GLTF.IGLTF): { bufferView?: number }[] {
  return Object.values(extensions).flatMap((extension) => {
    const buffers = isObject(extension) ? extension.buffers : undefined;
    return isObject(buffers) ? (Object.values(buffers).filter(isObject) as { bufferView?: number }[]) : [];
  });
}

/** What the accessor of positions and of times must say, of the numbers as they are stored. */
function boundsOf({ values, size }: PackedArray): Pick<GLTF.IAccessor, 'min' | 'max'> {
  const min = new Array<number>(size).fill(Infinity);
  const max = new Array<number>(size).fill(-Infinity);
  for (let k = 0; k < values.length; k++) {
    min[k % size] = Math.min(min[k % size], values[k]);
    max[k % size] = Math.max(max[k % size], values[k]);
  }
  return { min, max };
}

function joined(parts: readonly Uint8Array[]): { rest: Uint8Array; offsets: number[] } {
  const offsets: number[] = [];
  let at = 0;
  for (const part of parts) {
    offsets.push(at);
    at += part.length + (-part.length & 3);
  }
  const rest = new Uint8Array(at);
  parts.forEach((part, k) => {
    rest.set(part, offsets[k]);
  });
  return { rest, offsets };
}
