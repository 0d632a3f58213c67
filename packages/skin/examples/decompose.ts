import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin/decompose';
import { armScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { sequence } = armScene({ frames: 12 });
const { rig, clip, error } = decompose(sequence, { bones: 6, weights: 4 }, { numerics });
numerics.close();

if (rig.bones.length !== 6 || clip.times.length !== 12) throw new Error('a rig of six bones with a clip of 12 frames');
if (error.eRms > 20) throw new Error('the error is below 2 % of the radius');
