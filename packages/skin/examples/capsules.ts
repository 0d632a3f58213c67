import { openNumerics } from '@pelt/math';
import { validateCapsules } from '@pelt/model';
import { capsuleDistance, fitCapsules, poseCapsules, pushOut } from '@pelt/skin/capsules';
import { barScene } from '@pelt/testkit';

const { rig, clip } = barScene();
const numerics = await openNumerics({ threads: 1 });
const capsules = fitCapsules(rig, {}, { numerics });
numerics.close();
validateCapsules(capsules, rig.bones.length);
const pose = clip.transforms.subarray(0, 12 * rig.bones.length);
const posed = poseCapsules(capsules, pose, 0, new Float64Array(capsules.shapes.length));
// A point in the middle of the first capsule is inside, and pushed out by its radius.
const [x, y, z] = [0, 1, 2].map((c) => 0.5 * (posed[c] + posed[3 + c]));
const distance = capsuleDistance(posed, 0, x, y, z, new Float64Array(3));
if (!(distance < 0 && pushOut(distance, 0, 0) === -distance)) throw new Error('it is inside');
