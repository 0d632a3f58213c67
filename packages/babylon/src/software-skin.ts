/**
 * Skins that a palette of at most eight weights does not hold, above all displacements on top of a learnt skin: posed by
 * the evaluator on the CPU and written into the vertices before every frame.
 */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { Character } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import { type LoadedRig, trianglesOf } from './loaded-rig.ts';
import { beforeFrames, JointPose } from './pelt-skin.ts';

export function useSoftwareSkin(loaded: LoadedRig, skin: Character['skin']): void {
  const { parts, rig } = loaded;
  const mesh = { ...rig.mesh, triangles: trianglesOf(parts) };
  const player = playerOf({ name: rig.name, mesh, joints: rig.bones, skin, morphs: [], clips: [] });
  const pose = new JointPose(loaded);
  const [positions, normals] = [new Float32Array(mesh.positions.length), new Float32Array(mesh.positions.length)];
  for (const part of parts) {
    part.skeleton = null;
    part.setVerticesData(VertexBuffer.PositionKind, part.getVerticesData(VertexBuffer.PositionKind) ?? [], true);
    part.setVerticesData(VertexBuffer.NormalKind, new Float32Array(3 * part.getTotalVertices()), true);
  }
  const last = new Float64Array(pose.transforms.length).fill(Number.NaN);
  beforeFrames(parts, () => {
    const transforms = pose.read();
    if (transforms.every((value, k) => value === last[k])) return;
    last.set(transforms);
    player.normals(player.positions(transforms, undefined, positions), normals);
    let first = 0;
    for (const part of parts) {
      const end = first + 3 * part.getTotalVertices();
      part.updateVerticesData(VertexBuffer.PositionKind, positions.subarray(first, end), true);
      part.updateVerticesData(VertexBuffer.NormalKind, normals.subarray(first, end));
      first = end;
    }
  });
}
