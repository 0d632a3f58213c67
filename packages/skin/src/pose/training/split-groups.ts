/**
 * Splits groups whose vertices are not well represented by one gradient (divisive clustering): the group of the largest
 * variance over the examples is split at its mean along the first principal component, until there are as many groups as
 * requested.
 */
import { checkCancelled, type RunContext } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { type Grouping, groupsOf } from './proxies.ts';

/** Power iterations for the principal component, which need not be accurate. */
const ITERATIONS = 6;

interface Part {
  readonly members: readonly number[];
  readonly mean: Float64Array;
  /** Σ area · ‖feature − mean‖² */
  readonly spread: number;
}

/**
 * @param features  n × d: gradients of each vertex in all examples
 * @param areas     n fractions of the surface area
 * @param most      most groups
 */
export function splitGroups(
  { groups, count }: Grouping,
  features: Float32Array,
  areas: Float64Array,
  graph: EdgeGraph,
  most: number,
  run?: RunContext,
): Grouping {
  const d = features.length / areas.length;
  const lists: number[][] = Array.from({ length: count }, () => []);
  groups.forEach((group, i) => {
    lists[group].push(i);
  });
  const parts = lists.map((members) => partOf(members, features, d, areas));
  const wanted = Math.min(most, areas.length);
  while (parts.length < wanted) {
    checkCancelled(run);
    run?.onProgress?.({ stage: 'splitting proxies', fraction: parts.length / wanted });
    let widest = 0;
    for (let k = 1; k < parts.length; k++) if (parts[k].spread > parts[widest].spread) widest = k;
    const halves = cut(parts[widest], features, d, areas);
    if (!halves) break;
    parts[widest] = halves[0];
    parts.push(halves[1]);
  }
  const split = new Uint32Array(groups.length);
  parts.forEach(({ members }, part) => {
    for (const i of members) split[i] = part;
  });
  return groupsOf(split, graph);
}

function partOf(members: readonly number[], features: Float32Array, d: number, areas: Float64Array): Part {
  const mean = new Float64Array(d);
  let total = 0;
  for (const i of members) {
    total += areas[i];
    for (let c = 0; c < d; c++) mean[c] += areas[i] * features[i * d + c];
  }
  for (let c = 0; c < d; c++) mean[c] /= total;
  let spread = 0;
  for (const i of members) {
    for (let c = 0; c < d; c++) spread += areas[i] * (features[i * d + c] - mean[c]) ** 2;
  }
  return { members, mean, spread: members.length > 1 ? spread : 0 };
}

/** Both sides of the mean along the principal component; undefined where all members are equal. */
function cut(part: Part, features: Float32Array, d: number, areas: Float64Array): [Part, Part] | undefined {
  if (!(part.spread > 0)) return undefined;
  const { members, mean } = part;
  const along = (i: number, axis: Float64Array) => {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += (features[i * d + c] - mean[c]) * axis[c];
    return sum;
  };
  let axis = new Float64Array(d);
  let farthest = 0;
  for (const i of members) {
    let away = 0;
    for (let c = 0; c < d; c++) away += (features[i * d + c] - mean[c]) ** 2;
    if (away <= farthest) continue;
    farthest = away;
    for (let c = 0; c < d; c++) axis[c] = features[i * d + c] - mean[c];
  }
  for (let turn = 0; turn < ITERATIONS; turn++) {
    const next = new Float64Array(d);
    for (const i of members) {
      const share = areas[i] * along(i, axis);
      for (let c = 0; c < d; c++) next[c] += share * (features[i * d + c] - mean[c]);
    }
    const length = Math.hypot(...next);
    if (!(length > 0)) break;
    axis = next.map((value) => value / length);
  }
  const [low, high]: [number[], number[]] = [[], []];
  for (const i of members) (along(i, axis) < 0 ? low : high).push(i);
  if (low.length === 0 || high.length === 0) return undefined;
  return [partOf(low, features, d, areas), partOf(high, features, d, areas)];
}
