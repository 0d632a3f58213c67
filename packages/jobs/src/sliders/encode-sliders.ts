/** A slider fit as a GLB: joints and weights, `PELT_sliders`, corrections as morph targets of the first sliders. */
import { slidersExtension, writeSkinnedGlb } from '@pelt/io';
import { type Clip, type SliderClip, type Sliders, TRANSFORM_SIZE } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { SliderBones, type SliderFit, sliderTransforms } from '@pelt/skin/sliders';

export interface SliderFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The fit as the file has it: sliders with corrections come first. */
  readonly fit: SliderFit;
}

/** Share of the fit's own error that packing may add, squared with it. */
const FREE_SHARE = 0.2;
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
  const { rig, sliders, corrections } = fit;
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
    extensions: [slidersExtension(sliders, ordered)],
  };
  const { bytes } = await writeSkinnedGlb(model, { affine: 'pair', onWarning: warn });
  if (compress === 'none') return { bytes, fit: { ...fit, corrections } };
  const small = await compressGlb(bytes, { maxError: FREE_SHARE * share, poses: playedPoses(fit) });
  if (small.error > share) warn('packing costs more than the bones themselves; --compress none keeps every number');
  return { bytes: small.bytes, fit };
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
