/** A skin as its file plays it: what encoding has rounded is part of every figure that is measured on it. */
import { readCharacter, readGltf } from '@pelt/io';
import type { Rig } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import { isSameMesh } from '../input/same-mesh.ts';
import type { LearntSkin } from './learn-skin.ts';

/**
 * @param rig  whose joints and vertices the poses and positions are of
 * @returns undefined where the file has others, as a baked one
 */
export async function playBack(bytes: Uint8Array, rig: Rig): Promise<LearntSkin['deform'] | undefined> {
  const character = readCharacter(await readGltf(bytes, { name: rig.name }));
  const { joints, mesh } = character;
  const sameJoints = joints.length === rig.bones.length && joints.every(({ name }, j) => name === rig.bones[j].name);
  if (!sameJoints || !isSameMesh(mesh.positions, rig.mesh.positions)) return undefined;
  const player = playerOf(character);
  return (pose, out) => {
    player.positions(pose, undefined, out);
  };
}
