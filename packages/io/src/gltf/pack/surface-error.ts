/** The distance between what two assets show, over all of their animations, vertex by vertex. */
import { FrameBaker, STILL } from '../bake-sequence.ts';
import { sampleTimes } from '../sample-times.ts';
import type { GltfAsset } from '../scene.ts';
import { NO_VERTEX } from './vertex-maps.ts';

/** Moments at which two assets are compared, unless there are fewer. */
const MOST_FRAMES = 60;

/**
 * Root mean square distance of corresponding vertices, at keys of all clips and half-way between some of them.
 *
 * @param places  vertex of `after` for each vertex of `before`
 */
export function surfaceError(before: GltfAsset, after: GltfAsset, places: Uint32Array): number {
  const moments = before.animations.flatMap((animation, clip) =>
    [...sampleTimes(before.scene, animation, undefined)].map((time) => ({ clip, time })),
  );
  const count = Math.min(moments.length, MOST_FRAMES);
  const chosen = Array.from({ length: count }, (_, k) => moments[Math.floor(((k + 0.5) * moments.length) / count)]);
  const [a, b] = [new Float32Array(before.mesh.positions.length), new Float32Array(after.mesh.positions.length)];
  const [own, other] = [new FrameBaker(before), new FrameBaker(after)];
  let [sum, vertices] = [0, 0];
  const add = () => {
    for (let i = 0; i < places.length; i++) {
      if (places[i] === NO_VERTEX) continue;
      for (let c = 0; c < 3; c++) sum += (a[3 * i + c] - b[3 * places[i] + c]) ** 2;
      vertices++;
    }
  };
  if (chosen.length === 0) {
    own.bake(STILL, 0, a);
    other.bake(STILL, 0, b);
    add();
  }
  for (const { clip, time } of chosen) {
    own.bake(before.animations[clip], time, a);
    other.bake(after.animations[clip], time, b);
    add();
  }
  return vertices > 0 ? Math.sqrt(sum / vertices) : 0;
}
