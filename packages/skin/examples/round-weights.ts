import { openNumerics } from '@pelt/math';
import { roundWeights } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 8, detail: 0.1 });
const { rig: rounded } = roundWeights({ rig, clips: [clip] }, { levels: 255 }, { numerics });
numerics.close();

const off = rounded.weights.weights.map((w) => Math.abs(255 * w - Math.round(255 * w)));
if (Math.max(...off) > 1e-3) throw new Error('every weight is a multiple of 1/255');
