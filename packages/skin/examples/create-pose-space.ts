import { openNumerics } from '@pelt/math';
import { buildPoser, createPoseSpace } from '@pelt/skin/pose';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 4, detail: 0.08 });
const poser = buildPoser({ rig, clip }, { proxies: 40, names: ['stand', 'step', 'stride', 'leap'] });
const space = createPoseSpace(poser, { numerics });
const [stand, leap] = [space.ofExample('stand'), space.ofExample('leap')];
const transforms = new Float64Array(12 * rig.bones.length);
space.pose(
  stand.map((value, k) => 0.5 * (value + leap[k])),
  transforms,
);
if (Math.abs(space.blend[3] - 0.5) > 1e-9) throw new Error('not half a leap');
space.dispose();
numerics.close();
