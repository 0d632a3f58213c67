/** A slider fit as a GLB: joints and weights, `PELT_sliders`, corrections as morph targets of the first sliders. */
import { slidersExtension, writeSkinnedGlb } from '@pelt/io';
import { type Clip, type SliderClip, type Sliders, TRANSFORM_SIZE, vertexCount } from '@pelt/model';
import { compressGlb, NO_VERTEX, type RewrittenGltf, UNSEEN_ERROR } from '@pelt/pack';
import { SLIDER_DEFAULTS, SliderBones, type SliderFit, sliderTransforms } from '@pelt/skin/sliders';
import { writtenFit } from './written-fit.ts';

export interface SliderFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The fit as the file has it, read back, on the caller's vertices: sliders with corrections come first. */
  readonly fit: SliderFit;
}

/**
 * Shares of the fit's own error that packing may add, squared with it. Weights of eight bits may need the second; those of
 * sixteen take as many bytes again as all weights.
 */
const FREE_SHARES = [0.2, 0.4];
/** Bytes that a weight of a vertex takes, about: what the fit's price of a weight buys. */
const WEIGHT_BYTES = 1.1;
/** Poses by which weights are rounded; each costs as much as a pose of a clip. */
const JUDGED_POSES = 64;
/** Seconds between the neutral face and the slider fully on, in a clip of one pose. */
const POSE_SECONDS = 1;

/**
 * @param share  RMS error of the fit as a share of the model's diagonal
 */
export async function encodeSliders(
  found: SliderFit,
  clips: readonly SliderClip[],
  share: number,
  { compress, poses }: { readonly compress: 'none' | 'meshopt'; readonly poses: boolean },
  warn: (message: string) => void,
): Promise<SliderFile> {
  const { fit, order } = correctedFirst(found);
  const ordered = clips.map((clip) => reordered(clip, order));
  const { rig, sliders } = fit;
  const deltas = correctionTargets(fit);
  const baked = [...ordered, ...(poses ? poseClips(sliders) : [])];
  const S = sliders.names.length;
  const model = {
    rig,
    clips: baked.map((clip) => bakedClip(clip, fit)),
    ...(deltas.length > 0 && {
      morphs: {
        deltas,
        names: sliders.names.slice(0, deltas.length),
        weights: baked.map(({ times, values }) =>
          Float32Array.from({ length: times.length * deltas.length }, (_, k) => {
            const t = Math.floor(k / deltas.length);
            return values[t * S + (k % deltas.length)];
          }),
        ),
      },
    }),
    extensions: [slidersExtension(sliders, ordered, compress === 'none' ? undefined : fit.units)],
  };
  const plain = await writeSkinnedGlb(model, { affine: 'pair', onWarning: warn });
  const places = firstPlaces(plain.vertexMap, vertexCount(rig.mesh));
  if (compress === 'none') return { bytes: plain.bytes, fit: await writtenFit(plain.bytes, fit, places) };
  const small = await packed(plain.bytes, share, playedPoses(fit), vertexCount(rig.mesh));
  if (small.error > share) warn('packing costs more than the bones themselves; --compress none keeps every number');
  const moved = places.map((place) => (place === NO_VERTEX ? NO_VERTEX : small.places[place]));
  return { bytes: small.bytes, fit: await writtenFit(small.bytes, fit, moved) };
}

/**
 * Minimises bytes + λ error², λ such that an error costs what the fit pays for it in weights: a file is no better for
 * exact bones under coarse positions than for fine positions on coarse bones.
 *
 * @param share  RMS error of the fit as a share of the model's diagonal
 * @param n      vertices
 */
async function packed(bytes: Uint8Array, share: number, poses: Float64Array, n: number): Promise<RewrittenGltf> {
  const price = (WEIGHT_BYTES * n) / SLIDER_DEFAULTS.weightPrice;
  const costOf = ({ bytes: { length }, error }: RewrittenGltf) => length + price * (error / (share || 1)) ** 2;
  let best: RewrittenGltf | undefined;
  for (const free of FREE_SHARES) {
    const maxError = Math.max(free * share, LEAST_ERROR);
    // --budget counts the bytes of the file as it lies.
    const tried = await compressGlb(bytes, { maxError, poses, transport: 'none' });
    if (!best || costOf(tried) < costOf(best)) best = tried;
    // A fit without error leaves nothing to choose.
    if (maxError === LEAST_ERROR) break;
  }
  return best as RewrittenGltf;
}

/** A thousandth of what can be seen, as a share of the diagonal: exact fits are packed that finely. */
const LEAST_ERROR = 1e-3 * UNSEEN_ERROR;

/** The first vertex of a file for each of n vertices; `NO_VERTEX` where it has none. */
function firstPlaces(vertexMap: Uint32Array, n: number): Uint32Array {
  const places = new Uint32Array(n).fill(NO_VERTEX);
  vertexMap.forEach((i, v) => {
    if (places[i] === NO_VERTEX) places[i] = v;
  });
  return places;
}

/** Poses that packing is judged by: each slider is fully on in one of them, alone unless there are more sliders than poses. */
function playedPoses({ rig, sliders }: SliderFit): Float64Array {
  const S = sliders.names.length;
  const m = rig.bones.length;
  const count = Math.min(S, JUDGED_POSES);
  const bones = new SliderBones(sliders, m);
  const poses = new Float64Array(count * m * TRANSFORM_SIZE);
  const values = new Float32Array(S);
  for (let p = 0; p < count; p++) {
    for (let s = 0; s < S; s++) values[s] = s % count === p ? 1 : 0;
    const out = poses.subarray(p * m * TRANSFORM_SIZE, (p + 1) * m * TRANSFORM_SIZE);
    sliderTransforms(bones.update(values), rig.bones, out);
  }
  return poses;
}

/** Morph targets of a file belong to its first sliders. */
function correctedFirst(fit: SliderFit): { readonly fit: SliderFit; readonly order: readonly number[] } {
  const { sliders, corrections } = fit;
  const all = Array.from(sliders.names.keys());
  const isCorrected = (s: number) => corrections.starts[s + 1] > corrections.starts[s];
  const order = [...all.filter(isCorrected), ...all.filter((s) => !isCorrected(s))];
  const entries = rowsInOrder(sliders.starts, order);
  const vertices = rowsInOrder(corrections.starts, order);
  return {
    order,
    fit: {
      rig: fit.rig,
      units: fit.units,
      sliders: {
        names: order.map((s) => sliders.names[s]),
        starts: entries.starts,
        bones: Uint16Array.from(entries.from, (k) => sliders.bones[k]),
        elements: Uint8Array.from(entries.from, (k) => sliders.elements[k]),
        values: Float32Array.from(entries.from, (k) => sliders.values[k]),
      },
      corrections: {
        starts: vertices.starts,
        vertices: Uint32Array.from(vertices.from, (k) => corrections.vertices[k]),
        displacements: Float32Array.from(
          vertices.from.flatMap((k) => [...corrections.displacements.subarray(3 * k, 3 * k + 3)]),
        ),
      },
    },
  };
}

/** Rows of several entries in another order: where each begins, and the entries they had. */
function rowsInOrder(starts: Uint32Array, order: readonly number[]): { starts: Uint32Array; from: number[] } {
  const moved = new Uint32Array(starts.length);
  const from: number[] = [];
  order.forEach((s, k) => {
    for (let at = starts[s]; at < starts[s + 1]; at++) from.push(at);
    moved[k + 1] = from.length;
  });
  return { starts: moved, from };
}

function reordered({ name, times, values }: SliderClip, order: readonly number[]): SliderClip {
  const S = order.length;
  const moved = values.map((_, k) => values[k - (k % S) + order[k % S]]);
  return { name, times, values: moved };
}

/** One for each slider that has corrections; these come first. */
function correctionTargets({ rig, sliders, corrections }: SliderFit): Float32Array[] {
  const targets: Float32Array[] = [];
  for (let s = 0; s < sliders.names.length && corrections.starts[s + 1] > corrections.starts[s]; s++) {
    const delta = new Float32Array(rig.mesh.positions.length);
    for (let k = corrections.starts[s]; k < corrections.starts[s + 1]; k++) {
      delta.set(corrections.displacements.subarray(3 * k, 3 * k + 3), 3 * corrections.vertices[k]);
    }
    targets.push(delta);
  }
  return targets;
}

/** From the neutral face to one slider fully on, for additive layers. */
function poseClips({ names }: Sliders): SliderClip[] {
  const S = names.length;
  return names.map((name, s) => {
    const values = new Float32Array(2 * S);
    values[S + s] = 1;
    return { name, times: Float64Array.of(0, POSE_SECONDS), values };
  });
}

/** The joints' motion, for players without the extension. */
function bakedClip({ name, times, values }: SliderClip, { rig, sliders }: SliderFit): Clip {
  const [S, m] = [sliders.names.length, rig.bones.length];
  const bones = new SliderBones(sliders, m);
  const transforms = new Float64Array(times.length * m * TRANSFORM_SIZE);
  for (let t = 0; t < times.length; t++) {
    const out = transforms.subarray(t * m * TRANSFORM_SIZE, (t + 1) * m * TRANSFORM_SIZE);
    sliderTransforms(bones.update(values.subarray(t * S, (t + 1) * S)), rig.bones, out);
  }
  return { name, times, transforms };
}
