/** What moves the mesh of `pelt volume`: the skeleton of a rigged glTF, or a capture file fitted into the mesh. */
import { readBvh } from '@pelt/io';
import { type Bone, type Clip, UsageError } from '@pelt/model';
import { placeSkeleton } from '@pelt/skin/volume';
import * as z from 'zod/mini';
import type { Reader } from '../input/load-sequence.ts';
import { chooseClip, openRig } from '../input/open-rig.ts';
import { point, readJson } from '../input/read-json.ts';
import type { Values } from '../request/table.ts';
import { requireBothSides } from './require-both-sides.ts';
import type { VOLUME } from './table.ts';

export interface LoadedSkeleton {
  readonly bones: readonly Bone[];
  /** Where known, the far ends of bones without children. */
  readonly tips: ReadonlyMap<number, readonly [number, number, number]>;
  readonly clip: Clip;
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
    const opened = await openRig(rig, reader, { unskinned: true });
    return { bones: opened.rig.bones, tips: new Map(), clip: chooseClip(opened, clip), path: rig };
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
