/**
 * Meshes that a known rig moved, with the places of its joints: how many of them are found. Bones are matched one to one
 * by the overlap of their weights, greatest first; a joint counts where it joins two bones whose matches meet in a known
 * point, lies within a share of the diagonal from it, and no other joint is nearer.
 */
import { readFileSync } from 'node:fs';
import { extractSkeleton } from '@pelt/skin';
import { loadAnimation } from '../decompose/load-animation.mjs';
import { diagonalOf } from './joints-hold.mjs';

export const KNOWN_RIGS = [
  { data: 'rigged/wolf', bones: 21, target: 'value >= 12' },
  // Three in a row of its bones hardly move against the body.
  { data: 'rigged/cheburashka', bones: 11 },
];
/** Share of the diagonal. */
const NEAR = 0.02;

export function knownSkeletons(context, numerics) {
  return KNOWN_RIGS.flatMap(({ data, bones, target }) => {
    context.log(`known rig ${data}`);
    const sequence = loadAnimation(context, data);
    const fit = extractSkeleton(sequence, { bones }, { numerics });
    const free = extractSkeleton(sequence, {}, { numerics });
    const known = readKnown(context.data(data));
    const { found, all } = jointsFound(fit.rig, known, NEAR * diagonalOf(sequence.rest.positions));
    return [
      { case: data, metric: 'RMSE', value: fit.error.rmsePercent, unit: '%', target: 'value <= 0.1' },
      { case: data, metric: `joints found of ${all}`, value: found, unit: '', ...(target && { target }) },
      {
        case: data,
        metric: 'bones where none are asked for',
        value: free.rig.bones.length,
        unit: '',
        reference: bones,
        referenceName: 'the rig',
      },
    ];
  });
}

function readKnown(folder) {
  const numbers = (line) => line.trim().split(/\s+/).map(Number);
  const [points, segments] = readFileSync(`${folder}/skeleton.tgf`, 'utf8')
    .split('#')
    .map((part) => part.trim().split('\n').map(numbers));
  const [columns, rows, ...weights] = readFileSync(`${folder}/weights.DMAT`, 'utf8').trim().split(/\s+/).map(Number);
  return {
    points: new Map(points.map(([id, x, y, z]) => [id, [x, y, z]])),
    segments: segments.map(([from, to]) => [from, to]),
    columns,
    rows,
    weights,
  };
}

function jointsFound(rig, known, near) {
  const matches = matchBones(rig, known);
  const inner = [...known.points.keys()].filter((id) => known.segments.filter((ends) => ends.includes(id)).length > 1);
  const candidates = [];
  rig.bones.forEach(({ parent, rest }, k) => {
    if (parent < 0 || matches[k] < 0 || matches[parent] < 0) return;
    const [own, above] = [known.segments[matches[k]], known.segments[matches[parent]]];
    for (const id of inner) {
      if (!own.includes(id) || !above.includes(id)) continue;
      const [x, y, z] = known.points.get(id);
      candidates.push({ id, k, distance: Math.hypot(x - rest[3], y - rest[7], z - rest[11]) });
    }
  });
  const [points, joints] = [new Set(), new Set()];
  for (const { id, k, distance } of candidates.sort((a, b) => a.distance - b.distance)) {
    if (distance > near || points.has(id) || joints.has(k)) continue;
    points.add(id);
    joints.add(k);
  }
  return { found: points.size, all: inner.length };
}

/** For each bone of the rig the known one that its weights overlap with, or −1. */
function matchBones({ bones, weights: { slots, bones: indices, weights } }, known) {
  const m = bones.length;
  const overlap = new Float64Array(m * known.columns);
  const own = new Float64Array(m);
  const theirs = new Float64Array(known.columns);
  for (let i = 0; i < known.rows; i++) {
    for (let c = 0; c < known.columns; c++) {
      const y = known.weights[c * known.rows + i];
      theirs[c] += y * y;
      if (y === 0) continue;
      for (let s = i * slots; s < (i + 1) * slots; s++) overlap[indices[s] * known.columns + c] += weights[s] * y;
    }
    for (let s = i * slots; s < (i + 1) * slots; s++) own[indices[s]] += weights[s] ** 2;
  }
  const pairs = Array.from(overlap, (value, at) => {
    const [j, c] = [Math.floor(at / known.columns), at % known.columns];
    return { j, c, score: value / Math.sqrt(own[j] * theirs[c] || 1) };
  }).sort((a, b) => b.score - a.score);
  const matches = new Array(m).fill(-1);
  const taken = new Set();
  for (const { j, c, score } of pairs) {
    if (score === 0 || matches[j] >= 0 || taken.has(c)) continue;
    matches[j] = c;
    taken.add(c);
  }
  return matches;
}
