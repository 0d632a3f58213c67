// @ts-check
/** From the nouns of the model to the items of a figure: the few conversions that every figure script needs. */
import { distinctColours, toHex } from '@pelt/viewer/colour';

/**
 * @typedef {import('@pelt/model').Mesh} Mesh
 * @typedef {import('@pelt/model').Bone} Bone
 * @typedef {import('@pelt/model').SkinWeights} SkinWeights
 * @typedef {import('./description.ts').MeshItem} MeshItem
 */

/**
 * @param {Mesh} mesh
 * @param {Omit<Partial<MeshItem>, 'kind' | 'triangles'>} [look]  `positions` for a posed mesh, colours, opacity …
 * @returns {MeshItem}
 */
export function meshItem(mesh, look = {}) {
  return { kind: 'mesh', positions: mesh.positions, triangles: mesh.triangles, ...look };
}

/**
 * Every vertex in its bones' colours, mixed by weight.
 *
 * @param {SkinWeights} skin
 * @param {number} boneCount
 * @returns {Float32Array} n × 3 linear RGB
 */
export function weightColours({ slots, bones, weights }, boneCount) {
  const palette = distinctColours(boneCount);
  const out = new Float32Array((weights.length / slots) * 3);
  for (let k = 0; k < weights.length; k++) {
    const vertex = Math.floor(k / slots);
    for (let c = 0; c < 3; c++) out[3 * vertex + c] += weights[k] * palette[bones[k]][c];
  }
  return out;
}

/**
 * @param {ArrayLike<number>} clusters  n cluster numbers; negative for none
 * @returns {Float32Array} n × 3 linear RGB
 */
export function clusterColours(clusters) {
  const labels = Array.from(clusters);
  const palette = distinctColours(labels.reduce((most, label) => Math.max(most, label + 1), 0));
  return Float32Array.from(labels.flatMap((label) => palette[label] ?? [0.5, 0.5, 0.5]));
}

/**
 * The bones in the colours that `weightColours` gives them.
 *
 * @param {number} boneCount
 */
export function boneColours(boneCount) {
  return distinctColours(boneCount).map(toHex);
}

/**
 * @param {readonly Bone[]} bones
 * @param {ArrayLike<number>} [transforms]  m × 12, rest → pose; absent for the rest pose
 * @param {Partial<import('./description.ts').BonesItem>} [look]
 * @returns {import('./description.ts').BonesItem}
 */
export function bonesItem(bones, transforms, look = {}) {
  const frames = new Float64Array(12 * bones.length);
  bones.forEach(({ rest }, j) => {
    frames.set(rest, 12 * j);
    for (let r = 0; transforms && r < 12; r += 4) {
      const row = [0, 1, 2, 3].map((k) => transforms[12 * j + r + k]);
      for (let c = 0; c < 4; c++) {
        frames[12 * j + r + c] =
          row[0] * rest[c] + row[1] * rest[4 + c] + row[2] * rest[8 + c] + (c === 3 ? row[3] : 0);
      }
    }
  });
  return { kind: 'bones', frames, parents: Int32Array.from(bones, (bone) => bone.parent), ...look };
}

/**
 * How far each vertex is from where it should be, in per cent of the diagonal of the truth's bounding box.
 *
 * @param {ArrayLike<number>} approximation  n × 3
 * @param {ArrayLike<number>} truth  n × 3
 * @param {number} [max]  end of the scale; default the largest value
 * @returns {import('./description.ts').Heat}
 */
export function distanceHeat(approximation, truth, max) {
  if (approximation.length !== truth.length) {
    throw new Error(`heat: ${approximation.length / 3} vertices against ${truth.length / 3}; they must be the same`);
  }
  const diagonal = boxDiagonal(truth);
  const values = new Float64Array(truth.length / 3);
  for (let i = 0; i < values.length; i++) {
    const [x, y, z] = [0, 1, 2].map((c) => approximation[3 * i + c] - truth[3 * i + c]);
    values[i] = (100 * Math.hypot(x, y, z)) / diagonal;
  }
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  return { values, min: 0, max: max ?? (largest || 1), name: 'distance', unit: '% of the diagonal' };
}

/**
 * @param {ArrayLike<number>} positions
 */
function boxDiagonal(positions) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k++) {
    low[k % 3] = Math.min(low[k % 3], positions[k]);
    high[k % 3] = Math.max(high[k % 3], positions[k]);
  }
  return Math.hypot(...high.map((value, c) => value - low[c])) || 1;
}
