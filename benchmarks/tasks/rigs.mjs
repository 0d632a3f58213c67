/**
 * Skeletons beside those of artists: meshes that known rigs move over all of their clips, without the rigs, and default
 * options. Joints are compared in a box whose longest side is 2; those of the artist count that carry skin and move.
 */
import { openNumerics } from '@pelt/math';
import { extractSkeleton } from '@pelt/skin';
import { loadArtistRig } from './rigs/artist-rig.mjs';
import { asymmetry, compareJoints } from './rigs/compare-joints.mjs';

const RIGS = ['bird', 'fox', 'horse', 'snake'];
/** Seconds of processor time that a skeleton may take. */
const SECONDS = 10;
/** Joint to joint, of a neural method on its own data. */
const NEURAL = 0.027;

export default {
  name: 'rigs',
  needs: RIGS.map((name) => `rigs/${name}.glb`),
  async run(context) {
    const numerics = await openNumerics({ threads: 1 });
    try {
      const rows = [];
      for (const name of RIGS) if (context.wants(name)) rows.push(...(await rigRows(context, numerics, name)));
      return [...rows, ...(context.only === undefined ? means(rows) : [])];
    } finally {
      numerics.close();
    }
  },
};

async function rigRows(context, numerics, name) {
  context.log(name);
  const { sequence, unit, joints, matter } = await loadArtistRig(context.data(`rigs/${name}.glb`));
  const cpu = process.cpuUsage();
  const { rig, error, partners } = extractSkeleton(sequence, {}, { numerics });
  const { user, system } = process.cpuUsage(cpu);
  const found = rig.bones.map(({ rest }) => [3, 7, 11].map((at) => unit * rest[at]));
  const { chamfer, recall, precision } = compareJoints(found, joints, matter);
  const row = (metric, value, more) => ({ case: name, metric, value, unit: '', ...more });
  return [
    row('CD-J2J', chamfer, { reference: NEURAL, referenceName: 'neural, other data' }),
    row('recall', recall),
    row('precision', precision),
    row('joints', rig.bones.length, { reference: matter.length, referenceName: 'joints that matter' }),
    row('RMSE', error.rmsePercent, { unit: '%' }),
    ...(partners
      ? [row('joint to mirror image', asymmetry(found, unit * middleOf(sequence)), { target: 'value <= 0.01' })]
      : []),
    row('processor time', (user + system) / 1e6, { unit: 's', target: `value <= ${SECONDS}` }),
  ];
}

function middleOf({ rest: { positions } }) {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < positions.length; k += 3)
    [low, high] = [Math.min(low, positions[k]), Math.max(high, positions[k])];
  return (low + high) / 2;
}

function means(rows) {
  const mean = (metric) => {
    const values = rows.filter((row) => row.metric === metric).map(({ value }) => value);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return [
    { case: 'all', metric: 'mean CD-J2J', value: mean('CD-J2J'), unit: '', target: 'value <= 0.015' },
    { case: 'all', metric: 'mean recall', value: mean('recall'), unit: '', target: 'value >= 0.85' },
  ];
}
