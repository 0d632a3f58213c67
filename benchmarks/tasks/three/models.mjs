/**
 * Models of the size of real characters, from what is learnt on small ones: the weights of a coarse tube or creature, taken
 * over to a fine one. A renderer's time depends on counts, not on how good a skin is.
 */
import { envelopeExtension, poserExtension, twoLayerExtension, writeSkinnedGlb } from '@pelt/io';
import { KdTree } from '@pelt/math';
import { bakeVirtualBones, buildPoser } from '@pelt/skin';
import { CREATURE_DEFAULTS, creatureScene, elbowScene } from '@pelt/testkit';
import { learntSkin, softWeights, withNormals } from '../../../packages/three/examples/models.mjs';

const COARSE = { rings: 41, sides: 20, frames: 13 };
const TRAIN = [0, 4, 8, 12];
/** Palette of sixty: proxies and the two bones. */
const PROXIES = 58;
/** Masters that a virtual bone blends, at most. */
const BLENDS = 9;

/** Rings and sides of a tube with about so many vertices. */
function tubeSize(vertices) {
  const sides = Math.round(Math.sqrt(vertices / 2.5));
  return { rings: Math.round(vertices / sides), sides };
}

/** @returns { envelope, displaced }: without displacements, and with four */
export async function envelopes(vertices, numerics) {
  const coarse = elbowScene(COARSE);
  const size = tubeSize(vertices);
  const fine = elbowScene({ ...COARSE, ...size });
  const options = { proxies: PROXIES, keys: 60, samples: 24 };
  const files = {};
  for (const [name, correction] of [
    ['envelope', false],
    ['displaced', true],
  ]) {
    const reduced = learntSkin(coarse, numerics, TRAIN, { ...options, correction });
    const finer = refine(reduced, fine.rig, size);
    const model = { rig: finer.rig, clips: [coarse.clip], extensions: [envelopeExtension(finer)] };
    files[name] = (await writeSkinnedGlb(model)).bytes;
  }
  return files;
}

/** A reduced skin of the coarse tube on a finer one: every row of numbers between its four neighbours. */
function refine(reduced, rig, { rings, sides }) {
  const mesh = withNormals(rig.mesh);
  const n = mesh.positions.length / 3;
  const corners = Array.from({ length: n }, (_, i) => cornersOf(i, rings, sides));
  const skinOf = (skin) => {
    const bones = new Uint16Array(n * skin.slots);
    const weights = new Float32Array(n * skin.slots);
    corners.forEach((row, i) => {
      const sums = new Map();
      for (const { vertex, share } of row) {
        for (let s = vertex * skin.slots; s < (vertex + 1) * skin.slots; s++) {
          sums.set(skin.bones[s], (sums.get(skin.bones[s]) ?? 0) + share * skin.weights[s]);
        }
      }
      const kept = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, skin.slots);
      const total = kept.reduce((sum, [, weight]) => sum + weight, 0);
      kept.forEach(([bone, weight], s) => {
        bones[i * skin.slots + s] = weight > 0 ? bone : 0;
        weights[i * skin.slots + s] = weight / total;
      });
    });
    return { slots: skin.slots, bones, weights };
  };
  const given = reduced.displacements;
  const coarse = COARSE.rings * COARSE.sides + 2;
  return {
    ...reduced,
    rig: { ...reduced.rig, mesh, weights: skinOf(reduced.rig.weights) },
    skin: skinOf(reduced.skin),
    ...(given && {
      displacements: {
        ...given,
        axes: Uint16Array.from(corners, (row) => given.axes[row[0].vertex]),
        displacements: Float32Array.from({ length: (given.displacements.length / coarse) * n }, (_, at) => {
          const [e, i, c] = [Math.floor(at / (3 * n)), Math.floor(at / 3) % n, at % 3];
          return corners[i].reduce(
            (sum, { vertex, share }) => sum + share * given.displacements[3 * (e * coarse + vertex) + c],
            0,
          );
        }),
      },
    }),
  };
}

/** The coarse vertices round fine vertex i, largest share first. */
function cornersOf(i, rings, sides) {
  const ends = COARSE.rings * COARSE.sides;
  if (i >= rings * sides) return [{ vertex: ends + (i - rings * sides), share: 1 }];
  const u = (Math.floor(i / sides) / (rings - 1)) * (COARSE.rings - 1);
  const v = ((i % sides) / sides) * COARSE.sides;
  const [r, k] = [Math.min(Math.floor(u), COARSE.rings - 2), Math.floor(v)];
  return [0, 1]
    .flatMap((a) =>
      [0, 1].map((b) => ({
        vertex: (r + a) * COARSE.sides + ((k + b) % COARSE.sides),
        share: (a ? u - r : 1 - u + r) * (b ? v - k : 1 - v + k),
      })),
    )
    .sort((a, b) => b.share - a.share);
}

/** Vertices go with the square of the detail; at the default there are 3118. */
function detailFor(vertices) {
  return CREATURE_DEFAULTS.detail * Math.sqrt(3118 / vertices);
}

/** A creature of about so many vertices, with eight weights each. */
export function fineCreature(vertices) {
  const detail = detailFor(vertices);
  const { rig, clip, sequence } = creatureScene({ detail, frames: 12 });
  return { sequence, clip, rig: { ...rig, mesh: withNormals(rig.mesh), weights: softWeights(rig, 8) } };
}

export async function eightFile({ rig, clip }) {
  return (await writeSkinnedGlb({ rig, clips: [clip] })).bytes;
}

/** q = 2n/9 virtual bones, each with the weights of one vertex; every vertex between its two nearest. */
export async function twoLayerFile({ rig, clip }) {
  const { positions } = rig.mesh;
  const n = positions.length / 3;
  const q = Math.round((2 * n) / BLENDS);
  const chosen = Uint32Array.from({ length: q }, (_, r) => Math.floor((r * n) / q));
  const points = Float64Array.from({ length: 3 * q }, (_, k) => positions[3 * chosen[Math.floor(k / 3)] + (k % 3)]);
  const tree = new KdTree(points);
  const [near, squared] = [new Uint32Array(2), new Float64Array(2)];
  const { slots } = rig.weights;
  const take = (array) =>
    array.constructor.from({ length: q * slots }, (_, k) => array[chosen[Math.floor(k / slots)] * slots + (k % slots)]);
  const masters = { slots, bones: take(rig.weights.bones), weights: take(rig.weights.weights) };
  const vertices = { slots: 2, bones: new Uint16Array(2 * n), weights: new Float32Array(2 * n) };
  for (let i = 0; i < n; i++) {
    tree.nearest(positions, 3 * i, 2, near, squared);
    const apart = squared.map((value) => Math.sqrt(value) + 1e-6);
    const share = apart[1] / (apart[0] + apart[1]);
    vertices.bones.set(near, 2 * i);
    vertices.weights.set([Math.fround(share), Math.fround(1 - Math.fround(share))], 2 * i);
  }
  const skin = { masters, vertices };
  const baked = bakeVirtualBones({ rig, clips: [clip], skin }, { masters: 'keep' });
  return (await writeSkinnedGlb({ ...baked, extensions: [twoLayerExtension(skin)] })).bytes;
}

/** A character to drag: the creature's own bones as controls, its frames as examples. */
export async function poserFile(vertices) {
  const detail = detailFor(vertices);
  const { rig, clip } = creatureScene({ detail, frames: 8 });
  const poser = buildPoser({ rig: { ...rig, mesh: withNormals(rig.mesh) }, clip }, { proxies: 500, consecutive: true });
  const model = { rig: poser.rig, clips: [], extensions: [poserExtension(poser)] };
  return (await writeSkinnedGlb(model, { affine: 'pair' })).bytes;
}
