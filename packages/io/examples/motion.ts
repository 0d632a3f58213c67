import {
  clipFromSkeleton,
  HAND_JOINTS,
  jointPositions,
  MEDIAPIPE_JOINTS,
  readBvh,
  readMotion,
  setHandLandmarks,
  setLandmarks,
  skeletonFromClip,
  writeBvh,
} from '@pelt/io';

// A capture of two joints; in the second frame the hips have moved up.
const bvh = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0 90 0 0 0 0 0 0 0
0 95 0 0 0 0 0 0 0
`;
const skeleton = readBvh(new TextEncoder().encode(bvh), { name: 'capture.bvh' });
if (skeleton.joints.length !== 2) throw new Error('two joints, with their rotations');

// Where the joints are: the spine is 2 above the hips, its tip 1 above that.
const positions = jointPositions(skeleton);
if (positions.joints.join() !== 'hips,spine,spine tip' || positions.positions[4] !== 92) throw new Error('92 high');

// As the bones and the clip of a rig, and back into a file.
const { bones, clip } = clipFromSkeleton(skeleton);
const again = readMotion(writeBvh(skeletonFromClip(bones, clip)));
if (Math.abs(again.positions[4] - 92) > 1e-4) throw new Error('the same motion');

// Landmarks of a live tracker, whose y axis points down, into arrays that are made once.
const landmarks = MEDIAPIPE_JOINTS.map((_, k) => ({ x: 0, y: -k / 100, z: 0, visibility: 1 }));
const [places, confidence] = [new Float32Array(33 * 3), new Float32Array(33)];
setLandmarks(landmarks, places, confidence);
if (places[3 * 32 + 1] !== Math.fround(0.32) || confidence[32] !== 1) throw new Error('+Y is up');

// And those of a hand, which hang on the wrist of the body.
const [whole, sure] = [new Float32Array(3 * (33 + HAND_JOINTS.length)), new Float32Array(33 + HAND_JOINTS.length)];
whole.set(places);
sure.set(confidence);
setHandLandmarks('left', landmarks.slice(0, 21), whole, sure);
if (sure[33 + HAND_JOINTS.indexOf('leftIndexTip')] !== 1) throw new Error('the hand is seen');
