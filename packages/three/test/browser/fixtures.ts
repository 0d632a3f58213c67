/**
 * Small files of every kind that pelt writes, and what the CPU makes of them: the transforms are read back from the
 * files, so that both sides start from the same numbers.
 */
import {
  envelopeExtension,
  poserExtension,
  type RigMorphs,
  readEnvelope,
  readGltf,
  readPoser,
  readRig,
  type SkinnedModel,
  writeSkinnedGlb,
} from '@pelt/io';
import { type Numerics, openNumerics } from '@pelt/math';
import { type Clip, type Mesh, poseAt, type Rig, type SkinWeights } from '@pelt/model';
import {
  bakeVirtualBones,
  begin,
  buildPoser,
  decompose,
  deformDualQuaternion,
  deformLinear,
  deformTwoLayer,
  eigenSkin,
  layerExtras,
  layersFromExtras,
  ReducedDeformer,
  reduceEnvelope,
  reduceTwoLayer,
  trainEnvelope,
} from '@pelt/skin';
import { creatureScene, elbowScene } from '@pelt/testkit';

export interface Fixture {
  readonly bytes: Uint8Array;
  readonly mesh: Mesh;
  readonly times: readonly number[];
  /** n × 3 at a time of the clip, as the CPU poses it */
  readonly positions: (t: number) => Float32Array;
  /** The same by dual quaternions, where the rig is one. */
  readonly screwed?: (t: number) => Float32Array;
}

export type FixtureName = 'plain' | 'eight' | 'envelope' | 'envelope-plain' | 'two-layer' | 'eigenskin' | 'poser';

export interface Fixtures {
  readonly files: ReadonlyMap<FixtureName, Fixture>;
  /** A pose that a session found for the poser, m × 12, with its blend and its shape. */
  readonly posed: {
    readonly handles: { readonly vertex: number; readonly target: number[] }[];
    readonly transforms: number[];
    readonly blend: number[];
    readonly positions: Float32Array;
  };
  close(): void;
}

export async function makeFixtures(): Promise<Fixtures> {
  const numerics = await openNumerics({ threads: 1 });
  const files = new Map<FixtureName, Fixture>();
  const creature = creatureScene({ frames: 6, detail: 0.09 });
  const soft = { ...creature.rig, weights: softWeights(creature.rig, 8) };
  files.set('eight', await linearFile({ rig: withSeam(soft), clips: [creature.clip] }));
  const four = creatureScene({ frames: 6, detail: 0.12 });
  files.set('plain', await linearFile({ rig: four.rig, clips: [four.clip] }));
  files.set('two-layer', await twoLayerFile(soft, creature.clip, numerics));
  const elbow = elbowScene({ frames: 9, rings: 17, sides: 10 });
  const frames = [0, 4, 8];
  const choice = { pull: 0, tolerance: 1e-3, heldShare: 0.1, fallback: false };
  const { envelope } = trainEnvelope(elbow.rig, elbow.clip, elbow.sequence, numerics, frames, choice);
  const poses = frames.map((t) => poseAt(elbow.clip, t, elbow.rig.bones.length).transforms);
  for (const [name, correction] of [
    ['envelope', true],
    ['envelope-plain', false],
  ] as const) {
    const reduced = reduceEnvelope(envelope, poses, numerics, { proxies: 8, keys: 12, samples: 10, correction });
    files.set(name, await envelopeFile(reduced, elbow.clip, numerics));
  }
  const options = { bones: 3, restStiffness: Number.POSITIVE_INFINITY } as const;
  const fit = decompose(elbow.sequence, { ...options, method: 'ssdr' }, numerics);
  const { deltas, amounts } = eigenSkin(elbow.sequence, fit.rig, fit.clip, 3, numerics);
  files.set('eigenskin', await linearFile({ rig: fit.rig, clips: [fit.clip], morphs: { deltas, weights: [amounts] } }));
  const loose = decompose(elbow.sequence, { ...options, method: 'affine', weights: 4 }, numerics);
  const poser = buildPoser(loose.rig, loose.clip, { proxies: 40, consecutive: true }, elbow.sequence);
  const morphs = { deltas: poser.exampleDetails, weights: [] };
  const glb = await writeSkinnedGlb(
    { rig: { ...poser.rig, name: 'character' }, clips: [], morphs, extensions: [poserExtension(poser)] },
    { affine: 'pair' },
  );
  const { posed, fixture } = await poserFile(glb.bytes, numerics);
  files.set('poser', fixture);
  return { files, posed, close: () => numerics.close() };
}

/** Every vertex with the K nearest bones, nearer ones more: all weights count. */
function softWeights({ mesh, bones }: Rig, K: number): SkinWeights {
  const n = mesh.positions.length / 3;
  const found = { slots: K, bones: new Uint16Array(n * K), weights: new Float32Array(n * K) };
  for (let i = 0; i < n; i++) {
    const near = bones
      .map(({ rest }, bone) => {
        const apart = Math.hypot(...[0, 1, 2].map((c) => rest[4 * c + 3] - mesh.positions[3 * i + c]));
        return { bone, weight: 1 / (apart + 0.02) ** 2 };
      })
      .sort((a, b) => b.weight - a.weight || a.bone - b.bone)
      .slice(0, K);
    const sum = near.reduce((total, { weight }) => total + weight, 0);
    near.forEach(({ bone, weight }, s) => {
      found.bones[i * K + s] = bone;
      found.weights[i * K + s] = weight / sum;
    });
  }
  return found;
}

/** UVs with a seam: vertices along it are split in the file. */
function withSeam(rig: Rig): Rig {
  const { triangles, positions } = rig.mesh;
  const values = new Float32Array(2 * triangles.length);
  triangles.forEach((i, corner) => {
    const first = triangles[3 * Math.floor(corner / 3)];
    const left = positions[3 * first] < 0 ? 0.5 : 0;
    values.set([left + 0.5 * Math.abs(positions[3 * i]), positions[3 * i + 1] / 2], 2 * corner);
  });
  const uvs = { size: 2 as const, values, indices: Uint32Array.from(triangles, (_, corner) => corner) };
  return { ...rig, mesh: { ...rig.mesh, uvs } };
}

async function linearFile(model: SkinnedModel): Promise<Fixture> {
  const { bytes } = await writeSkinnedGlb(model);
  const { rig, clips, morphs } = readRig(await readGltf(bytes));
  const m = rig.bones.length;
  const rest = (t: number) => moved(rig, morphs, t);
  const transforms = (t: number) => poseAt(clips[0], t, m).transforms;
  return {
    bytes,
    mesh: rig.mesh,
    times: [...clips[0].times],
    positions: (t) => deformLinear(rest(t), rig.weights, transforms(t), new Float32Array(rig.mesh.positions.length)),
    screwed: (t) =>
      deformDualQuaternion(rest(t), rig.weights, transforms(t), new Float32Array(rig.mesh.positions.length)),
  };
}

function moved({ mesh }: Rig, morphs: RigMorphs | undefined, t: number): Float32Array {
  const out = mesh.positions.slice();
  morphs?.deltas.forEach((delta, r) => {
    const amount = morphs.weights[0][t * morphs.deltas.length + r];
    for (let k = 0; k < out.length; k++) out[k] += amount * delta[k];
  });
  return out;
}

async function twoLayerFile(rig: Rig, clip: Clip, numerics: Numerics): Promise<Fixture> {
  const { skin } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 40, judge: 'weights' }, numerics);
  const baked = bakeVirtualBones(rig, [clip], skin, 'keep');
  const { bytes } = await writeSkinnedGlb({ rig: baked.rig, clips: baked.clips, extras: layerExtras(skin) });
  const read = readRig(await readGltf(bytes));
  const layers = layersFromExtras(read.rig, read.extras);
  if (!layers) throw new Error('the file has no layers');
  const { positions } = read.rig.mesh;
  const virtual = new Float64Array((12 * layers.masters.bones.length) / layers.masters.slots);
  return {
    bytes,
    mesh: read.rig.mesh,
    times: [...read.clips[0].times],
    positions: (t) => {
      const pose = poseAt(read.clips[0], t, read.rig.bones.length).transforms;
      return deformTwoLayer(positions, layers, pose, virtual, new Float32Array(positions.length));
    },
  };
}

async function envelopeFile(
  reduced: Parameters<typeof envelopeExtension>[0],
  clip: Clip,
  numerics: Numerics,
): Promise<Fixture> {
  const { bytes } = await writeSkinnedGlb({
    rig: reduced.rig,
    clips: [clip],
    extensions: [envelopeExtension(reduced)],
  });
  const asset = await readGltf(bytes);
  const envelope = readEnvelope(asset);
  const { clips, rig } = readRig(asset);
  if (!envelope) throw new Error('the file has no envelope');
  const deformer = new ReducedDeformer(numerics, envelope);
  return {
    bytes,
    mesh: rig.mesh,
    times: [...clips[0].times],
    positions: (t) =>
      deformer.deform(poseAt(clips[0], t, rig.bones.length).transforms, new Float32Array(rig.mesh.positions.length)),
  };
}

async function poserFile(bytes: Uint8Array, numerics: Numerics) {
  const poser = readPoser(await readGltf(bytes));
  if (!poser) throw new Error('the file has no poser');
  const { mesh } = poser.rig;
  const session = begin(poser, numerics);
  const tip = mesh.positions.length / 3 - 1;
  const target = [0, 1, 2].map((c) => mesh.positions[3 * tip + c] + [-0.2, 0.35, 0][c]);
  const root = { vertex: 0, target: [...mesh.positions.subarray(0, 3)] };
  const handles = [root, { vertex: tip, target }];
  session.setHandles(handles);
  session.step();
  const positions = session.positions(new Float32Array(mesh.positions.length));
  const posed = { handles, transforms: [...session.pose().transforms], blend: [...session.blend], positions };
  session.dispose();
  return { posed, fixture: { bytes, mesh, times: [0], positions: () => positions } satisfies Fixture };
}
