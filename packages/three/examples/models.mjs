// @ts-check
/**
 * Models for the examples, the tests and the benchmarks, all of them made from the testkit's scenes: one of every kind
 * that pelt writes, at any size.
 */
import { envelopeExtension, poserExtension, twoLayerExtension, writeSkinnedGlb } from '@pelt/io';
import { poseAt, vertexNormals } from '@pelt/model';
import {
  bakeVirtualBones,
  buildPoser,
  decompose,
  eigenSkin,
  reduceEnvelope,
  reduceTwoLayer,
  trainEnvelope,
} from '@pelt/skin';
import { creatureScene } from '@pelt/testkit';

/**
 * @typedef {import('@pelt/math').Numerics} Numerics
 * @typedef {import('@pelt/model').Mesh} Mesh
 * @typedef {import('@pelt/model').Rig} Rig
 * @typedef {import('@pelt/testkit').Scene} Scene
 */

/** A rig and its clip as they are. @param {Scene} scene */
export async function plainModel({ rig, clip }) {
  return (await writeSkinnedGlb({ rig, clips: [clip] })).bytes;
}

/** A creature found from its motion alone. @param {Numerics} numerics */
export async function fittedModel(numerics, detail = 0.05, bones = 14) {
  const { sequence } = creatureScene({ detail, frames: 24 });
  const { rig, clip } = decompose(sequence, { bones }, { numerics });
  return (await writeSkinnedGlb({ rig, clips: [clip] })).bytes;
}

/** The same motion with eight weights per vertex, and a seam of texture coordinates. @param {Scene} scene */
export async function eightModel({ rig, clip }) {
  return (await writeSkinnedGlb({ rig: withSeam({ ...rig, weights: softWeights(rig, 8) }), clips: [clip] })).bytes;
}

/**
 * Eight weights as two layers, the masters kept.
 *
 * @param {Scene} scene
 * @param {Numerics} numerics
 * @param {number | 'auto'} virtual
 */
export async function twoLayerModel({ rig, clip }, numerics, virtual) {
  const soft = { ...rig, weights: softWeights(rig, 8) };
  const { skin } = reduceTwoLayer({ rig: soft, clips: [clip] }, { virtual, objective: 'weights' }, { numerics });
  const baked = bakeVirtualBones({ rig: soft, clips: [clip], skin }, { masters: 'keep' });
  return (await writeSkinnedGlb({ ...baked, extensions: [twoLayerExtension(skin)] })).bytes;
}

/**
 * A skin learnt from a few frames of a scene.
 *
 * @param {Scene} scene
 * @param {Numerics} numerics
 * @param {readonly number[]} frames
 * @param {Partial<import('@pelt/skin').ReduceEnvelopeOptions>} options
 * @param {import('@pelt/skin').EnvelopeMethod} [method]
 */
export function learntSkin(scene, numerics, frames, options, method = 'linear-maps') {
  // Chosen here, so that no time goes into choosing by leaving examples out.
  const choice = { method, frames, pull: 0, tolerance: 1e-3, heldShare: 0.1, fallback: false };
  const { envelope } = trainEnvelope(scene, choice, { numerics });
  const poses = frames.map((t) => poseAt(scene.clip, t, scene.rig.bones.length).transforms);
  return reduceEnvelope({ envelope, poses }, options, { numerics });
}

/**
 * @param {ReturnType<typeof learntSkin>} reduced
 * @param {Scene} scene
 * @param {(mesh: Mesh) => Mesh} [parted]  the mesh in parts
 */
export async function envelopeModel(reduced, { clip }, parted = (mesh) => mesh) {
  const rig = { ...reduced.rig, mesh: parted(withNormals(reduced.rig.mesh)) };
  /** @param {Uint32Array} map */
  const extensions = (map) => [envelopeExtension(reduced, map)];
  return (await writeSkinnedGlb({ rig, clips: [clip], extensions })).bytes;
}

/** Bones found in a scene, and what they leave over as morph targets. @param {Scene} scene @param {Numerics} numerics */
export async function eigenSkinModel({ sequence }, numerics, bones = 3, rank = 3) {
  const options = /** @type {const} */ ({ bones, restPose: 'keep' });
  const { rig, clip } = decompose(sequence, options, { numerics });
  const { deltas, amounts } = eigenSkin({ sequence, rig, clip }, { rank }, { numerics });
  return (await writeSkinnedGlb({ rig, clips: [clip], morphs: { deltas, weights: [amounts] } })).bytes;
}

/**
 * A character to be dragged by its skin.
 *
 * @param {Scene} scene
 * @param {Numerics} numerics
 * @param {(mesh: Mesh) => Mesh} parted  the mesh in parts
 */
export async function poserModel(
  { sequence },
  numerics,
  bones = 4,
  proxies = 40,
  details = true,
  parted = (mesh) => mesh,
) {
  const options = /** @type {const} */ ({ bones, method: 'affine', weights: 4, restPose: 'keep' });
  const { rig, clip } = decompose(sequence, options, { numerics });
  const poser = buildPoser({ rig, clip, examples: sequence }, { proxies, consecutive: true, details });
  const model = {
    rig: { ...poser.rig, name: 'character', mesh: parted(poser.rig.mesh) },
    clips: [],
    morphs: { deltas: poser.exampleDetails, weights: [] },
    /** @param {Uint32Array} map */
    extensions: (map) => [poserExtension(poser, map)],
  };
  return (await writeSkinnedGlb(model, { affine: 'pair' })).bytes;
}

/** Every vertex with the K nearest bones, nearer ones more: all weights count. @param {Rig} rig @param {number} K */
export function softWeights({ mesh, bones }, K) {
  const n = mesh.positions.length / 3;
  const found = { slots: K, bones: new Uint16Array(n * K), weights: new Float32Array(n * K) };
  for (let i = 0; i < n; i++) {
    const near = bones
      .map(({ rest }, bone) => {
        const apart = Math.hypot(...[0, 1, 2].map((c) => rest[4 * c + 3] - mesh.positions[3 * i + c]));
        return { bone, weight: 1 / (apart + 0.02) ** 2 };
      })
      .sort((a, b) => b.weight - a.weight || a.bone - b.bone)
      .slice(0, K);
    const sum = near.reduce((total, { weight }) => total + weight, 0);
    near.forEach(({ bone, weight }, s) => {
      found.bones[i * K + s] = bone;
      found.weights[i * K + s] = weight / sum;
    });
  }
  return found;
}

/** UVs with a seam: vertices along it are split in the file. @param {Rig} rig @returns {Rig} */
function withSeam(rig) {
  const { triangles, positions } = rig.mesh;
  const values = new Float32Array(2 * triangles.length);
  triangles.forEach((i, corner) => {
    const first = triangles[3 * Math.floor(corner / 3)];
    const left = positions[3 * first] < 0 ? 0.5 : 0;
    values.set([left + 0.5 * Math.abs(positions[3 * i]), positions[3 * i + 1] / 2], 2 * corner);
  });
  const uvs = { size: /** @type {const} */ (2), values, indices: Uint32Array.from(triangles, (_, corner) => corner) };
  return { ...rig, mesh: { ...rig.mesh, uvs } };
}

/** Smooth normals. @param {import('@pelt/model').Mesh} mesh @returns {import('@pelt/model').Mesh} */
export function withNormals(mesh) {
  const sums = vertexNormals(mesh.positions, mesh.triangles, new Float64Array(mesh.positions.length));
  const values = Float32Array.from(sums, (value, k) => {
    const at = k - (k % 3);
    return value / (Math.hypot(sums[at], sums[at + 1], sums[at + 2]) || 1);
  });
  return { ...mesh, normals: { size: 3, values } };
}
