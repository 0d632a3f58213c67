/**
 * The poses of a whole clip in textures, so that an instance needs no more than its moment. The clip repeats: a skin that
 * swings is run until it is periodic, so that it closes.
 */
import { UsageError } from '@pelt/model';
import { runUntilPeriodic } from '@pelt/skin/dynamics/runtime';
import { type AnimationClip, AnimationMixer, type DataTexture, type Object3D } from 'three';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import type { PoseTable } from './pose-table.ts';

/** Rows of a texture that every device has. */
export const MOST_ROWS = 8192;

export interface BakedClip {
  /** One for each table. */
  readonly textures: readonly DataTexture[];
  readonly frames: number;
  readonly duration: number;
}

/**
 * @param root    what the clip's tracks are found in; it is left in the clip's first pose
 * @param tables  what is kept of every pose
 */
export function bakeClip(
  mesh: PeltMesh,
  root: Object3D,
  clip: AnimationClip,
  tables: readonly PoseTable[],
  fps: number,
): BakedClip {
  if (!(fps > 0)) throw new UsageError(`bakeClip: ${fps} frames a second; it is above 0`);
  const height = Math.max(...tables.map((table) => table.height));
  const frames = Math.max(1, Math.round(clip.duration * fps));
  if (frames * height > MOST_ROWS) {
    const most = Math.floor(MOST_ROWS / height / clip.duration);
    throw new UsageError(`bakeClip: '${clip.name}' has ${frames} frames, too many; bake at most ${most} a second`);
  }
  const textures = tables.map((table) => table.texture(frames));
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  const { skeleton } = mesh;
  const { swing } = skeleton;
  const shown = swing?.state;
  const dt = clip.duration / frames;
  const pose = (frame: number) => {
    mixer.setTime(dt * frame);
    root.updateMatrixWorld(true);
  };
  if (swing) {
    swing.state = swing.player.createState();
    pose(0);
    skeleton.advance(0);
    runUntilPeriodic(swing.player, swing.state, () => {
      for (let t = 1; t <= frames; t++) {
        pose(t % frames);
        skeleton.advance(dt);
      }
    });
  }
  for (let t = 0; t <= frames; t++) {
    // The last turn puts the object back to the first pose.
    const frame = t % frames;
    pose(frame);
    skeleton.advance(t > 0 ? dt : 0);
    skeleton.update();
    tables.forEach((table, k) => {
      table.write(mesh, textures[k].image.data as Float32Array, table.size * frame);
    });
  }
  if (swing && shown) swing.state = shown;
  mixer.stopAllAction();
  mixer.uncacheRoot(root);
  return { textures, frames, duration: clip.duration };
}
