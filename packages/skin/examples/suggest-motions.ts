import { openNumerics } from '@pelt/math';
import { type Bone, type Clip, IDENTITY_TRANSFORM, uniformTimes } from '@pelt/model';
import { standardMotions, suggestMotions } from '@pelt/skin/dynamics';

const bones: Bone[] = [
  { name: 'hips', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) },
  { name: 'spine', parent: 0, rest: Float64Array.from(IDENTITY_TRANSFORM) },
];
/** The spine turned about an axis, to and fro; the hips at rest. */
const turning = (name: string, axis: 'x' | 'z'): Clip => ({
  name,
  times: uniformTimes(31, 15),
  transforms: Float64Array.from({ length: 31 * 24 }, (_, k) => {
    const [c, s] = [Math.cos(Math.sin(Math.floor(k / 24) / 5)), Math.sin(Math.sin(Math.floor(k / 24) / 5))];
    const turn = axis === 'x' ? [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0] : [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0];
    return k % 24 < 12 ? IDENTITY_TRANSFORM[k % 12] : turn[k % 12];
  }),
});

// Learnt from nods: of the clips on offer, the one that turns elsewhere teaches most.
const numerics = await openNumerics();
const offered = [turning('another nod', 'x'), turning('a lean', 'z')];
const data = { bones, learnt: [turning('nod', 'x')], offered };
const [first] = suggestMotions(data, { seconds: 2 }, { numerics });
if (first.clip !== 'a lean' || !(first.variance > 10)) throw new Error('what was not shown teaches most');
numerics.close();

// Motions to choose from where a rig has no other clips, as fast as what was learnt from.
const motions = standardMotions(bones, { drivers: Uint16Array.of(0), speeds: Float64Array.of(0.5, 2) });
if (!motions.some(({ name }) => name === 'shift hips along y at 2 Hz')) throw new Error('a root is shifted');
