import { openNumerics } from '@pelt/math';
import { EigenSkinPoses, eigenSkin } from '@pelt/skin/decompose';
import { armScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { sequence, rig, clip } = armScene({ frames: 12 });
const skin = eigenSkin({ sequence, rig, clip }, { rank: 3 }, { numerics });
numerics.close();

const poses = new EigenSkinPoses(rig.bones, clip, skin.amounts);
const pose = clip.transforms.slice(0, 12 * rig.bones.length);
const amounts = poses.amountsAt(pose, new Float32Array(3));

if (Math.abs(amounts[0] - skin.amounts[0]) > 1e-3) throw new Error('poses of the clip have their own amounts');
