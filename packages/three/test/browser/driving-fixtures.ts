/** A puppet and a solid body with what the CPU makes of them. */
import { poserExtension, puppetExtension, readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import {
  bindVolume,
  buildPoser,
  createPoseSpace,
  createPuppet,
  createVolumeDeformer,
  tetrahedralize,
} from '@pelt/skin';
import {
  barCharacter,
  creatureScene,
  elbowScene,
  PERFORMER_JOINTS,
  PERFORMER_POSES,
  performerPose,
} from '@pelt/testkit';
import type { BodyRequest } from './lab/driving.ts';

export interface PuppetFixture {
  readonly bytes: Uint8Array;
  readonly registration: {
    readonly name: string;
    readonly joints: readonly string[];
    readonly neutral: number;
    readonly pairs: readonly { name: string; performer: number[]; character: number[] }[];
  };
  /** A pose of the performer, J × 3, and what the character does then, m × 12. */
  readonly joints: readonly number[];
  readonly transforms: Float64Array;
}

export async function makePuppet(): Promise<PuppetFixture> {
  const { rig, registration } = barCharacter();
  const clip = { name: 'still', times: Float64Array.of(0), transforms: registration.pairs[0].character.transforms };
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
  const read = readRig(await readGltf(bytes)).rig;
  const puppet = createPuppet({ character: read, pairs: registration, performer: PERFORMER_JOINTS });
  const joints = performerPose(PERFORMER_POSES.armsFront);
  return {
    bytes,
    registration: {
      ...registration,
      pairs: registration.pairs.map(({ name, performer, character }) => ({
        name,
        performer: [...performer],
        character: [...character.transforms],
      })),
    },
    joints: [...joints],
    transforms: puppet.update(joints, 0).transforms.slice(),
  };
}

export interface ShapesFixture {
  /** A character without a skeleton that carries its pairs. */
  readonly bytes: Uint8Array;
  readonly joints: readonly number[];
  readonly transforms: Float64Array;
  /** Shares of the examples' details. */
  readonly blend: Float64Array;
}

export async function makeShapes(): Promise<ShapesFixture> {
  const numerics = await openNumerics({ threads: 1 });
  try {
    const { rig, clip, sequence } = creatureScene({ frames: 3, detail: 0.1 });
    const poser = buildPoser({ rig, clip, examples: sequence }, { proxies: 30 });
    const space = createPoseSpace(poser, { numerics });
    const poses = [PERFORMER_POSES.stand, PERFORMER_POSES.armsFront, PERFORMER_POSES.armsStraight];
    const pairs = poses.map((pose, e) => {
      const shape = space.ofExample(String(e + 1));
      const transforms = new Float64Array(12 * rig.bones.length);
      space.pose(shape, transforms);
      return { name: `pair ${e}`, performer: performerPose(pose), character: { transforms, shape } };
    });
    const registration = { name: 'shapes', joints: PERFORMER_JOINTS, neutral: 0, pairs };
    const puppet = createPuppet({ character: rig, pairs: registration, performer: PERFORMER_JOINTS, space });
    const joints = performerPose(PERFORMER_POSES.armsFront);
    const transforms = puppet.update(joints, 0).transforms.slice();
    const blend = space.blend.slice();
    const morphs = { deltas: poser.exampleDetails, weights: [] };
    const extensions = (vertexMap: Uint32Array) => [
      poserExtension(poser, vertexMap),
      puppetExtension({ pairs: registration, settings: {} }),
    ];
    const { bytes } = await writeSkinnedGlb({ rig, clips: [], morphs, extensions });
    space.dispose();
    return { bytes, joints: [...joints], transforms, blend };
  } finally {
    numerics.close();
  }
}

export interface BodyFixture {
  readonly bytes: Uint8Array;
  readonly body: BodyRequest;
  readonly time: number;
  readonly positions: Float32Array;
}

export async function makeBody(): Promise<BodyFixture> {
  const numerics = await openNumerics({ threads: 1 });
  try {
    const { rig, clip } = elbowScene({ frames: 5, rings: 13, sides: 8 });
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const read = readRig(await readGltf(bytes));
    const { mesh: body } = tetrahedralize(read.rig.mesh);
    const { skin, fixed, yielding } = bindVolume({ body, bones: read.rig.bones }, {}, { numerics });
    const binding = { body, skin, fixed, yielding };
    const deformer = createVolumeDeformer({ surface: read.rig.mesh, bones: read.rig.bones, binding }, {}, { numerics });
    const positions = new Float32Array(read.rig.mesh.positions.length);
    deformer.deform(poseAt(read.clips[0], 2, read.rig.bones.length).transforms, positions);
    deformer.dispose();
    return {
      bytes,
      time: read.clips[0].times[2],
      positions,
      body: {
        positions: [...body.positions],
        tetrahedra: [...body.tetrahedra],
        surface: [...body.surface],
        skin: { slots: skin.slots, bones: [...skin.bones], weights: [...skin.weights] },
        fixed: [...fixed],
        yielding,
      },
    };
  } finally {
    numerics.close();
  }
}
