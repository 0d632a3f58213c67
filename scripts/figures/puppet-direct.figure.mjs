// @ts-check
/** A captured cartwheel, and the same frames retargeted directly to a soldier. Needs the measured data. */
import { readFileSync } from 'node:fs';
import { clipFromSkeleton, readBvh, readGltf, readMotion, readRig } from '@pelt/io';
import { jointsAt, poseAt } from '@pelt/model';
import { createPuppet, deformLinear, suggestNeutral } from '@pelt/skin';
import { realData, realDataFolder } from '@pelt/testkit';
import { bonesItem, meshItem } from './describe.mjs';

const CLIP = 'motion/cmu-49_06.bvh';
const FRAMES = [60, 150, 190, 230, 270, 330];
const ABOVE = /** @type {const} */ ({ direction: [0.2, 0.12, 1], margin: 0.04 });
/** The soldier faces −Z. */
const BELOW = /** @type {const} */ ({ direction: [-0.2, 0.12, -1], margin: 0.04 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { rig } = readRig(await readGltf(read('gltf/Soldier.glb'), { name: 'Soldier' }));
  const motion = readMotion(read(CLIP), { name: CLIP });
  const { bones, clip } = clipFromSkeleton(readBvh(read(CLIP), { name: CLIP }));
  const neutral = suggestNeutral(motion);
  const puppet = createPuppet({ character: rig, performer: motion.joints, neutral }, { delay: 0, travel: 0 });
  const scene = /** @type {const} */ ('scene');
  /** @type {import('./description.ts').ScenePanel[]} */
  const performers = [];
  /** @type {import('./description.ts').ScenePanel[]} */
  const soldiers = [];
  for (const t of motion.times.keys()) {
    const { transforms } = puppet.update(jointsAt(motion, t), motion.times[t]);
    if (!FRAMES.includes(t)) continue;
    const positions = new Float32Array(rig.mesh.positions.length);
    deformLinear(rig.mesh.positions, rig.weights, transforms, positions);
    const pose = poseAt(clip, t, bones.length).transforms;
    const title = `${motion.times[t].toFixed(1)} s`;
    performers.push({ kind: scene, title, view: ABOVE, items: [bonesItem(bones, pose, { radius: 0.35 })] });
    soldiers.push({ kind: scene, view: BELOW, items: [meshItem(rig.mesh, { positions })] });
  }
  return {
    width: 820,
    panelHeight: 150,
    columns: FRAMES.length,
    sameView: false,
    panels: [...performers, ...soldiers],
  };
}

/**
 * @param {string} path
 * @returns {Uint8Array}
 */
function read(path) {
  const file = realData(path);
  if (!file) throw new Error(`${path} is not in ${realDataFolder()}; set PELT_DATA`);
  return readFileSync(file);
}
