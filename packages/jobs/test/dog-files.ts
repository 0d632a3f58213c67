/** A dog, its pairs and a performance for it, as files. */
import { skeletonFromClip, writeBvh, writeObj, writePairs, writeSkinnedGlb } from '@pelt/io';
import { type Clip, frameAt, type JointPose, poseFromJoints } from '@pelt/model';
import { pairsToDocument } from '@pelt/skin/puppet';
import { creatureScene, dogCharacter, PERFORMER_BONES, PERFORMER_POSES, stickRig } from '@pelt/testkit';
import type { TestFiles } from './workspace.ts';

/** Half a second in each of the dog's poses, and the way between. */
const POSES: readonly JointPose[] = [
  PERFORMER_POSES.stand,
  PERFORMER_POSES.armsStraight,
  PERFORMER_POSES.armsFront,
  PERFORMER_POSES.stand,
  PERFORMER_POSES.leftArmUp,
  PERFORMER_POSES.rightArmUp,
  PERFORMER_POSES.leftStep,
  PERFORMER_POSES.rightStep,
];

/** The performer holds each pose for ten frames, thirty a second. */
export function performance(): Clip {
  const frames = POSES.flatMap((pose) => new Array<JointPose>(10).fill(pose));
  return {
    name: 'me',
    times: Float64Array.from(frames, (_, t) => t / 30),
    transforms: Float64Array.from(frames.flatMap((pose) => [...poseFromJoints(PERFORMER_BONES, pose).transforms])),
  };
}

/**
 * dog.glb, dog.json and me.bvh; person.glb, a humanoid, and dancer.glb, one that moves; sculpts/ (OBJ) without a rig, and
 * sculpts.json, which names them.
 */
export async function dogFiles(): Promise<TestFiles> {
  const { rig, registration } = dogCharacter(0.08);
  const wag: Clip = {
    name: 'Wag',
    times: Float64Array.of(0, 0.5),
    transforms: Float64Array.from([0, 4].flatMap((i) => [...registration.pairs[i].character.transforms])),
  };
  return {
    ...sculpts(),
    'dog.glb': (await writeSkinnedGlb({ rig, clips: [wag] })).bytes,
    'dog.json': writePairs(pairsToDocument({ pairs: registration, bones: rig.bones })),
    'person.glb': (await writeSkinnedGlb({ rig: stickRig('person', PERFORMER_BONES), clips: [] })).bytes,
    'dancer.glb': (await writeSkinnedGlb({ rig: stickRig('dancer', PERFORMER_BONES), clips: [performance()] })).bytes,
    'me.bvh': writeBvh(skeletonFromClip(PERFORMER_BONES, performance())),
  };
}

/** A creature at rest and in three poses, and pairs for the first poses of the performance. */
function sculpts(): TestFiles {
  const { sequence } = creatureScene({ frames: 3, detail: 0.1 });
  const { rest } = sequence;
  const names = ['rest', 'pose-1', 'pose-2', 'pose-3'];
  const pairs = names.slice(0, 3).map((name, k) => ({
    name,
    performer: { time: (10 * k + 8) / 30 },
    character: { example: name },
  }));
  const positions = (k: number) => (k === 0 ? rest.positions : frameAt(sequence, k - 1));
  return {
    ...Object.fromEntries(
      names.map((name, k) => [`sculpts/${name}.obj`, writeObj({ ...rest, positions: positions(k) })[0].bytes]),
    ),
    'sculpts.json': writePairs({ name: 'sculpts', neutral: 'rest', motions: {}, pairs }),
  };
}
