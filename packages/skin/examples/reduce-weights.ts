import { openNumerics } from '@pelt/math';
import { reduceWeights } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 8, detail: 0.1 });
const input = { rig, clips: [clip] };
const refit = reduceWeights(input, { weights: 1 }, { numerics });
const largest = reduceWeights(input, { weights: 1, method: 'k-largest' }, { numerics });
numerics.close();

if (refit.rig.weights.slots !== 1) throw new Error('one weight per vertex is left');
if (refit.error.eRms >= largest.error.eRms) throw new Error('refitting preserves more than truncation');
