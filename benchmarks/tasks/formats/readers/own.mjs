/** A GLB as pelt plays it: what other readers are compared with. */
import { FrameBaker, readGltf } from '@pelt/io';

/**
 * What every reader of this folder gives:
 *
 *   { materials: names, clips: [{ name, start, end }], parts: [{ name, corners }], play(clip, time) → Float32Array }
 *
 * `parts` are meshes with their number of triangle corners; `play` gives the positions of all corners of all parts, behind
 * each other, in metres. Clip −1 is the pose without an animation.
 */
export async function readOwn(bytes) {
  const asset = await readGltf(bytes);
  const { mesh, animations } = asset;
  const baker = new FrameBaker(asset);
  const out = new Float32Array(mesh.positions.length);
  const objects = mesh.objects ?? [{ name: mesh.name }];
  const runs = objects.map((object, k) => ({
    name: object.name,
    runs: (mesh.parts ?? [{ firstTriangle: 0, triangleCount: mesh.triangles.length / 3, object: 0 }]).filter(
      (part) => (part.object ?? 0) === k,
    ),
  }));
  const size = mesh.triangles.length * 3;
  const order = runs.flatMap((part) => part.runs);
  return {
    materials: (mesh.materials ?? []).map(({ name }) => name),
    clips: animations.map(({ name, start, end, channels }, k) => ({ name: name || `clip-${k}`, start, end, channels })),
    parts: runs
      .map(({ name, runs: own }) => ({ name, corners: own.reduce((sum, run) => sum + 3 * run.triangleCount, 0) }))
      .filter(({ corners }) => corners > 0),
    play(clip, time) {
      baker.bake(animations[clip] ?? { name: '', channels: [], start: 0, end: 0 }, time, out);
      const corners = new Float32Array(size);
      let at = 0;
      for (const { firstTriangle, triangleCount } of order) {
        for (let c = 3 * firstTriangle; c < 3 * (firstTriangle + triangleCount); c++, at += 3) {
          const i = 3 * mesh.triangles[c];
          corners[at] = out[i];
          corners[at + 1] = out[i + 1];
          corners[at + 2] = out[i + 2];
        }
      }
      return corners;
    },
  };
}
