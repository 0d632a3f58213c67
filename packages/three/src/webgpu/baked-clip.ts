/** The palettes of a whole clip in one texture, so that an instance needs no more than its moment. */
import { TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { type AnimationClip, AnimationMixer, type DataTexture, type Object3D } from 'three';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { floatTexture, paletteSize } from './texel-table.ts';

/** Rows of a texture that every device has. */
const MOST_ROWS = 8192;

export interface BakedClip {
  readonly texture: DataTexture;
  readonly frames: number;
  readonly duration: number;
}

/**
 * @param bones  how many transforms of the palette are kept, from the first on
 * @param root   what the clip's tracks are found in; it is left in the clip's first pose
 */
export function bakeClip(
  mesh: PeltMesh,
  root: Object3D,
  clip: AnimationClip,
  bones: number,
  framesPerSecond: number,
): BakedClip {
  if (!(framesPerSecond > 0)) throw new UsageError(`bakeClip: ${framesPerSecond} frames a second; it is above 0`);
  const { width, height } = paletteSize(bones, 3);
  const frames = Math.max(1, Math.round(clip.duration * framesPerSecond));
  if (frames * height > MOST_ROWS) {
    const most = Math.floor(MOST_ROWS / height / clip.duration);
    throw new UsageError(`bakeClip: '${clip.name}' has ${frames} frames, too many; bake at most ${most} a second`);
  }
  const data = new Float32Array(4 * width * height * frames);
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  for (let t = 0; t <= frames; t++) {
    // The last turn puts the object back to the first pose.
    const frame = t % frames;
    mixer.setTime((clip.duration * frame) / frames);
    root.updateMatrixWorld(true);
    mesh.skeleton.update();
    data.set(mesh.skeleton.palette.subarray(0, TRANSFORM_SIZE * bones), 4 * width * height * frame);
  }
  mixer.stopAllAction();
  mixer.uncacheRoot(root);
  return { texture: floatTexture(data, width, height * frames), frames, duration: clip.duration };
}
