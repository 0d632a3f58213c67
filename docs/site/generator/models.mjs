// @ts-check
/**
 * The models of the live examples, all of them generated: what pelt makes of the testkit's scenes, as files that pelt
 * writes. Those that are quick to make are made in the page itself.
 */
import { writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { SequenceErrorMeter } from '@pelt/model';
import { bakeVirtualBones, decompose, extractSkeleton, reduceTwoLayer, reduceWeights } from '@pelt/skin';
import { armScene, bendTwistScene, blendFrames, creatureScene, elbowScene, octopusCharacter } from '@pelt/testkit';
import {
  envelopeModel,
  learntSkin,
  plainModel,
  poserModel,
  withNormals,
} from '../../../packages/three/examples/models.mjs';

/** Where they are in the site. */
const FOLDER = 'assets/models';

/** @returns {Promise<Map<string, string | Uint8Array>>} */
export async function liveModels() {
  const numerics = await openNumerics({ threads: 2 });
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map();
  const put = (/** @type {string} */ name, /** @type {string | Uint8Array} */ body) =>
    files.set(`${FOLDER}/${name}`, body);
  try {
    const walk = creatureScene({ frames: 24, detail: 0.05 });
    const { rig, clip, limits } = extractSkeleton(walk.sequence, {}, { numerics });
    put('skeleton.glb', (await writeSkinnedGlb({ rig: smooth(rig), clips: [clip] })).bytes);
    put('skeleton.json', JSON.stringify(limits.map((limit) => limit?.axis ?? [1, 0, 0])));
    put('crowd.glb', await plainModel(smoothScene(creatureScene({ frames: 24, detail: 0.08 }))));
    put('poser.glb', await poserModel(creatureScene({ frames: 12, detail: 0.05 }), numerics, 16, 120, false));
    put('poser.json', JSON.stringify(feetOf(creatureScene({ frames: 12, detail: 0.05 }))));
    for (const [name, body] of await reduced(numerics)) put(name, body);
    const bend = elbowScene({ frames: 25, rings: 41, sides: 24, radius: 0.13 });
    const skin = learntSkin(bend, numerics, [0, 12, 24], { proxies: 24, keys: 40, samples: 20 });
    put('envelope.glb', await envelopeModel(skin, bend));
    put('elbow.glb', (await writeSkinnedGlb({ rig: smooth(skin.rig), clips: [] })).bytes);
    put('volume.glb', await plainModel(smoothScene(bendTwistScene({ frames: 2 }))));
    put('puppet.glb', (await writeSkinnedGlb({ rig: smooth(octopusCharacter().rig), clips: [] })).bytes);
  } finally {
    numerics.close();
  }
  return files;
}

/**
 * The arm fitted with eight weights per vertex, then truncated and refitted to fewer, and as two layers; with the error of
 * each against the eight.
 *
 * @param {import('@pelt/math').Numerics} numerics
 */
async function reduced(numerics) {
  const { rig, clip } = decompose(armScene({ frames: 30 }).sequence, { bones: 16, weights: 8 }, { numerics });
  const truth = blendFrames(rig, clip);
  const size = rig.mesh.positions.length;
  const input = { rig, clips: [clip] };
  /** @type {[string, string | Uint8Array][]} */
  const files = [['reduce-8.glb', (await writeSkinnedGlb({ rig: smooth(rig), clips: [clip] })).bytes]];
  /** @type {Record<string, number>} */
  const errors = {};
  const put = async (
    /** @type {string} */ name,
    /** @type {{ rig: import('@pelt/model').Rig, clips: readonly import('@pelt/model').Clip[] }} */ found,
  ) => {
    files.push([
      `reduce-${name}.glb`,
      (await writeSkinnedGlb({ rig: smooth(found.rig), clips: [...found.clips] })).bytes,
    ]);
    const shown = blendFrames(found.rig, found.clips[0]);
    const meter = new SequenceErrorMeter(rig.mesh, clip.times.length);
    for (let k = 0; k < truth.length; k += size)
      meter.addFrame(truth.subarray(k, k + size), shown.subarray(k, k + size));
    errors[name] = meter.result().eRms;
  };
  for (const weights of [4, 2]) {
    for (const method of /** @type {const} */ (['k-largest', 'refit'])) {
      await put(`${weights}-${method}`, reduceWeights(input, { weights, method }, { numerics }));
    }
  }
  const { skin } = reduceTwoLayer(input, { virtual: 160 }, { numerics });
  await put('two-layer', bakeVirtualBones({ ...input, skin }));
  files.push(['reduce.json', JSON.stringify(errors)]);
  return files;
}

/** The lowest vertex of each leg: what a keyboard takes hold of. @param {import('@pelt/testkit').Scene} scene */
function feetOf({ rig }) {
  const { slots, bones, weights } = rig.weights;
  return rig.bones.flatMap(({ name }, j) => {
    if (!/shin|head|tail tip/.test(name)) return [];
    let [best, least] = [-1, Number.POSITIVE_INFINITY];
    const sign = name === 'head' ? -1 : 1;
    for (let i = 0; i < rig.mesh.positions.length / 3; i++) {
      const held = [...Array(slots).keys()].some((s) => bones[i * slots + s] === j && weights[i * slots + s] > 0.9);
      const height = sign * rig.mesh.positions[3 * i + 1];
      if (held && height < least) [best, least] = [i, height];
    }
    return best < 0 ? [] : [{ name: name.replace('shin', 'foot'), vertex: best }];
  });
}

/** @param {import('@pelt/model').Rig} rig @returns {import('@pelt/model').Rig} */
function smooth(rig) {
  return { ...rig, mesh: withNormals(rig.mesh) };
}

/** @param {import('@pelt/testkit').Scene} scene */
function smoothScene(scene) {
  return { ...scene, rig: smooth(scene.rig) };
}
