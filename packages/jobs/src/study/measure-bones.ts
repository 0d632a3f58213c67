/** A row of the table of methods that find bones: what one of them makes of the animation, measured. */
import { writeSkinnedGlb } from '@pelt/io';
import { frameAt, frameCount, type MeshSequence, type Run, type SequenceErrors, UsageError } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { decompose } from '@pelt/skin/decompose';
import { timed } from '../job.ts';
import { blendFlops, meanWeights } from '../outputs/skin-flops.ts';
import { perturbed } from './perturbed.ts';
import { type BoneMethod, isAffine, runMethod, type StudiedFit } from './run-method.ts';
import { LOOSE_METHODS } from './table.ts';

export interface BonesRow {
  readonly method: BoneMethod;
  /** Asked for; a method may find fewer. */
  readonly wanted: number;
  readonly bones: number;
  readonly error: SequenceErrors;
  /** Range of E_RMS over the copies relative to their median; absent without copies. */
  readonly spread?: number;
  /** E_RMS on every other frame, of a fit to those between: bones solved for, weights and rest pose kept. */
  readonly heldOut?: number;
  readonly seconds: number;
  /** Of the GLB, as it is and packed. */
  readonly bytes: number;
  readonly packedBytes: number;
  /** Mean number of weights that are not 0. */
  readonly weightsPerVertex: number;
  /** Floating point operations of linear blend skinning per vertex: 24 for each weight, and 18. */
  readonly flopsPerVertex: number;
}

export interface BonesOptions {
  readonly bones: number;
  readonly weights: number;
  readonly copies: number;
}

/** Fewer frames leave nothing to hold out. */
const LEAST_FRAMES = 6;

export async function measureBones(
  method: BoneMethod,
  sequence: MeshSequence,
  options: BonesOptions,
  run: Run,
): Promise<{ readonly row: BonesRow; readonly fit: StudiedFit }> {
  const [fit, seconds] = await timed(() => runMethod(method, sequence, options, run));
  const errors = [fit.error.eRms];
  for (let k = 1; k <= options.copies; k++) {
    errors.push(runMethod(method, perturbed(sequence, k), options, run).error.eRms);
  }
  const { rig, clip, error } = fit;
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] }, { affine: isAffine(method) ? 'pair' : 'trs' });
  const packed = await compressGlb(bytes, {});
  const weightsPerVertex = meanWeights(rig.weights);
  const heldOut = errorHeldOut(method, sequence, options, run);
  return {
    fit,
    row: {
      method,
      wanted: options.bones,
      bones: rig.bones.length,
      error,
      ...(options.copies > 0 && { spread: spreadOf(errors) }),
      ...(heldOut !== undefined && { heldOut }),
      seconds,
      bytes: bytes.length,
      packedBytes: packed.bytes.length,
      weightsPerVertex,
      flopsPerVertex: blendFlops(weightsPerVertex),
    },
  };
}

/** Range relative to the median; 0 where all are 0. */
export function spreadOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return median > 0 ? (sorted[sorted.length - 1] - sorted[0]) / median : 0;
}

/** Of methods without a hierarchy; joints would have to be solved for under constraints. */
function errorHeldOut(method: BoneMethod, sequence: MeshSequence, options: BonesOptions, run: Run): number | undefined {
  const loose = LOOSE_METHODS.some((name) => name === method);
  if (!loose || frameCount(sequence) < LEAST_FRAMES) return undefined;
  const { rig } = runMethod(method, everyOther(sequence, 0), options, run);
  const locked = { part: 'weights', rig } as const;
  const bones = isAffine(method) ? ({ method: 'affine' } as const) : {};
  return decompose(everyOther(sequence, 1), { ...bones, locked, restPose: 'keep' }, run).error.eRms;
}

function everyOther(sequence: MeshSequence, from: 0 | 1): MeshSequence {
  const chosen = Array.from({ length: frameCount(sequence) }, (_, t) => t).filter((t) => t % 2 === from);
  if (chosen.length === 0) throw new UsageError('study: no frames to hold out');
  const size = sequence.rest.positions.length;
  const frames = new Float32Array(chosen.length * size);
  chosen.forEach((t, k) => {
    frames.set(frameAt(sequence, t), k * size);
  });
  return { ...sequence, frames, times: Float64Array.from(chosen, (t) => sequence.times[t]) };
}
