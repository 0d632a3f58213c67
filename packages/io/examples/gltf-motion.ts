import { readGltfMotion, writeSkinnedGlb } from '@pelt/io';
import { jointsAt, poseFromJoints, uniformTimes } from '@pelt/model';
import { PERFORMER_BONES, stickRig } from '@pelt/testkit';

// A person who raises an arm, as a rigged file has it.
const rig = stickRig('person', PERFORMER_BONES);
const poses = [0, -90].map((angle) => poseFromJoints(rig.bones, { leftShoulder: { degrees: [0, 0, angle] } }));
const transforms = Float64Array.from(poses.flatMap((pose) => [...pose.transforms]));
const { bytes } = await writeSkinnedGlb({ rig, clips: [{ name: 'arm', times: uniformTimes(2, 30), transforms }] });

const motion = await readGltfMotion(bytes);
const wrist = motion.joints.indexOf('leftWrist');
const [before, after] = [0, 1].map((t) =>
  jointsAt(motion, t)
    .subarray(3 * wrist, 3 * wrist + 3)
    .join(),
);
if (wrist < 0 || before === after) throw new Error('the wrist moves');
