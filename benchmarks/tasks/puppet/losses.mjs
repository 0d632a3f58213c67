/**
 * A tracker that loses an arm, a leg or everything for a while: the largest step of any bone from then until a second after
 * the return, beside the same performance without the loss.
 */
import { createPuppet, suggestKeyPoses, suggestNeutral } from '@pelt/skin';
import { captureOf, registrationOf } from './captured-motion.mjs';
import { characterOf, originOf, play } from './follow.mjs';

/** The cartwheel's own steps are larger than any that a loss may make. */
const CLIPS = [
  ['08_01', 'value <= 5'],
  ['16_17', 'value <= 5'],
  ['49_06', 'ratio <= 1.2'],
];
const CHARACTER = 'Soldier';
const LOSSES = [
  ['an arm for 0.5 s', /^left(Shoulder|Elbow|Wrist|Hand)/, 0.5],
  ['a leg for 1 s', /^left(Hip|Knee|Ankle|Toes)/, 1],
  ['all for 1 s', /./, 1],
];
const FROM = 0.8;
export const needs = [`gltf/${CHARACTER}.glb`, ...CLIPS.map(([clip]) => `motion/cmu-${clip}.bvh`)];

export async function measure(context) {
  const rows = [];
  for (const [clip, target] of CLIPS) {
    const place = `${clip}, tracking lost`;
    if (!context.wants(place)) continue;
    context.log(place);
    const capture = captureOf(context, clip);
    const { motion } = capture;
    const soldier = await characterOf(context, CHARACTER);
    const pairs = registrationOf(capture, suggestKeyPoses(motion, { count: 12 }));
    const direct = { character: soldier, performer: motion.joints, neutral: suggestNeutral(motion) };
    const byPairs = { character: capture.rig, pairs, performer: motion.joints };
    for (const [name, lost, seconds] of LOSSES) {
      for (const [how, data, options] of [
        ['directly', direct, {}],
        ['by pairs', byPairs, { base: 'pairs' }],
      ]) {
        const [value, reference] = [lost, /^$/].map((pattern) =>
          largestStep(data, options, withLoss(motion, pattern, seconds), seconds),
        );
        rows.push({
          case: `${place}: ${name}, ${how}`,
          metric: 'largest step',
          value,
          unit: '% of the height per frame',
          reference,
          referenceName: 'nothing lost',
          target,
        });
      }
    }
  }
  return rows;
}

function withLoss(motion, lost, seconds) {
  const J = motion.joints.length;
  const confidence = Float32Array.from(motion.confidence, (value, k) => {
    const time = motion.times[Math.floor(k / J)];
    return time >= FROM && time < FROM + seconds && lost.test(motion.joints[k % J]) ? 0 : value;
  });
  return { ...motion, confidence };
}

function largestStep(data, options, motion, seconds) {
  const { bones, mesh } = data.character;
  const heights = mesh.positions.filter((_, k) => k % 3 === 1);
  const height =
    heights.reduce((high, y) => Math.max(high, y), -Infinity) - heights.reduce((low, y) => Math.min(low, y), Infinity);
  const poses = play(createPuppet(data, options), motion);
  let largest = 0;
  for (let t = 1; t < poses.length; t++) {
    if (motion.times[t] < FROM || motion.times[t] > FROM + seconds + 1) continue;
    bones.forEach((bone, j) => {
      const [a, b] = [poses[t - 1], poses[t]].map((pose) => originOf(bone, pose, j));
      largest = Math.max(largest, (100 * Math.hypot(...a.map((value, k) => value - b[k]))) / height);
    });
  }
  return largest;
}
