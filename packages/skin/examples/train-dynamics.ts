import { openNumerics } from '@pelt/math';
import { createSwingDeformer, type SwingDeformer, trainDynamics } from '@pelt/skin/dynamics';
import { reduceEnvelope, trainEnvelope } from '@pelt/skin/envelope';
import { swingScene } from '@pelt/testkit';

const numerics = await openNumerics();
const run = { numerics };
const scene = swingScene('tail');
const takes = [1, 2, 3].map((seed) => scene.take({ kind: 'sway', seed, strength: 0.5 }, { seconds: 2, fps: 30 }));

// The skin that follows the pose alone, here plain skinning; then what is left of the motion.
const { envelope: full } = trainEnvelope({ rig: scene.rig, ...takes[0] }, { method: 'ssd', frames: [0, 30] }, run);
const envelope = reduceEnvelope({ envelope: full, poses: [] }, {}, run);
const trained = trainDynamics({ envelope, takes }, { proxies: 6 }, run);
if (trained.method !== 'resonators') throw new Error('a tail swings');

// Played at another rate than that of the takes.
const swinging: SwingDeformer = createSwingDeformer(trained, {}, run);
const fast = scene.take({ kind: 'sway', seed: 4, strength: 0.5 }, { seconds: 1, fps: 60 });
const positions = new Float32Array(scene.rig.mesh.positions.length);
for (let t = 0; t < fast.clip.times.length; t++) {
  swinging.deform(fast.clip.transforms.subarray(12 * t, 12 * (t + 1)), t > 0 ? 1 / 60 : 0, positions);
}
if (!positions.every(Number.isFinite)) throw new Error('every vertex has a place');
swinging.dispose();
numerics.close();
