/**
 * Changes to a glTF file that leave everything else as it was: nodes, meshes, morph targets, materials, cameras, lights,
 * extras and extensions, known or not, and the bytes of every array. Compressed files stay compressed.
 */
import { type CharacterClip, type SkinWeights, UnsupportedError } from '@pelt/model';
import { WarningTally } from '../../warning-tally.ts';
import { MESHOPT } from '../check-accessors.ts';
import { type GltfExtension, payloadEntry } from '../extension-payload.ts';
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import { labelled, openDocument } from '../open-document.ts';
import { morphDrivers } from '../read-rig.ts';
import type { ResolveFile } from '../resources.ts';
import type { GltfAsset } from '../scene.ts';
import { floatTimes } from '../write-times.ts';
import { type AddArray, mendArrays } from './mend-arrays.ts';
import { mendJson } from './mend-json.ts';
import { type NodeTrack, trackNodes } from './node-tracks.ts';
import { type MutableJson, openRaw, type RawDocument } from './raw-document.ts';
import { resample } from './resample.ts';
import { writeRaw } from './write-raw.ts';
import { writeWeights } from './write-weights.ts';

/** The bytes of a glTF, and how to find the files that it names. */
export interface StoredGltf {
  readonly bytes: Uint8Array;
  readonly resolve?: ResolveFile | undefined;
}

/** What shall be different. */
export interface GltfChanges {
  /** Numbers of the animations that stay; absent: all. */
  readonly keep?: readonly number[];
  /** For each animation the seconds at which it is sampled, by its own clock; absent: its keys stay. */
  readonly moments?: readonly ArrayLike<number>[];
  /** Name of the mesh, where there is one. */
  readonly name?: string | undefined;
  /** New animations, before those that stay: clips over the bones of the asset, with its morph weights. */
  readonly clips?: readonly CharacterClip[];
  /** Weights over the bones of the asset, for the vertices of its merged mesh; no joint leaves its skin. */
  readonly weights?: SkinWeights;
  /** Extensions at the root, in place of those of the same names. */
  readonly extensions?: readonly GltfExtension[];
  /** Names of extensions at the root that go. */
  readonly without?: readonly string[];
}

export interface EditedGltf {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Largest difference between the bone transforms of the new animations and the clips'. */
  readonly lost: number;
}

const [BYTE, SHORT, FLOAT] = [5121, 5123, 5126];
const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3' } as const;

/**
 * Writes a glTF file again with other animations or extensions.
 *
 * @param file   as it is stored
 * @param asset  what was read from it
 * @example
 * {@includeCode ../../../examples/characters.ts}
 */
export async function editGltf(file: StoredGltf, asset: GltfAsset, changes: GltfChanges): Promise<EditedGltf> {
  try {
    const document = await openRaw(file.bytes, file.resolve);
    await mend(document, file, asset);
    const { keep, moments, name, clips = [], extensions = [], without = [] } = changes;
    const animations = objectsOf(document.json, 'animations')
      .map((animation, a) => {
        if (!moments?.[a]) return animation;
        return resample(animation, asset.animations[a], moments[a], (...array) => addAccessor(document, ...array));
      })
      .filter(({ channels }, a) => (keep?.includes(a) ?? true) && Array.isArray(channels) && channels.length > 0);
    if (name !== undefined) rename(document.json, name);
    if (changes.weights) {
      writeWeights(document.json, asset, changes.weights, (values) => addAccessor(document, values, 'VEC4', 4));
    }
    const added = clips.map((clip) => addClip(document, asset, clip));
    document.json.animations = [...added.map(({ animation }) => animation), ...animations];
    const names = extensions.map(({ name }) => name);
    dropExtensions(document.json, [...without, ...names]);
    for (const extension of extensions) addExtension(document, extension);
    return { bytes: writeRaw(document), lost: Math.max(0, ...added.map(({ lost }) => lost)) };
  } catch (error) {
    throw labelled('editGltf', error);
  }
}

/** What was read with a warning, or without one, is written as the format has it. */
async function mend(document: RawDocument, { bytes, resolve }: StoredGltf, asset: GltfAsset): Promise<void> {
  const { json, views } = document;
  mendJson(
    json,
    views.map((view) => view.json),
  );
  const { accessors } = await openDocument(bytes, resolve, new WarningTally('glTF', undefined));
  const add: AddArray = (values, type, size, bounds) => addAccessor(document, values, type, size, bounds);
  mendArrays(json, accessors, asset, add, (values) => addAccessor(document, values, 'VEC4', 4));
}

function rename(json: MutableJson, name: string): void {
  const meshes = objectsOf(json, 'meshes');
  if (meshes.length !== 1) throw new UnsupportedError(`it has ${meshes.length} meshes; one name is for one mesh`);
  json.meshes = [{ ...meshes[0], name }];
}

function addClip(
  document: RawDocument,
  asset: GltfAsset,
  clip: CharacterClip,
): { readonly animation: JsonObject; readonly lost: number } {
  const { tracks, lost } = trackNodes(asset, clip);
  const samplers: JsonObject[] = [];
  const channels: JsonObject[] = [];
  const times = floatTimes(clip.times, clip.name);
  const bounds = { min: [times[0]], max: [times[times.length - 1]] };
  const input = addAccessor(document, times, 'SCALAR', 1, bounds);
  const add = (node: number, path: string, type: 'SCALAR' | 'VEC3' | 'VEC4', values: Float32Array, size: number) => {
    samplers.push({ input, output: addAccessor(document, values, type, size) });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  const nodes = objectsOf(document.json, 'nodes') as MutableJson[];
  for (const track of tracks) {
    const { node, rest } = track;
    if (rest) nodes[node] = withTrs(nodes[node], rest);
    for (const path of ['translation', 'rotation', 'scale'] as const) {
      const values = track[path];
      if (values) add(node, path, TYPES[path], values, path === 'rotation' ? 4 : 3);
    }
  }
  document.json.nodes = nodes;
  for (const { node, values } of morphCurves(asset, clip)) add(node, 'weights', 'SCALAR', values, 1);
  if (channels.length === 0) {
    // An animation cannot be empty: a clip that never leaves the rest pose keeps its length by a curve that stands.
    const { node } = asset.scene.bones[0];
    const { translation } = asset.scene.nodes[node].trs;
    add(
      node,
      'translation',
      'VEC3',
      Float32Array.from({ length: 3 * times.length }, (_, k) => translation[k % 3]),
      3,
    );
  }
  return { animation: { ...(clip.name && { name: clip.name }), samplers, channels }, lost };
}

/** The weights of each node's morph targets over time, where they move. */
function morphCurves({ scene }: GltfAsset, { times, morphWeights }: CharacterClip) {
  if (!morphWeights) return [];
  const drivers = morphDrivers(scene);
  const R = drivers.length;
  const nodes = [...new Set(drivers.map(({ node }) => node))];
  return nodes.flatMap((node) => {
    const own = drivers.flatMap((driver, r) => (driver.node === node ? [{ ...driver, r }] : []));
    const values = new Float32Array(times.length * own.length);
    let moves = false;
    for (let t = 0; t < times.length; t++) {
      own.forEach(({ r, target, restWeight }) => {
        const weight = morphWeights[t * R + r];
        moves ||= weight !== 0;
        values[t * own.length + target] = restWeight + weight;
      });
    }
    return moves ? [{ node, values }] : [];
  });
}

/** A node with a matrix is not animated; the same place as translation, rotation and scale is. */
function withTrs({ matrix: _, ...node }: MutableJson, rest: NonNullable<NodeTrack['rest']>): MutableJson {
  const numbers = (values: Float64Array) => Array.from(values, (value) => Number(Math.fround(value).toPrecision(9)));
  return {
    ...node,
    translation: numbers(rest.translation),
    rotation: numbers(rest.rotation),
    scale: numbers(rest.scale),
  };
}

function addAccessor(
  { json, views }: RawDocument,
  values: Float32Array | Uint8Array | Uint16Array,
  type: string,
  size: number,
  bounds: JsonObject = {},
): number {
  const accessors = [...objectsOf(json, 'accessors')];
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  views.push({ json: { byteLength: bytes.length }, bytes });
  const componentType = values instanceof Float32Array ? FLOAT : values instanceof Uint16Array ? SHORT : BYTE;
  accessors.push({ bufferView: views.length - 1, componentType, count: values.length / size, type, ...bounds });
  json.accessors = accessors;
  return accessors.length - 1;
}

function dropExtensions(json: MutableJson, names: readonly string[]): void {
  const others = (list: unknown) => (Array.isArray(list) ? list.filter((name) => !names.includes(name)) : []);
  if (isObject(json.extensions)) {
    const kept = Object.entries(json.extensions).filter(([name]) => !names.includes(name));
    if (kept.length > 0) json.extensions = Object.fromEntries(kept);
    else delete json.extensions;
  }
  for (const key of ['extensionsUsed', 'extensionsRequired']) if (json[key]) json[key] = others(json[key]);
}

function addExtension({ json, views }: RawDocument, extension: GltfExtension): void {
  const used = new Set(Array.isArray(json.extensionsUsed) ? json.extensionsUsed : []);
  const entry = payloadEntry(extension, (array, key) => {
    if (array.length === 0) return undefined;
    const { numbers = array, meshopt } = extension.stored?.[key] ?? {};
    if (!meshopt) {
      const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      return views.push({ json: { byteLength: bytes.length }, bytes }) - 1;
    }
    const { bytes, stride, count } = meshopt;
    used.add(MESHOPT);
    json.extensionsRequired = [...new Set([...listOf(json.extensionsRequired), MESHOPT])];
    const packed = { byteStride: stride, count, mode: 'ATTRIBUTES' };
    return views.push({ json: { byteLength: count * stride, extensions: { [MESHOPT]: packed } }, bytes }) - 1;
  });
  json.extensions = { ...(isObject(json.extensions) ? json.extensions : {}), [extension.name]: entry };
  json.extensionsUsed = [...used, extension.name];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
