/** Files that the project makes itself: a small chain that swings, in every form that a command reads. */
import {
  FrameMeshes,
  writeAlembic,
  writeBvh,
  writeMdd,
  writeMorphGlb,
  writeObj,
  writePc2,
  writePly,
  writeSkinnedGlb,
} from '@pelt/io';
import { frameCount, type MeshSequence, type SkeletonMotion, uniformTimes } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import type { TestFiles } from './workspace.ts';

/** 3 bones, 12 frames, some 150 vertices: fitted in a moment. */
export const scene = chainScene({ joints: ['hinge', 'ball'], frames: 12, ringsPerLink: 6, sides: 8 });

/**
 * rest.obj, clip.pc2, clip.mdd, clip.abc, walk.bvh, morph.glb, character.glb and fitted.glb (skinned), mask.json, frames/ and baked/
 * (OBJ), scans/ (PLY).
 */
export async function chainFiles(): Promise<TestFiles> {
  const { sequence, rig, clip } = scene;
  const skinned = (await writeSkinnedGlb({ rig, clips: [clip] })).bytes;
  const files: TestFiles = {
    'rest.obj': writeObj(sequence.rest)[0].bytes,
    'clip.pc2': writePc2(sequence, { fps: 30 }),
    'clip.mdd': writeMdd(sequence),
    'clip.abc': writeAlembic(sequence, { name: 'chain' }),
    'walk.bvh': writeBvh(swing()),
    'morph.glb': (await writeMorphGlb(sequence)).bytes,
    'character.glb': skinned,
    'fitted.glb': skinned,
    'mask.json': new TextEncoder().encode('{ "keep": { "*": ["0-19"] } }'),
  };
  const meshes = new FrameMeshes(sequence);
  for (let t = 0; t < frameCount(sequence); t++) {
    // Without leading zeros, so that the order of characters is not the order of frames.
    files[`frames/pose-${t + 1}.obj`] = writeObj(meshes.at(t))[0].bytes;
    files[`baked/pose-${t + 1}.obj`] = writeObj(meshes.at(t))[0].bytes;
    files[`scans/scan${t + 1}.ply`] = writePly(meshes.at(t));
  }
  return files;
}

/** Two joints for four frames; the upper one turns. */
function swing(): SkeletonMotion {
  const turn = (t: number) => [0, 0, 0, 1, Math.sin(0.1 * t), 0, 0, Math.cos(0.1 * t)];
  const frames = [0, 1, 2, 3];
  return {
    name: 'walk',
    joints: [
      { name: 'hips', parent: -1, offset: [0, 0, 0] },
      { name: 'chest', parent: 0, offset: [0, 2, 0], tip: [0, 1, 0] },
    ],
    times: uniformTimes(frames.length, 30),
    rotations: Float64Array.from(frames.flatMap(turn)),
    translations: Float64Array.from(frames.flatMap((t) => [0, 0, t, 0, 2, 0])),
  };
}

/** Largest difference of a coordinate, over all frames. */
export function largestDifference(a: MeshSequence, b: MeshSequence): number {
  if (a.frames.length !== b.frames.length) return Number.POSITIVE_INFINITY;
  return a.frames.reduce((most, value, k) => Math.max(most, Math.abs(value - b.frames[k])), 0);
}
