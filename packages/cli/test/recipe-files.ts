/** The files that each recipe of the guide starts from, made here. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FrameMeshes, skeletonFromClip, writeBvh, writeObj, writePc2, writePly, writeSkinnedGlb } from '@pelt/io';
import {
  type Clip,
  frameCount,
  type Mesh,
  type MeshSequence,
  poseFromJoints,
  type Rig,
  uniformTimes,
} from '@pelt/model';
import { creatureScene, GlbBuilder, PERFORMER_BONES, PERFORMER_POSES, stickRig } from '@pelt/testkit';

/** A flag that hangs from one side: a sheet of 19 × 13 vertices with UVs, 24 frames of waves that run along it. */
export function flag(): MeshSequence {
  const [columns, rows, S] = [19, 13, 24];
  const n = columns * rows;
  const at = (t: number) => {
    const positions = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      const [u, v] = [(i % columns) / (columns - 1), Math.floor(i / columns) / (rows - 1)];
      const turn = (2 * Math.PI * t) / 23;
      const phase = 7 * u - turn + 1.5 * v;
      const ripple =
        0.06 * Math.sin(13 * u + 5 * v - 1.7 * turn) + 0.08 * Math.tanh(3 * Math.sin(9 * u * v + 1.3 * turn));
      const z = 0.18 * u * Math.sin(phase) + u * ripple;
      positions.set([1.5 * u - 0.05 * u * Math.cos(phase), v - 0.1 * u * u, z], 3 * i);
    }
    return positions;
  };
  const frames = new Float32Array(S * 3 * n);
  for (let t = 0; t < S; t++) frames.set(at(t), 3 * n * t);
  const uvs = Float32Array.from({ length: 2 * n }, (_, k) => {
    const i = k >> 1;
    return k % 2 === 0 ? (i % columns) / (columns - 1) : Math.floor(i / columns) / (rows - 1);
  });
  const rest: Mesh = {
    name: 'flag',
    positions: at(0),
    triangles: gridTriangles(columns, rows),
    uvs: { size: 2, values: uvs },
  };
  return { name: 'flag', rest, frames, times: uniformTimes(S, 24) };
}

/** A face of four morph targets, each with a curve: an ellipsoid with a jaw, two eyes and a brow. */
export function face(): Uint8Array {
  const [columns, rows] = [25, 19];
  const n = columns * rows;
  const positions = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) {
    const [a, b] = [((i % columns) / (columns - 1) - 0.5) * 2.6, (Math.floor(i / columns) / (rows - 1) - 0.5) * 2.6];
    positions.set([0.8 * Math.sin(a) * Math.cos(b), 1.1 * Math.sin(b), 0.9 * Math.cos(a) * Math.cos(b)], 3 * i);
  }
  const bump = (x: number, y: number, width: number, [cx, cy]: readonly number[]) =>
    Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * width * width));
  /** Where each target is, how wide, and where to it moves. */
  const shapes = [
    { name: 'jaw open', center: [0, -0.75], width: 0.3, move: [0, -0.35, -0.1] },
    { name: 'smile left', center: [0.35, -0.45], width: 0.15, move: [0.12, 0.14, -0.03] },
    { name: 'smile right', center: [-0.35, -0.45], width: 0.15, move: [-0.12, 0.14, -0.03] },
    { name: 'brow up', center: [0, 0.55], width: 0.25, move: [0, 0.12, 0.03] },
  ] as const;
  const glb = new GlbBuilder();
  const targets = shapes.map(({ center, width, move }) => {
    const delta = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      const share = bump(positions[3 * i], positions[3 * i + 1], width, center);
      for (let k = 0; k < 3; k++) delta[3 * i + k] = share * move[k];
    }
    return { POSITION: glb.add(delta, 3, 'vertices', true) };
  });
  const S = 24;
  const weights = Float32Array.from({ length: S * shapes.length }, (_, k) => {
    const [t, shape] = [Math.floor(k / shapes.length), k % shapes.length];
    return 0.5 - 0.5 * Math.cos((2 * Math.PI * t * (1 + (shape % 3))) / S + shape * (t / S));
  });
  const primitive = {
    attributes: { POSITION: glb.add(positions, 3, 'vertices', true) },
    indices: glb.add(Uint16Array.from(gridTriangles(columns, rows)), 1, 'indices'),
    targets,
  };
  return glb.build({
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'face', mesh: 0 }],
    meshes: [
      {
        name: 'face',
        primitives: [primitive],
        weights: shapes.map(() => 0),
        extras: { targetNames: shapes.map(({ name }) => name) },
      },
    ],
    animations: [
      {
        name: 'talk',
        channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }],
        samplers: [
          {
            input: glb.add(
              Float32Array.from({ length: S }, (_, t) => t / 24),
              1,
              'data',
              true,
            ),
            output: glb.add(weights, 1, 'data'),
          },
        ],
      },
    ],
  });
}

function gridTriangles(columns: number, rows: number): Uint32Array {
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const i = r * columns + c;
      triangles.push(i, i + 1, i + columns + 1, i, i + columns + 1, i + columns);
    }
  }
  return Uint32Array.from(triangles);
}

/** `cloth.obj` and its cache. */
export function writeClothFiles(folder: string): void {
  const sequence = flag();
  writeFileSync(join(folder, 'cloth.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'cloth.pc2'), writePc2(sequence, { fps: 24 }));
}

export function writeFaceFiles(folder: string): void {
  writeFileSync(join(folder, 'face.glb'), face());
}

/** A 4D sequence: a folder with one PLY per frame. */
export function writeScanFiles(folder: string): void {
  const { sequence } = creatureScene({ frames: 16, detail: 0.11 });
  const meshes = new FrameMeshes(sequence);
  mkdirSync(join(folder, 'scans'));
  for (let t = 0; t < frameCount(sequence); t++) {
    writeFileSync(join(folder, 'scans', `scan-${t + 1}.ply`), writePly(meshes.at(t)));
  }
}

/** A few poses of one mesh, and the mesh at rest. */
export function writePoseFiles(folder: string): void {
  const { sequence } = creatureScene({ frames: 10, detail: 0.11 });
  const meshes = new FrameMeshes(sequence);
  mkdirSync(join(folder, 'poses'));
  writeFileSync(join(folder, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  for (let t = 0; t < frameCount(sequence); t++) {
    writeFileSync(join(folder, 'poses', `pose-${t + 1}.obj`), writeObj(meshes.at(t))[0].bytes);
  }
}

/** An asset in a repository, and the cache that it was made from. */
export function writeAssetFiles(folder: string): void {
  for (const name of ['source', 'assets']) mkdirSync(join(folder, name));
  const sequence = flag();
  writeFileSync(join(folder, 'source', 'flag.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'source', 'flag.pc2'), writePc2(sequence, { fps: 24 }));
}

/** Frames as a generator gives them: one PLY each, with vertices that tremble by themselves. */
export function writeGeneratedFiles(folder: string): void {
  const { sequence } = creatureScene({ frames: 16, detail: 0.11 });
  const meshes = new FrameMeshes(sequence);
  mkdirSync(join(folder, 'frames'));
  const tremble = (k: number) => 0.004 * Math.sin(12.9898 * k) * Math.cos(78.233 * k);
  for (let t = 0; t < frameCount(sequence); t++) {
    const mesh = meshes.at(t);
    const positions = mesh.positions.map((value, k) => value + tremble(k + 7919 * t));
    const name = `frame-${String(t + 1).padStart(3, '0')}.ply`;
    writeFileSync(join(folder, 'frames', name), writePly({ ...mesh, positions }));
  }
}

/** `body.glb`, a person of some thousand vertices, of whom `avatar.vrm` is made, and `dance.bvh`. */
export async function writeAvatarFiles(folder: string): Promise<void> {
  const rig = finer(finer(stickRig('person', PERFORMER_BONES)));
  const { stand, armsStraight, leftArmUp, leftStep, rightStep } = PERFORMER_POSES;
  const poses = [stand, armsStraight, stand, leftArmUp, leftStep, rightStep, stand];
  const transforms = poses.flatMap((pose) => [...poseFromJoints(PERFORMER_BONES, pose).transforms]);
  const dance: Clip = {
    name: 'dance',
    times: uniformTimes(poses.length, 4),
    transforms: Float64Array.from(transforms),
  };
  const { bytes } = await writeSkinnedGlb({ rig, clips: [] });
  writeFileSync(join(folder, 'body.glb'), bytes);
  writeFileSync(join(folder, 'dance.bvh'), writeBvh(skeletonFromClip(PERFORMER_BONES, dance)));
}

/** The rig with every triangle cut into four. */
function finer({ mesh, weights, ...rest }: Rig): Rig {
  const positions = [...mesh.positions];
  const owners = Array.from({ length: mesh.positions.length / 3 }, (_, i) => weights.bones[i * weights.slots]);
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    for (let d = 0; d < 3; d++) positions.push((positions[3 * a + d] + positions[3 * b + d]) / 2);
    middles.set(key, owners.length);
    owners.push(owners[a]);
    return owners.length - 1;
  };
  const triangles: number[] = [];
  for (let k = 0; k < mesh.triangles.length; k += 3) {
    const [a, b, c] = mesh.triangles.subarray(k, k + 3);
    const [x, y, z] = [middle(a, b), middle(b, c), middle(c, a)];
    triangles.push(a, x, z, x, b, y, z, y, c, x, y, z);
  }
  return {
    ...rest,
    mesh: { name: mesh.name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    weights: { slots: 1, bones: Uint16Array.from(owners), weights: new Float32Array(owners.length).fill(1) },
  };
}
