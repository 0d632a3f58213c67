/**
 * Volumetric deformation: what filling a mesh with tetrahedra costs and how good they are, how a bend and a twist keep
 * their volume beside other skinning, how fast it is beside the published figures and a rival, and characters in motion.
 * Each file of tasks/volume/ measures one of these and exports
 *
 *   needs           data paths, or nothing
 *   measure(context) → rows
 */
import * as characters from './volume/characters.mjs';
import * as cylinders from './volume/cylinders.mjs';
import * as iteration from './volume/iteration.mjs';
import * as shoulder from './volume/shoulder.mjs';
import * as tetrahedra from './volume/tetrahedra.mjs';

const FAMILIES = [tetrahedra, cylinders, shoulder, iteration, characters];

export default {
  name: 'volume',
  needs: FAMILIES.flatMap((family) => family.needs ?? []),
  async run(context) {
    const rows = [];
    for (const family of FAMILIES) rows.push(...(await family.measure(context)));
    return rows;
  },
};
