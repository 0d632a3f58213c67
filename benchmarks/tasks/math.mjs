/**
 * The kernels of @pelt/math beside their plain twins. Each file of tasks/math/ measures one family and exports
 *
 *   needs           data paths, or nothing
 *   measure(context) → rows
 */
import { readdirSync } from 'node:fs';

const folder = new URL('./math/', import.meta.url);
const families = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .sort()
    .map((file) => import(new URL(file, folder).href)),
);

export default {
  name: 'math',
  needs: families.flatMap((family) => family.needs ?? []),
  async run(context) {
    const rows = [];
    for (const family of families) rows.push(...(await family.measure(context)));
    return rows;
  },
};
