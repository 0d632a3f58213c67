/**
 * Converts a document, which refers to moments of recordings and clips, to pairs of poses; and pairs to a self-contained
 * document.
 */
import {
  type Bone,
  type CharacterSource,
  type Clip,
  frameNearest,
  InputError,
  jointsAt,
  type Motion,
  type PairedPose,
  type PairsDocument,
  type PerformerSource,
  poseAt,
  poseFromJoints,
  type Registration,
  type Rig,
  resolveOptions,
  type ShapeSource,
  TRANSFORM_SIZE,
  UsageError,
} from '@pelt/model';
import { RESOLVE_PAIRS_DEFAULTS, type ResolvePairsOptions } from '../options.ts';
import { LOST_CONFIDENCE } from '../runtime/lost.ts';
import { removeTravel } from './remove-travel.ts';

/** What a document refers to. */
export interface PairSources {
  /** The character. */
  readonly rig: Rig;
  /** Clips of the character. */
  readonly clips: readonly Clip[];
  /** Recordings by the keys of the document's `motions`. */
  readonly motions: ReadonlyMap<string, Motion>;
  /** The motion that is being played, for pairs that do not name one. */
  readonly played?: Motion | undefined;
  /** Solves poses in the space of the character's examples; absent: it has none. */
  readonly shapes?: ((source: ShapeSource) => PairedPose) | undefined;
}

/**
 * Resolves the references of a document to the poses themselves.
 *
 * @example
 * {@includeCode ../../../examples/resolve-pairs.ts}
 */
export function resolvePairs(
  { document, sources }: { readonly document: PairsDocument; readonly sources: PairSources },
  options?: Partial<ResolvePairsOptions>,
): Registration {
  const { onWarning } = resolveOptions('resolvePairs', RESOLVE_PAIRS_DEFAULTS, options);
  const neutral = document.pairs.findIndex((pair) => pair.name === document.neutral);
  if (neutral < 0) {
    const names = document.pairs.map((pair) => `'${pair.name}'`).join(', ');
    throw new InputError(
      `pairs '${document.name}': there is no neutral pair '${document.neutral}'; name one of ${names || 'none'}`,
    );
  }
  const performers = document.pairs.map((pair) => performerJoints(pair.name, pair.performer, sources));
  const all = [...performers[neutral].keys()];
  const joints = all.filter((name) => performers.every((joint) => joint.has(name)));
  const missing = [...new Set(performers.flatMap((pose) => [...pose.keys()]))].filter((name) => !joints.includes(name));
  if (missing.length > 0) {
    onWarning?.(`pairs '${document.name}': not all pairs have ${missing.join(', ')}; these joints are ignored`);
  }
  return {
    name: document.name,
    joints,
    neutral,
    pairs: document.pairs.map((pair, i) => ({
      name: pair.name,
      performer: Float32Array.from(joints.flatMap((name) => [...(performers[i].get(name) as readonly number[])])),
      character: characterPose(pair.name, pair.character, sources),
    })),
  };
}

/** Positions of the joints that are not lost, by name. */
function performerJoints(
  pair: string,
  source: PerformerSource,
  { motions, played }: PairSources,
): Map<string, readonly number[]> {
  if ('joints' in source) return new Map(Object.entries(source.joints));
  const motion = source.motion === undefined ? played : motions.get(source.motion);
  if (!motion) {
    const known = [...motions.keys()].join(', ') || 'none';
    throw new InputError(`pair '${pair}': there is no motion '${source.motion ?? ''}'; there are ${known}`);
  }
  requireWithin(`pair '${pair}': motion '${motion.name}'`, motion.times, source.time);
  const t = frameNearest(motion.times, source.time);
  const positions = jointsAt(motion, t);
  const J = motion.joints.length;
  return new Map(
    motion.joints.flatMap((name, j): [string, readonly number[]][] =>
      motion.confidence[t * J + j] < LOST_CONFIDENCE ? [] : [[name, [...positions.subarray(3 * j, 3 * j + 3)]]],
    ),
  );
}

function characterPose(pair: string, source: CharacterSource, { rig, clips, shapes }: PairSources): PairedPose {
  if ('bones' in source) return poseFromJoints(rig.bones, source.bones);
  if ('transforms' in source) return { transforms: fullPose(pair, source.transforms, rig.bones) };
  if (!('clip' in source)) {
    if (!shapes) {
      throw new InputError(
        `pair '${pair}': '${rig.name}' has no examples to make a shape of; give one that pelt pose --save has written`,
      );
    }
    return inPair(pair, () => shapes(source));
  }
  const clip = clips.find((candidate) => candidate.name === source.clip);
  if (!clip) {
    const names = clips.map((candidate) => `'${candidate.name}'`).join(', ') || 'none';
    throw new InputError(`pair '${pair}': '${rig.name}' has no clip '${source.clip}'; it has ${names}`);
  }
  requireWithin(`pair '${pair}': clip '${clip.name}'`, clip.times, source.time);
  const { transforms } = poseAt(clip, frameNearest(clip.times, source.time), rig.bones.length);
  return { transforms: source.keepTravel ? Float64Array.from(transforms) : removeTravel(rig.bones, transforms) };
}

/** Names the pair in what goes wrong with it. */
function inPair<T>(pair: string, solve: () => T): T {
  try {
    return solve();
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) {
      throw new InputError(`pair '${pair}': ${error.message}`);
    }
    throw error;
  }
}

function fullPose(
  pair: string,
  transforms: Readonly<Record<string, readonly number[]>>,
  bones: readonly Bone[],
): Float64Array {
  const pose = new Float64Array(bones.length * TRANSFORM_SIZE);
  bones.forEach(({ name }, j) => {
    const transform = Object.hasOwn(transforms, name) ? transforms[name] : undefined;
    if (transform?.length !== TRANSFORM_SIZE) {
      throw new InputError(`pair '${pair}': bone '${name}' has ${transform?.length ?? 0} numbers; give 12`);
    }
    pose.set(transform, j * TRANSFORM_SIZE);
  });
  return pose;
}

/** A time may be beyond the first or last frame by one frame. */
function requireWithin(what: string, times: Float64Array, time: number): void {
  const last = times[times.length - 1];
  const slack = times.length > 1 ? last / (times.length - 1) : 0;
  if (time >= times[0] - slack && time <= last + slack) return;
  throw new InputError(`${what}: time ${time} s is outside of ${times[0]} to ${last} s; give a time within`);
}

/**
 * A document with the poses in full, which `resolvePairs` reads without any other file.
 *
 * @param data  the pairs, and the m bones of their character
 *
 * @example
 * {@includeCode ../../../examples/pairs-to-document.ts}
 */
export function pairsToDocument(data: {
  readonly pairs: Registration;
  readonly bones: readonly Bone[];
}): PairsDocument {
  const { pairs: registration, bones } = data;
  if (new Set(bones.map((bone) => bone.name)).size < bones.length) {
    throw new InputError(`pairs '${registration.name}': two bones have the same name; rename one of them`);
  }
  return {
    name: registration.name,
    neutral: registration.pairs[registration.neutral].name,
    motions: {},
    pairs: registration.pairs.map((pair) => ({
      name: pair.name,
      performer: {
        joints: Object.fromEntries(
          registration.joints.map((name, j) => {
            const [x, y, z] = pair.performer.subarray(3 * j, 3 * j + 3);
            return [name, [x, y, z] as const];
          }),
        ),
      },
      character: {
        transforms: Object.fromEntries(
          bones.map((bone, j) => [bone.name, [...pair.character.transforms.subarray(12 * j, 12 * j + 12)]]),
        ),
      },
    })),
  };
}
