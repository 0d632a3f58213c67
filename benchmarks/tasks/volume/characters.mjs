/** Real bodies in motion: two that dance after a capture, and a hand that closes. */
import { readFileSync } from 'node:fs';
import { readBvh, readObj } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { bindVolume, createVolumeDeformer, measureBody, placeSkeleton, tetrahedralize } from '@pelt/skin';
import { closingHand } from './closing-hand.mjs';
import { ARMADILLO, HAND, SAMBA } from './landmarks.mjs';
import { astray, looks, rivalLooks, smoothnessRows } from './side-by-side.mjs';

const DANCE = 'motion/cmu-dance.bvh';
const FILES = { armadillo: 'closed/armadillo.obj', samba: 'samba/rest.obj', hand: 'closed/hand_closed.obj' };
/** Every so many frames of the capture, which has 120 a second. */
const STEP = 4;
const FRAMES = 60;
/** Looks are judged in every so many frames, and their means over these are compared. */
const JUDGED = 10;
/** Bound of mean roughness relative to dual quaternions: a skirt is one solid with the legs that part it. */
const ROUGHEST = { samba: 1.15 };

export const needs = [DANCE, ...Object.values(FILES)];

export async function measure(context) {
  const dance = readBvh(readFileSync(context.data(DANCE)), { name: DANCE });
  const dancer = (landmarks) => {
    const { bones, tips, clip } = placeSkeleton({ motion: dance, landmarks: new Map(Object.entries(landmarks)) });
    return {
      bones,
      tips,
      poses: Array.from({ length: FRAMES }, (_, t) => poseAt(clip, STEP * t, bones.length).transforms),
    };
  };
  const numerics = await openNumerics({ threads: 2 });
  try {
    return [
      ['armadillo', dancer(ARMADILLO)],
      ['samba', dancer(SAMBA)],
      ['hand', closingHand(HAND, FRAMES)],
    ].flatMap(([name, { bones, tips, poses }]) => {
      const mesh = readObj(readFileSync(context.data(FILES[name])), { name });
      const row = { case: `${name} in motion, ${mesh.positions.length / 3} vertices` };
      if (!context.wants(row.case)) return [];
      context.log(row.case);
      const { mesh: body } = tetrahedralize(mesh);
      const binding = bindVolume({ body, bones }, { tips }, { numerics });
      // What automatic weights are where nothing is held.
      const { skin } = bindVolume({ body, bones }, { tips, constraints: Uint32Array.of(0) }, { numerics });
      const subject = { mesh, body, binding, skin };
      const judged = [];
      const deformer = createVolumeDeformer({ surface: mesh, bones, binding }, {}, { numerics });
      const out = new Float32Array(mesh.positions.length);
      let [milliseconds, volume, inverted] = [0, Number.POSITIVE_INFINITY, 0];
      poses.forEach((pose, t) => {
        const start = performance.now();
        deformer.deform(pose, out);
        // The first comes from the rest pose, far away.
        if (t > 0) milliseconds += performance.now() - start;
        const measures = measureBody(body, deformer.bodyPositions);
        volume = Math.min(volume, measures.volume);
        inverted = Math.max(inverted, measures.inverted);
        if (t % JUDGED !== JUDGED - 1) return;
        const x = deformer.bodyPositions;
        judged.push({
          own: { ...looks(subject, x), astray: astray(subject, pose, x) },
          rival: rivalLooks(subject, pose),
        });
      });
      const mean = (whose) =>
        Object.fromEntries(
          Object.keys(judged[0][whose]).map((key) => [
            key,
            judged.reduce((sum, frame) => sum + frame[whose][key], 0) / judged.length,
          ]),
        );
      deformer.dispose();
      return [
        { ...row, metric: 'frames', value: (1000 * (poses.length - 1)) / milliseconds, unit: 'a second' },
        { ...row, metric: 'least volume', value: 100 * volume, unit: '% of rest', target: 'value >= 99' },
        { ...row, metric: 'inverted tetrahedra, at most', value: inverted, unit: '', target: 'value <= 0' },
        ...smoothnessRows(row.case, mean('own'), mean('rival'), ROUGHEST[name]),
      ];
    });
  } finally {
    numerics.close();
  }
}
