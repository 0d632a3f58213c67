/**
 * Puppetry: how fast it is, whether parts of a body go their own ways, how well a motion is followed, and how steady the
 * result is: feet, jitter, losses. Each file of
 * tasks/puppet/ measures one of these and exports
 *
 *   needs           data paths, or nothing
 *   measure(context) → rows
 */
import * as calibration from './puppet/calibration.mjs';
import * as feet from './puppet/feet.mjs';
import * as fingers from './puppet/fingers.mjs';
import * as live from './puppet/live.mjs';
import * as losses from './puppet/losses.mjs';
import * as motions from './puppet/motions.mjs';
import * as parts from './puppet/parts.mjs';
import * as retarget from './puppet/retarget.mjs';
import * as selfContact from './puppet/self-contact.mjs';
import * as speed from './puppet/speed.mjs';

const FAMILIES = [speed, parts, motions, retarget, losses, feet, calibration, fingers, selfContact, live];

export default {
  name: 'puppet',
  needs: FAMILIES.flatMap((family) => family.needs ?? []),
  async run(context) {
    const rows = [];
    for (const family of FAMILIES) rows.push(...(await family.measure(context)));
    return rows;
  },
};
