/**
 * Puppetry: how fast it is, whether the findings of Sun (2017) hold, and how well a motion is followed. Each file of
 * tasks/puppet/ measures one of these and exports
 *
 *   needs           data paths, or nothing
 *   measure(context) → rows
 */
import * as findings from './puppet/findings.mjs';
import * as motions from './puppet/motions.mjs';
import * as speed from './puppet/speed.mjs';

const FAMILIES = [speed, findings, motions];

export default {
  name: 'puppet',
  needs: FAMILIES.flatMap((family) => family.needs ?? []),
  async run(context) {
    const rows = [];
    for (const family of FAMILIES) rows.push(...(await family.measure(context)));
    return rows;
  },
};
