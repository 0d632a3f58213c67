/**
 * A learnt skin in fewer bytes: its matrices in whole steps, each step as large as poses of its clips allow, and its weights
 * in steps of 1/255 that sum to 1.
 */
import { dynamicsExtension, envelopeExtension, type GltfExtension } from '@pelt/io';
import { boundsOf, type Clip, type Dynamics, diagonalOf, poseAt, type ReducedEnvelope } from '@pelt/model';
import {
  aboutMiddles,
  aboutOrigin,
  BONE_COLUMNS,
  KEY_COLUMNS,
  type PayloadArray,
  sparseMaps,
} from '@pelt/model/internal';
import { packArrays } from '@pelt/pack';
import { deformLinear } from '@pelt/skin/blending';
import { EnvelopePalette } from '@pelt/skin/envelope/runtime';

type StoredArray = NonNullable<GltfExtension['stored']>[string];

/** The parts of a skin that are rounded, and the steps of their rows in units of one step. */
type Matrices = Pick<ReducedEnvelope, 'keys' | 'fromKeys' | 'fromBones' | 'skin' | 'corrections'>;
type MatrixName = 'keyRotationMaps' | 'keyStretchMaps' | 'fromKeys' | 'fromBones' | 'correctionMaps';

/** Each part may cost this share of the error; errors of parts add up as squares do. */
const SHARE = 0.5;
const MOST_POSES = 10;
const MOST_VERTICES = 400;
/** Version of the extension that has matrices about the middles of proxies. */
const CENTRED_VERSION = 3;
/** A usual distance of a proxy's vertices from its middle, as a share of the model's size. */
const EXTENT = 0.05;
/** Steps of the first try, on either side of 0, and how often they may be halved. */
const COARSEST = 31;
const HALVINGS = 22;
/** Secondary motion is rounded to this many steps, on either side of 0. */
const MOST_STEPS = 32767;
/** What weights of a vertex sum to, where the smaller ones are tried first. */
const WHOLES = [255, 1023, 4095, 16383];
/**
 * A model as high as a screen of 2160 pixels is off by a quarter of a pixel. A skin that was learnt misses its examples by
 * many times as much.
 */
const LEARNT_ERROR = 0.25 / 2160;

export interface PackedEnvelope {
  readonly extension: GltfExtension;
  /** Root mean square distance to the skin as it was, at poses of the clips, as a share of the diagonal. */
  readonly error: number;
}

/**
 * @param order  the skin's vertex of each vertex of the file
 * @param clips  whose poses the error is measured at
 */
export async function packEnvelope(
  envelope: ReducedEnvelope,
  order: Uint32Array,
  clips: readonly Clip[],
): Promise<PackedEnvelope> {
  const meter = new RoundingMeter(envelope, clips);
  const { proxies, keys, rig } = envelope;
  const middles = middlesOf(envelope);
  const { fromKeys, fromBones } = aboutMiddles(envelope, middles, rig.bones);
  const size = diagonalOf(boundsOf(rig.mesh.positions)) || 1;
  const width = (values: Float64Array) => (proxies > 0 ? values.length / (4 * proxies) : 1);
  // Rows of a transform: three that are multiplied by the extent of a proxy, and the place of its middle.
  const rows = [1, 1, 1, EXTENT * size];
  const parts: { name: MatrixName; values: Float64Array; units: readonly number[]; columns: number }[] = [
    { name: 'keyRotationMaps', values: keys.rotationMaps, units: [1], columns: 1 },
    { name: 'keyStretchMaps', values: keys.stretchMaps, units: [1], columns: 1 },
    { name: 'fromKeys', values: fromKeys, units: rows, columns: width(fromKeys) },
    { name: 'fromBones', values: fromBones, units: rows, columns: width(fromBones) },
    { name: 'correctionMaps', values: Float64Array.from(envelope.corrections?.maps ?? []), units: rows, columns: 1 },
  ];
  const tolerance = SHARE * LEARNT_ERROR;
  const stored: Record<string, StoredArray> = {};
  const [whole, skin] = roundedWeights(envelope, meter);
  let rounded: Matrices = { ...envelope, fromKeys, fromBones, skin };
  const errorOf = (skin: Matrices) => meter.error({ ...skin, ...aboutOrigin(skin, middles, rig.bones) });
  const exact = { ...envelope, fromKeys, fromBones };
  for (const { name, values, units, columns } of parts) {
    if (values.length === 0) continue;
    const unitOf = (k: number) => units[Math.floor(k / columns) % units.length];
    const greatest = values.reduce((most, value, k) => Math.max(most, Math.abs(value) / unitOf(k)), 0);
    const roundedBy = (step: number) => {
      const counts = values.map((value, k) => Math.round(value / (step * unitOf(k))));
      return { counts, values: counts.map((value, k) => value * step * unitOf(k)) };
    };
    let step = (greatest || 1) / COARSEST;
    for (let k = 0; k < HALVINGS && errorOf(within(exact, name, roundedBy(step).values)) > tolerance; k++) step /= 2;
    const { counts, values: near } = roundedBy(step);
    stored[name] = { numbers: inFewBits(counts), steps: units.map((unit) => step * unit), columns };
    rounded = within(rounded, name, near);
  }
  const plain = envelopeExtension({ ...envelope, skin: rounded.skin }, order);
  const weights = plain.buffers.skinWeights.map((weight) => Math.round(weight * whole));
  const numbers = whole <= 255 ? Uint8Array.from(weights) : Uint16Array.from(weights);
  stored.skinWeights = { numbers, steps: [1 / whole], columns: 1 };
  const { buffers, drives } = centredDrives(plain.buffers, rounded, stored, proxies);
  // Readers before version 3 refuse the file, and do not show another shape.
  const version = Math.max(CENTRED_VERSION, Number(plain.json.version));
  const centred = {
    ...plain,
    json: { ...plain.json, version },
    buffers: { ...buffers, proxyMiddles: Float32Array.from(middles) },
  };
  return { extension: await packArrays({ ...centred, stored: { ...stored, ...drives } }), error: errorOf(rounded) };
}

/** The matrices that drive proxies as they are written, in full or without their zeros. */
function centredDrives(
  plain: GltfExtension['buffers'],
  { fromKeys, fromBones }: Matrices,
  stored: Record<string, StoredArray>,
  proxies: number,
): { buffers: GltfExtension['buffers']; drives: Record<string, StoredArray> } {
  if (!plain.keyPlaces) {
    const full = { fromKeys: Float64Array.from(fromKeys), fromBones: Float64Array.from(fromBones) };
    return { buffers: { ...plain, ...full }, drives: {} };
  }
  const buffers = { ...plain };
  const drives: Record<string, StoredArray> = {};
  for (const [name, of, values, size] of [
    ['fromKeys', 'key', fromKeys, KEY_COLUMNS],
    ['fromBones', 'bone', fromBones, BONE_COLUMNS],
  ] as const) {
    const sparse = sparseMaps(values, proxies, size);
    buffers[`${of}Places`] = sparse.places as PayloadArray;
    buffers[`${of}Maps`] = sparse.values as PayloadArray;
    const given = stored[name];
    delete stored[name];
    if (!given) continue;
    // What is zero after rounding is zero in the counts, so that both have the same places.
    const counts = sparseMaps(Float64Array.from(given.numbers), proxies, size).values;
    drives[`${of}Maps`] = { ...given, numbers: inFewBits(counts), columns: counts.length / (4 * proxies) };
  }
  return { buffers, drives };
}

/** P × 3, the weighted centres of the proxies' vertices. */
function middlesOf({ rig, skin, proxies }: ReducedEnvelope): Float32Array {
  const [sums, total] = [new Float64Array(3 * proxies), new Float64Array(proxies)];
  skin.weights.forEach((weight, s) => {
    const [d, i] = [skin.bones[s], Math.floor(s / skin.slots)];
    if (weight === 0 || d >= proxies) return;
    total[d] += weight;
    for (let c = 0; c < 3; c++) sums[3 * d + c] += weight * rig.mesh.positions[3 * i + c];
  });
  return Float32Array.from(sums, (sum, k) => sum / (total[Math.floor(k / 3)] || 1));
}

function inFewBits(counts: Float64Array): PayloadArray {
  const most = counts.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  if (most <= 127) return Int8Array.from(counts);
  return most <= 32767 ? Int16Array.from(counts) : Int32Array.from(counts);
}

/** Secondary motion: its large matrices in 16 bits a number, each row in steps of its own. */
export function packDynamics(dynamics: Dynamics): Promise<GltfExtension> {
  const plain = dynamicsExtension(dynamics);
  const R = dynamics.limits.length;
  const rows = { modes: R, poseMap: R, motionMap: R, readOut: R, rest: 1 };
  const stored = Object.entries(rows).flatMap(([key, count]) => {
    const values = plain.buffers[key];
    if (values.length === 0) return [];
    const columns = values.length / count;
    const steps = Array.from({ length: count }, (_, r) => {
      const row = values.subarray(r * columns, (r + 1) * columns) as Float32Array;
      return Math.fround((row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1) / MOST_STEPS);
    });
    const numbers = Int16Array.from(values, (value, k) => Math.round(value / steps[Math.floor(k / columns)]));
    return [[key, { numbers, steps, columns }]];
  });
  return packArrays({ ...plain, stored: Object.fromEntries(stored) });
}

function within<T extends Matrices>(skin: T, name: MatrixName, values: Float64Array): T {
  if (name === 'keyRotationMaps') return { ...skin, keys: { ...skin.keys, rotationMaps: values } };
  if (name === 'keyStretchMaps') return { ...skin, keys: { ...skin.keys, stretchMaps: values } };
  if (name === 'correctionMaps') {
    return { ...skin, corrections: skin.corrections && { ...skin.corrections, maps: Float32Array.from(values) } };
  }
  return { ...skin, [name]: values };
}

/** The coarsest weights that are near enough, and what they sum to. */
function roundedWeights({ skin, ...rest }: ReducedEnvelope, meter: RoundingMeter): [number, ReducedEnvelope['skin']] {
  const tried = WHOLES.map((whole) => [whole, roundedSkin(skin, whole)] as [number, ReducedEnvelope['skin']]);
  return (
    tried.find(([, rounded]) => meter.error({ ...rest, skin: rounded }) < SHARE * LEARNT_ERROR) ??
    tried[tried.length - 1]
  );
}

/** Weights in whole steps: what is missing to a sum of 1 goes to those that rounding down took most from. */
function roundedSkin({ slots, bones, weights }: ReducedEnvelope['skin'], whole: number): ReducedEnvelope['skin'] {
  const out = new Float32Array(weights.length);
  const lost = new Float64Array(slots);
  for (let row = 0; row < weights.length; row += slots) {
    let left = whole;
    for (let s = 0; s < slots; s++) {
      const exact = whole * weights[row + s];
      out[row + s] = Math.floor(exact);
      lost[s] = exact - out[row + s];
      left -= out[row + s];
    }
    for (; left > 0; left--) {
      let most = 0;
      for (let s = 1; s < slots; s++) if (lost[s] > lost[most]) most = s;
      out[row + most]++;
      lost[most] = -1;
    }
    for (let s = 0; s < slots; s++) out[row + s] /= whole;
  }
  return { slots, bones, weights: out };
}

/** How far a rounded skin is from the skin itself, without displacements, at poses of clips. */
class RoundingMeter {
  readonly #envelope: ReducedEnvelope;
  readonly #poses: readonly Float64Array[];
  readonly #vertices: readonly number[];
  readonly #exact: readonly Float32Array[];
  readonly #size: number;

  constructor(envelope: ReducedEnvelope, clips: readonly Clip[]) {
    const { positions } = envelope.rig.mesh;
    const n = positions.length / 3;
    this.#envelope = envelope;
    this.#size = diagonalOf(boundsOf(positions)) || 1;
    const m = envelope.rig.bones.length;
    const all = clips.flatMap((clip) => Array.from(clip.times, (_, t) => ({ clip, t })));
    const stride = Math.max(1, Math.ceil(all.length / MOST_POSES));
    this.#poses = all.filter((_, k) => k % stride === 0).map(({ clip, t }) => poseAt(clip, t, m).transforms);
    const apart = Math.max(1, Math.ceil(n / MOST_VERTICES));
    this.#vertices = Array.from({ length: Math.ceil(n / apart) }, (_, k) => k * apart);
    this.#exact = this.#played(envelope);
  }

  /** Root mean square distance as a share of the size; of a skin without clips 0. */
  error(rounded: Matrices): number {
    let [sum, count] = [0, 0];
    this.#played({ ...this.#envelope, ...rounded }).forEach((frame, k) => {
      for (let c = 0; c < frame.length; c++) sum += (frame[c] - this.#exact[k][c]) ** 2;
      count += frame.length / 3;
    });
    return count > 0 ? Math.sqrt(sum / count) / this.#size : 0;
  }

  #played(envelope: ReducedEnvelope): Float32Array[] {
    const { rig, skin } = envelope;
    const { slots } = skin;
    const palette = new EnvelopePalette({ ...envelope, displacements: undefined }, rig.bones);
    const part = {
      slots,
      bones: Uint16Array.from(this.#vertices.flatMap((i) => [...skin.bones.subarray(i * slots, (i + 1) * slots)])),
      weights: Float32Array.from(this.#vertices.flatMap((i) => [...skin.weights.subarray(i * slots, (i + 1) * slots)])),
    };
    const rest = Float32Array.from(this.#vertices.flatMap((i) => [...rig.mesh.positions.subarray(3 * i, 3 * i + 3)]));
    return this.#poses.map((pose) => deformLinear(rest, part, palette.update(pose), new Float32Array(rest.length)));
  }
}
