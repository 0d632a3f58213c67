import { openNumerics } from '@pelt/math';
import { eigenSkin, linearSequenceErrors } from '@pelt/skin/decompose';
import { armScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { sequence, rig, clip } = armScene({ frames: 12 });
const before = linearSequenceErrors({ sequence, rig, clip });
const { deltas, error } = eigenSkin({ sequence, rig, clip }, { rank: 3 }, { numerics });
numerics.close();

if (deltas.length !== 3) throw new Error('there are three displacement fields');
if (error.eRms >= before.eRms) throw new Error('they lower the error');
