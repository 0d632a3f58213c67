/** Cleans a take: jitter is smoothed without delay, feet that stand are planted, and the part that repeats is made a loop. */
import {
  type Clip,
  checkCancelled,
  type Rig,
  type RunContext,
  resolveOptions,
  UsageError,
  validateClip,
  validateRig,
} from '@pelt/model';
import { CLEAN_DEFAULTS, type CleanOptions, PUPPET_DEFAULTS } from '../options.ts';
import { CharacterShape } from '../runtime/character-shape.ts';
import { contactLimbs } from '../runtime/contact-limbs.ts';
import { Contacts } from '../runtime/contacts.ts';
import { type Humanoid, recogniseHumanoid } from '../runtime/humanoid/humanoid.ts';
import { closeLoop, findSeam, type Seam } from './close-loop.ts';
import { isInPlace } from './in-place.ts';
import { clipCurves, transformsOf } from './kinematic-clip.ts';
import { smoothCurves } from './smooth-curves.ts';

export interface CleanedClip {
  readonly clip: Clip;
  /** Names of the bones that were planted. */
  readonly feet: readonly string[];
  /** Seconds of the take that became the loop. */
  readonly loop?: { readonly from: number; readonly to: number };
}

/** A character and what it does. */
export interface CleanInput {
  readonly character: Rig;
  readonly humanBones?: Readonly<Record<string, number>> | undefined;
  readonly clip: Clip;
}

/**
 * Cleans a clip of a character.
 *
 * @example
 * {@includeCode ../../../examples/clean-clip.ts}
 */
export function cleanClip(
  { character, humanBones, clip }: CleanInput,
  options?: Partial<CleanOptions>,
  run?: RunContext,
): CleanedClip {
  const { jitter, feet, loop } = resolveOptions('cleanClip', CLEAN_DEFAULTS, options);
  validateRig(character);
  validateClip(clip, character.bones.length);
  if (!(jitter >= 0 && jitter <= 1)) {
    throw new UsageError(`cleanClip: jitter is ${jitter}; give seconds from 0 to 1`);
  }
  checkCancelled(run);
  const { bones } = character;
  const curves = clipCurves(bones, clip);
  let { times } = clip;
  let values = jitter > 0 ? smoothCurves(times, curves.values, jitter) : curves.values;
  checkCancelled(run);
  const seam = loop ? findSeam(times, values, bones) : undefined;
  if (seam) {
    values = closeLoop(times, values, bones, seam);
    times = times.slice(seam.from, seam.to + 1).map((time) => time - clip.times[seam.from]);
  }
  const isChanged = jitter > 0 || seam !== undefined;
  const transforms = isChanged ? transformsOf(bones, { ...curves, values }) : clip.transforms.slice();
  const cleaned = { ...clip, times, transforms };
  const planted = feet ? plantFeet(character, humanBones, cleaned, run) : [];
  return { clip: cleaned, feet: planted, ...(seam && { loop: secondsOf(clip, seam) }) };
}

function secondsOf({ times }: Clip, { from, to }: Seam): { from: number; to: number } {
  return { from: times[from], to: times[to] };
}

/** Changes the transforms in place. */
function plantFeet(
  rig: Rig,
  humanBones: CleanInput['humanBones'],
  { times, transforms }: Clip,
  run: RunContext | undefined,
): string[] {
  const { bones } = rig;
  const size = 12 * bones.length;
  const frames = Array.from(times, (_, t) => transforms.subarray(t * size, (t + 1) * size));
  // The ground is where the character stands in most of its poses, a few of which show it.
  const step = Math.max(1, Math.floor(frames.length / 16));
  const some = frames.filter((_, t) => t % step === 0);
  const shape = new CharacterShape(rig, some);
  const limbs = contactLimbs(bones, shape, humanoidOf(rig, humanBones), some, { ...PUPPET_DEFAULTS, contacts: 'auto' });
  if (limbs.length === 0) return [];
  if (
    isInPlace(
      limbs.flatMap(({ soles }) => soles),
      frames,
      times,
      shape,
    )
  )
    return [];
  const contacts = new Contacts(limbs, shape.floor, shape.height, false);
  frames.forEach((frame, t) => {
    if (t % 256 === 0) checkCancelled(run);
    contacts.apply(t === 0 ? 0 : times[t] - times[t - 1], frame);
  });
  return limbs.map(({ name }) => name);
}

export function humanoidOf(rig: Rig, humanBones: CleanInput['humanBones']): Humanoid | undefined {
  try {
    return recogniseHumanoid(rig.bones, rig.name, humanBones);
  } catch {
    return undefined;
  }
}
