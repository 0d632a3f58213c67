/** What moves the mesh of `pelt volume`: the skeleton of a rigged glTF, or a capture file fitted into the mesh. */
import { readBvh } from '@pelt/io';
import { type Bone, type Clip, InputError, linearRigOf, type Rig, UsageError } from '@pelt/model';
import { placeSkeleton } from '@pelt/skin/volume';
import * as z from 'zod/mini';
import { clipIndex } from '../input/clip-index.ts';
import type { Reader } from '../input/load-sequence.ts';
import { type OpenedCharacter, openCharacter } from '../input/open-character.ts';
import { point, readJson } from '../input/read-json.ts';
import type { Values } from '../request/table.ts';
import { requireBothSides } from './require-both-sides.ts';
import type { VOLUME } from './table.ts';

export interface LoadedSkeleton {
  readonly bones: readonly Bone[];
  /** Where known, the far ends of bones without children. */
  readonly tips: ReadonlyMap<number, readonly [number, number, number]>;
  readonly clip: Clip;
  /** The rig whose weights are those of the mesh, if it is of the same mesh. */
  readonly rig?: Rig;
  /** The character that it is the skeleton of. */
  readonly opened?: OpenedCharacter;
  /** The file that it comes from. */
  readonly path: string;
}

/** How the places of a capture's joints in a mesh are written. */
const LANDMARKS = '{ "LeftArm": [0.2, 1.4, 0], … }';

type SkeletonOptions = Pick<Values<typeof VOLUME>, 'rig' | 'clip' | 'bvh' | 'landmarks'>;

export async function loadSkeleton(options: SkeletonOptions, reader: Reader): Promise<LoadedSkeleton> {
  const { rig, clip, bvh, landmarks } = options;
  if (rig !== undefined) {
    if (bvh !== undefined) throw new UsageError('--rig and --bvh both move the mesh; give one of them');
    if (landmarks !== undefined) throw new UsageError('--landmarks place the joints of a --bvh; a rig has its own');
    const opened = await openCharacter(rig, reader);
    const { character, asset } = opened;
    const { joints, clips } = character;
    if (clips.length === 0) throw new InputError(`'${rig}' has no animation; give a rig with a clip to move the mesh`);
    const chosen = clips[clip === undefined ? 0 : clipIndex(clips, clip)];
    const given = asset.skinned ? { rig: linearRigOf(character) } : {};
    return { bones: joints, tips: new Map(), clip: chosen, opened, path: rig, ...given };
  }
  if (bvh === undefined) throw new UsageError('what is to move the mesh? give --rig, or --bvh with --landmarks');
  if (clip !== undefined) throw new UsageError('--clip chooses an animation of a --rig; a BVH has one');
  if (landmarks === undefined) throw new UsageError('where are the joints of the BVH in the mesh? give --landmarks');
  const motion = readBvh(reader.files.read(bvh), { name: bvh, onWarning: reader.warn });
  const places = readJson(landmarks, reader, z.record(z.string(), point), LANDMARKS);
  const names = new Set(Object.keys(places));
  requireBothSides(
    motion.joints.map(({ name }) => name),
    names,
    landmarks,
  );
  return { ...placeSkeleton({ motion, landmarks: new Map(Object.entries(places)) }), path: bvh };
}
