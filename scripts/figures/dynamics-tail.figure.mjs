// @ts-check
/** Moments of a tail in a take that did not train: simulated, with the pose alone, and with its learnt swing. */
import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { createSwingDeformer, reduceEnvelope, trainDynamics, trainEnvelope } from '@pelt/skin';
import { swingScene } from '@pelt/testkit';
import { meshItem } from './describe.mjs';

const VIEW = /** @type {const} */ ({ direction: [1, 0.5, 0.1], margin: 0.06 });
const MOMENTS = [32, 40, 48];
const TAKE = { seconds: 3, fps: 30 };

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 1 });
  const run = { numerics };
  const scene = swingScene('tail');
  const kinds = /** @type {const} */ (['sway', 'turn', 'hop', 'walk']);
  const takes = [1, 2].flatMap((seed) => kinds.map((kind) => scene.take({ kind, seed, strength: 0.8 }, TAKE)));
  const { envelope: full } = trainEnvelope({ rig: scene.rig, ...takes[0] }, { method: 'ssd', frames: [0, 40] }, run);
  const envelope = reduceEnvelope({ envelope: full, poses: [] }, {}, run);
  const trained = trainDynamics({ envelope, takes }, { proxies: 8 }, run);
  const { clip, sequence } = scene.take({ kind: 'hop', seed: 11, strength: 0.8 }, TAKE);
  const rows = [0, 1].map((gain) => {
    const deformer = createSwingDeformer(trained, { gain }, run);
    const shapes = Array.from(clip.times, (_, t) => {
      const out = new Float32Array(sequence.rest.positions.length);
      return deformer.deform(poseAt(clip, t, 1).transforms, t > 0 ? 1 / TAKE.fps : 0, out);
    });
    deformer.dispose();
    return shapes;
  });
  numerics.close();
  const names = ['the pose alone', 'with its swing'];
  const panels = [
    ...MOMENTS.map((t) => ({ title: `simulated, ${clip.times[t].toFixed(2)} s`, positions: frameAt(sequence, t), t })),
    ...rows.flatMap((shapes, k) => MOMENTS.map((t) => ({ title: names[k], positions: shapes[t], t }))),
  ].map(({ title, positions, t }, k) => {
    const truth = frameAt(sequence, t);
    const values = Float32Array.from(
      { length: truth.length / 3 },
      (_, i) => 1000 * Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c] - truth[3 * i + c])),
    );
    const heat =
      k < MOMENTS.length ? {} : { heat: { values, min: 0, max: 120, name: 'distance to the simulation', unit: 'mm' } };
    return {
      kind: /** @type {const} */ ('scene'),
      title,
      view: VIEW,
      items: [meshItem(scene.rig.mesh, { positions, ...heat })],
    };
  });
  return { width: 840, panelHeight: 190, columns: 3, samples: 24, panels };
}
