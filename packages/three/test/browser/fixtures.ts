/**
 * Small files of every kind that pelt writes, and what the CPU makes of them: the transforms are read back from the
 * files, so that both sides start from the same numbers.
 */
import { type RigMorphs, readEnvelope, readGltf, readPoser, readRig, readTwoLayer } from '@pelt/io';
import { type Numerics, openNumerics } from '@pelt/math';
import { type Mesh, poseAt, type ReducedEnvelope, type Rig } from '@pelt/model';
import { createPoseSession, deformDualQuaternion, deformLinear, deformTwoLayer } from '@pelt/skin';
import { EnvelopePalette } from '@pelt/skin/envelope/runtime';
import { creatureScene, elbowScene } from '@pelt/testkit';
import {
  eigenSkinModel,
  eightModel,
  envelopeModel,
  learntSkin,
  plainModel,
  poserModel,
  twoLayerModel,
} from '../../examples/models.mjs';
import { inTwoObjects, separateParts, sharedParts } from '../part-files.ts';

export interface Fixture {
  readonly bytes: Uint8Array;
  readonly mesh: Mesh;
  readonly times: readonly number[];
  /** n × 3 at a time of the clip, as the CPU poses it */
  readonly positions: (t: number) => Float32Array;
  /** What players make of the file that know none of our extensions. */
  readonly skinned?: (t: number) => Float32Array;
  /** The same by dual quaternions, where the rig is one. */
  readonly screwed?: (t: number) => Float32Array;
}

export type FixtureName =
  | 'plain'
  | 'eight'
  | 'envelope'
  | 'envelope-plain'
  | 'displaced'
  | 'two-layer'
  | 'eigenskin'
  | 'poser'
  | 'shared-parts'
  | 'separate-parts'
  | 'envelope-parts'
  | 'two-layer-parts'
  | 'poser-parts';

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
  files.set('eight', await linearFile(await eightModel(creature)));
  files.set('plain', await linearFile(await plainModel(creatureScene({ frames: 6, detail: 0.12 }))));
  files.set('two-layer', await twoLayerFile(await twoLayerModel(creature, numerics, 40)));
  const parted = { ...creature, rig: { ...creature.rig, mesh: inTwoObjects(creature.rig.mesh) } };
  files.set('two-layer-parts', await twoLayerFile(await twoLayerModel(parted, numerics, 40)));
  const elbow = elbowScene({ frames: 9, rings: 17, sides: 10 });
  for (const [name, correction] of [
    ['envelope', true],
    ['envelope-plain', false],
  ] as const) {
    const options = { proxies: 8, keys: 12, samples: 10, correction };
    const reduced = learntSkin(elbow, numerics, [0, 4, 8], options);
    files.set(name, await envelopeFile(await envelopeModel(reduced, elbow)));
  }
  const psd = learntSkin(elbow, numerics, [0, 4, 8], {}, 'psd');
  files.set('displaced', await envelopeFile(await envelopeModel(psd, elbow)));
  files.set('envelope-parts', await envelopeFile(await envelopeModel(psd, elbow, inTwoObjects)));
  files.set('shared-parts', await linearFile(await sharedParts()));
  files.set('separate-parts', await linearFile(await separateParts()));
  files.set('eigenskin', await linearFile(await eigenSkinModel(elbow, numerics)));
  const { posed, fixture } = await poserFile(await poserModel(elbow, numerics), numerics);
  files.set('poser', fixture);
  const inParts = await poserModel(elbow, numerics, 4, 40, true, inTwoObjects);
  files.set('poser-parts', (await poserFile(inParts, numerics)).fixture);
  return { files, posed, close: () => numerics.close() };
}

async function linearFile(bytes: Uint8Array): Promise<Fixture> {
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

async function twoLayerFile(bytes: Uint8Array): Promise<Fixture> {
  const asset = await readGltf(bytes);
  const read = readRig(asset);
  const layers = readTwoLayer(asset);
  if (!layers) throw new Error('the file has no layers');
  const { positions } = read.rig.mesh;
  const virtual = new Float64Array((12 * layers.masters.bones.length) / layers.masters.slots);
  return {
    bytes,
    mesh: read.rig.mesh,
    times: [...read.clips[0].times],
    skinned: (await linearFile(bytes)).positions,
    positions: (t) => {
      const pose = poseAt(read.clips[0], t, read.rig.bones.length).transforms;
      return deformTwoLayer(positions, layers, pose, virtual, new Float32Array(positions.length));
    },
  };
}

async function envelopeFile(bytes: Uint8Array): Promise<Fixture> {
  const asset = await readGltf(bytes);
  const envelope = readEnvelope(asset);
  const { clips, rig } = readRig(asset);
  if (!envelope) throw new Error('the file has no envelope');
  return {
    bytes,
    mesh: rig.mesh,
    times: [...clips[0].times],
    skinned: (await linearFile(bytes)).positions,
    positions: (t) => playEnvelope(envelope, poseAt(clips[0], t, rig.bones.length).transforms),
  };
}

/** A learnt skin in double precision; the kernels that play it on the CPU round its palette to float32. */
function playEnvelope(envelope: ReducedEnvelope, transforms: Float64Array): Float32Array {
  const { rig, skin, displacements } = envelope;
  const palette = new EnvelopePalette(envelope, rig.bones);
  const out = new Float32Array(rig.mesh.positions.length);
  deformLinear(rig.mesh.positions, skin, palette.update(transforms), out);
  const coefficients = palette.cardinalWeights();
  if (!displacements || !coefficients) return out;
  const R = coefficients.length / rig.bones.length;
  const F = palette.keyRotations();
  const { slots, bones, weights } = rig.weights;
  for (let i = 0; i < out.length / 3; i++) {
    const moved = [0, 0, 0];
    for (let r = 0; r < R; r++) {
      let share = 0;
      for (let s = i * slots; s < (i + 1) * slots; s++) share += weights[s] * coefficients[bones[s] * R + r];
      for (let c = 0; c < 3; c++) moved[c] += share * displacements.displacements[r * out.length + 3 * i + c];
    }
    const f = 9 * displacements.axes[i];
    for (let c = 0; c < 3; c++) {
      out[3 * i + c] += F[f + 3 * c] * moved[0] + F[f + 3 * c + 1] * moved[1] + F[f + 3 * c + 2] * moved[2];
    }
  }
  return out;
}

async function poserFile(bytes: Uint8Array, numerics: Numerics) {
  const poser = readPoser(await readGltf(bytes));
  if (!poser) throw new Error('the file has no poser');
  const { mesh } = poser.rig;
  const session = createPoseSession(poser, {}, { numerics });
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
