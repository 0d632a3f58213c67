/**
 * A document written back as a GLB: its nodes, names, materials, images, cameras, lights and extras as they were, its
 * arrays as a plan says, or as they are.
 */

import { DYNAMICS_EXTENSION } from '@pelt/io';
import {
  DRACO,
  determinant,
  EIGENSKIN_EXTENSION,
  fromColumns,
  type GltfDocument,
  isObject,
  type JsonObject,
  loadUri,
  MESHOPT,
  objectsOf,
  PUPPET_EXTENSION,
  SLIDERS_EXTENSION,
  TWO_LAYER_EXTENSION,
  writeGlbContainer,
} from '@pelt/io/internal';
import { cbrt } from '@pelt/math';
import { UnsupportedError } from '@pelt/model';
import { AccessorWriter } from './accessor-writer.ts';
import type { Codec } from './codec.ts';
import { bytesOf, type ColumnPrecision } from './columns.ts';
import type { EditedAsset } from './edit-asset.ts';
import { encodeExponential, exponentBelow, exponentFor } from './exponential.ts';
import type { PackPlan } from './pack-plan.ts';
import { PackedViews } from './packed-views.ts';
import { shortMaterial, shortNode } from './short-text.ts';
import { sharesRigidWeights } from './skin-columns.ts';
import type { OrderFinder } from './smallest-order.ts';
import { AnimationWriter } from './write-animations.ts';
import { type WrittenPrimitive, writePackedPrimitive, writePlainPrimitive } from './write-primitives.ts';

export interface Packing {
  readonly codec: Codec;
  readonly plan: PackPlan;
  readonly precision: ColumnPrecision;
  readonly orders: OrderFinder;
  /** What rounding bind matrices may move, as a share of the model's size. */
  readonly bindError: number;
  readonly size: number;
}

export interface DocumentCoding {
  /** Which keys stay; absent: all. */
  readonly plan: PackPlan | undefined;
  /** Absent: nothing is compressed. */
  readonly packing: Packing | undefined;
}

export interface WrittenDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly primitives: readonly WrittenPrimitive[];
}

const QUANTIZATION = 'KHR_mesh_quantization';
const INSTANCING = 'EXT_mesh_gpu_instancing';
const FLOAT = 5126;
/** Extensions that depend on the joints of the skin and not on its vertices. */
const OF_JOINTS = [TWO_LAYER_EXTENSION, EIGENSKIN_EXTENSION, SLIDERS_EXTENSION, PUPPET_EXTENSION];
/** Of these, and of no vertex, is secondary motion; its bones are those of a learnt skin. */
const OF_BONES = [...OF_JOINTS, DYNAMICS_EXTENSION];

export async function writeDocument(
  document: GltfDocument,
  { asset, primitives, joints }: EditedAsset,
  { plan, packing }: DocumentCoding,
): Promise<WrittenDocument> {
  const { json } = document;
  refuseUnknownArrays(json, packing !== undefined);
  const views = new PackedViews(packing?.codec);
  const accessors = new AccessorWriter(views);
  const images = await writeImages(document, views);
  const shared = packing && {
    ...packing,
    encoder: packing.codec.encoder,
    sharesRigid: sharesRigidWeights(packing.plan.weights),
  };
  const written = primitives.map((primitive, k) =>
    shared ? writePackedPrimitive(primitive, k, shared, accessors) : writePlainPrimitive(primitive, accessors),
  );
  const animationWriter = new AnimationWriter(accessors, document.accessors, packing?.codec);
  const animations = objectsOf(json, 'animations')
    .map((animation, a) => animationWriter.write(animation, asset.animations[a], plan?.clips[a]))
    .filter(({ channels }) => channels.length > 0);
  const skins = objectsOf(json, 'skins').map((skin, k) =>
    writeSkin(document, skin, joints.get(k), accessors, packing && { ...packing, scale: scaleOf(asset, k) }),
  );
  const nodes = objectsOf(json, 'nodes').map((node) => writeNode(document, node, accessors, packing !== undefined));
  // Other weights are not over the bones that these are of.
  const extensions = writeExtensions(document, views, joints.size > 0 ? OF_JOINTS : []);
  const { bufferViews, buffers, binary, places, packed } = views.write();
  const lists = {
    nodes,
    meshes: writeMeshes(json, written),
    skins,
    animations,
    images,
    materials: objectsOf(json, 'materials').map((material) => (packing ? shortMaterial(material) : material)),
    accessors: accessors.write(places),
    bufferViews,
    buffers,
  };
  const { bufferViews: _, buffers: __, accessors: ___, ...kept } = json;
  const out = {
    ...kept,
    asset: { ...(isObject(json.asset) ? json.asset : {}), version: '2.0', generator: 'pelt' },
    ...lists,
    ...(extensions && { extensions }),
    ...usedExtensions(json, packed, written.some(isQuantised(accessors))),
  };
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(out).filter(([, value]) => !Array.isArray(value) || value.length > 0)),
  );
  return { bytes: writeGlbContainer(new TextEncoder().encode(text), binary), primitives: written };
}

function writeMeshes(json: JsonObject, written: readonly WrittenPrimitive[]): JsonObject[] {
  return objectsOf(json, 'meshes').map((mesh, m) => ({
    ...mesh,
    primitives: objectsOf(mesh, 'primitives').map((primitive, p) => {
      const own = written.find((other) => other.mesh === m && other.primitive === p) as WrittenPrimitive;
      const { attributes: _, targets: __, indices: ___, mode: ____, extensions, ...rest } = primitive;
      const { [DRACO]: _____, ...others } = isObject(extensions) ? extensions : {};
      return {
        attributes: own.attributes,
        ...(own.indices !== undefined && { indices: own.indices }),
        ...(own.mode !== 4 && { mode: own.mode }),
        ...(own.targets.length > 0 && { targets: own.targets }),
        ...rest,
        ...(Object.keys(others).length > 0 && { extensions: others }),
      };
    }),
  }));
}

function writeSkin(
  { accessors: stored }: GltfDocument,
  given: JsonObject,
  kept: readonly number[] | undefined,
  accessors: AccessorWriter,
  packing: BindPacking | undefined,
): JsonObject {
  const { inverseBindMatrices: index, joints: all } = given as { inverseBindMatrices?: number; joints: number[] };
  const places = kept && kept.length > 0 ? kept : [...all.keys()];
  const joints = places.map((j) => all[j]);
  const skin = { ...given, joints };
  if (index === undefined) return skin;
  const stack = stored.floats(index, 'inverseBindMatrices', [16]);
  const values = Float32Array.from({ length: 16 * joints.length }, (_, k) => stack[16 * places[k >> 4] + (k & 15)]);
  const shape = { stride: 64, purpose: 'binds', componentType: FLOAT, type: 'MAT4', count: joints.length } as const;
  if (!packing)
    return { ...skin, inverseBindMatrices: accessors.share({ ...shape, bytes: bytesOf(values), mode: 'RAW' }) };
  const exponents = bindExponents(values, packing);
  const bytes = bytesOf(encodeExponential(values, exponents, exponents.length));
  const packed = { ...shape, bytes, mode: 'ATTRIBUTES', filter: 'EXPONENTIAL' } as const;
  return { ...skin, inverseBindMatrices: accessors.share(packed) };
}

interface BindPacking extends Pick<Packing, 'bindError' | 'size'> {
  /** Lengths in the rest pose over those that are stored. */
  readonly scale: number;
}

/** Of what a skin moves. */
function scaleOf({ scene }: EditedAsset['asset'], skin: number): number {
  return scene.ranges.reduce((most, range) => (range.skin === skin ? Math.max(most, range.scale) : most), 0) || 1;
}

/**
 * An error δ in the linear part of a matrix A moves a vertex by δ/|A| of the model's size, one in its translation by
 * δ·s/|A|, s the scale of the whole. The last row is 0, 0, 0, 1 to the bit.
 */
function bindExponents(values: Float32Array, { bindError, size, scale }: BindPacking): number[] {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < values.length; at += 16) {
    const own = cbrt(Math.abs(determinant(fromColumns(values, at))));
    if (own > 0) least = Math.min(least, own);
  }
  if (!Number.isFinite(least)) least = 1;
  const [linear, shift] = [bindError * least, (bindError * size * least) / scale];
  return Array.from({ length: 16 }, (_, k) => {
    if (k % 4 === 3) return 0;
    const numbers = values.filter((_, at) => at % 16 === k);
    return exponentFor(numbers, exponentBelow(k >= 12 ? shift : linear));
  });
}

function writeNode(
  { accessors: stored }: GltfDocument,
  node: JsonObject,
  accessors: AccessorWriter,
  short: boolean,
): JsonObject {
  const { extensions } = node;
  const instancing = isObject(extensions) ? extensions[INSTANCING] : undefined;
  const out = short ? shortNode(node) : node;
  if (!isObject(extensions) || !isObject(instancing) || !isObject(instancing.attributes)) return out;
  const attributes = Object.entries(instancing.attributes).map(([semantic, index]) => {
    const size = stored.size(index as number);
    const values = stored.floats(index as number, semantic, [size]);
    const type = size === 4 ? 'VEC4' : size === 3 ? 'VEC3' : 'SCALAR';
    const shape = { stride: 4 * size, purpose: 'data', componentType: FLOAT, type } as const;
    return [semantic, accessors.add({ ...shape, bytes: bytesOf(values), mode: 'RAW', count: values.length / size })];
  });
  return {
    ...out,
    extensions: { ...extensions, [INSTANCING]: { ...instancing, attributes: Object.fromEntries(attributes) } },
  };
}

/** Images stay bit for bit; those beside the file come into it where they are found. */
async function writeImages({ json, views: stored, resolve }: GltfDocument, views: PackedViews): Promise<JsonObject[]> {
  const out: JsonObject[] = [];
  for (const [k, image] of objectsOf(json, 'images').entries()) {
    const { uri, bufferView, ...rest } = image;
    let bytes = typeof bufferView === 'number' ? stored.bytes[bufferView] : undefined;
    if (typeof uri === 'string' && (uri.startsWith('data:') || resolve)) {
      bytes = await loadUri(uri, `images[${k}]`, resolve).catch(() => undefined);
    }
    if (!bytes) out.push(image);
    else out.push({ ...rest, mimeType: rest.mimeType ?? mimeTypeOf(bytes), bufferView: views.addBytes(bytes) });
  }
  return out;
}

function mimeTypeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg';
  if (bytes[0] === 0x52 && bytes[8] === 0x57) return 'image/webp';
  return bytes[0] === 0xab ? 'image/ktx2' : 'image/png';
}

/** The arrays of extensions at the root, in pelt's form. */
function writeExtensions(
  { json, views: stored }: GltfDocument,
  views: PackedViews,
  dropped: readonly string[],
): JsonObject | undefined {
  if (!isObject(json.extensions)) return undefined;
  const kept = Object.entries(json.extensions).filter(([name]) => !dropped.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (!isObject(value) || !isObject(value.buffers)) return [name, value];
      const buffers = Object.entries(value.buffers).map(([key, entry]) => {
        const bytes = isObject(entry) && typeof entry.bufferView === 'number' && stored.bytes[entry.bufferView];
        return [key, bytes ? { ...(entry as JsonObject), bufferView: views.addBytes(bytes) } : entry];
      });
      return [name, { ...value, buffers: Object.fromEntries(buffers) }];
    }),
  );
}

/** Vertices change their order: arrays that may follow them, or that are not known, cannot stay. */
function refuseUnknownArrays(json: JsonObject, moves: boolean): void {
  for (const [name, value] of Object.entries(isObject(json.extensions) ? json.extensions : {})) {
    const arrays = isObject(value) && value.buffers;
    if (moves && arrays && !OF_BONES.includes(name)) {
      throw new UnsupportedError(`it cannot pack the arrays of the extension ${name}; leave out --compress`);
    }
    if (!arrays && JSON.stringify(value).includes('"bufferView"')) {
      throw new UnsupportedError(`it does not know the arrays of the extension ${name}`);
    }
  }
}

/** Whether a primitive has numbers that only the extension allows: normals, most of the time. */
function isQuantised({ arrays: stored }: AccessorWriter) {
  return ({ attributes, targets }: WrittenPrimitive): boolean =>
    [attributes, ...targets].some((arrays) =>
      Object.entries(arrays).some(
        ([semantic, k]) =>
          /^(POSITION|NORMAL|TANGENT|TEXCOORD_\d+)$/.test(semantic) && stored[k].componentType !== FLOAT,
      ),
    );
}

function usedExtensions(json: JsonObject, packed: boolean, quantised: boolean): JsonObject {
  const list = (key: string) => {
    const given = Array.isArray(json[key]) ? (json[key] as string[]) : [];
    const kept = given.filter((name) => ![DRACO, MESHOPT, QUANTIZATION].includes(name));
    return [...kept, ...(packed ? [MESHOPT] : []), ...(quantised ? [QUANTIZATION] : [])];
  };
  return { extensionsUsed: list('extensionsUsed'), extensionsRequired: list('extensionsRequired') };
}
