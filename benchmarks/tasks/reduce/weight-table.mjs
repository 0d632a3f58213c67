/** All rows of the published table whose data are at hand. */
import { reduceTwoLayer, reduceWeights } from '@pelt/skin';
import { REDUCTIONS } from '../../published/reduction.mjs';
import { EARLY, SETTLED } from './models.mjs';

/** Its rest pose may differ from the paper's: reported without targets. */
const NO_TARGETS = 'samba';

export function weightTable(context, numerics, models) {
  const rows = [];
  for (const { data, bones, from, to, oneLayer, twoLayer, dense, direct } of REDUCTIONS) {
    const place = `${data} ${bones} bones, ${from} to ${to}`;
    if (!context.wants(place)) continue;
    const figure = (of, metric, value, reference, target) => {
      const aim = data === NO_TARGETS || target === undefined ? {} : { target };
      rows.push({ case: of, metric, value, unit: 'E_RMS', reference, referenceName: 'published', ...aim });
    };
    if (from === 'dense' && to === 4) {
      figure(`${data} ${bones} bones`, 'dense', models.get(data, bones, from, SETTLED).eRms, dense, 'ratio <= 1');
    }
    const early = models.get(data, bones, from, EARLY).input;
    const reduced = (method) => {
      context.log(`${place}: ${method}`);
      return reduceWeights(early, { method, weights: to }, { numerics }).error.eRms;
    };
    for (const [method, published] of Object.entries(oneLayer)) figure(place, method, reduced(method), published);
    const refitted = reduced('refit');
    figure(place, 'refit against k-largest', refitted, oneLayer['k-largest'], 'ratio <= 0.5');
    figure(place, 'refit against geometric', refitted, oneLayer.geometric, 'ratio <= 1');
    figure(place, 'refit against a direct fit', refitted, direct, 'ratio <= 1');
    // What a settled fit reaches here with so few weights from the beginning.
    const { eRms } = models.get(data, bones, to, SETTLED);
    rows.push({
      case: place,
      metric: 'refit against a direct fit in this run',
      value: refitted,
      unit: 'E_RMS',
      reference: eRms,
      referenceName: 'direct fit',
    });

    // Two blends a vertex, and as many again for the virtual bones as make up the number of the row.
    const settled = models.get(data, bones, from, SETTLED).input;
    const blends = from === 'dense' ? bones : Math.min(from + 1, bones);
    const virtual = Math.floor(((to - 2) * settled.rig.mesh.positions.length) / 3 / blends);
    for (const [judge, published] of Object.entries(twoLayer)) {
      context.log(`${place}: two layers by ${judge}`);
      const { error } = reduceTwoLayer(settled, { objective: judge, virtual, blends }, { numerics });
      figure(place, `two-layer by ${judge}`, error.eRms, published, 'ratio <= 1');
    }
  }
  return rows;
}
