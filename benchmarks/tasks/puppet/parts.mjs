/**
 * What parts are for: the hind legs of a dog, which follow the performer's legs, must stay while only the arms move, and
 * must still go when the legs do. Both beside a single projection of the whole body.
 */
import { createPuppet } from '@pelt/skin';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const IN_PLACE = { delay: 0, travel: 0, turn: false };
const FRAMES = 200;

/** What the performer does at frame t, and how far the hind legs may turn, or must, beside a single projection. */
const PERFORMANCES = [
  { name: 'arms alone', pose: waving, target: 'ratio <= 0.02' },
  { name: 'steps alone', pose: stepping, target: 'ratio >= 0.9' },
];

export async function measure(context) {
  const dog = dogCharacter(0.06);
  return PERFORMANCES.flatMap(({ name, pose, target }) => {
    if (!context.wants(name)) return [];
    context.log(name);
    const reference = turnOfHindLegs(dog, pose, {});
    return ['body', 'limbs'].map((parts) => ({
      case: `${name}, parts: ${parts}`,
      metric: 'turn of the hind legs',
      value: turnOfHindLegs(dog, pose, { parts }),
      unit: '°',
      reference,
      referenceName: 'one projection',
      target,
    }));
  });
}

function waving(t) {
  const [a, b] = [60 * Math.sin(t / 8), 70 * Math.sin(t / 11)];
  return {
    leftShoulder: { degrees: [a, 0, 40 + b / 2] },
    rightShoulder: { degrees: [-b, 0, -40 + a / 2] },
    leftElbow: { degrees: [-20 + a / 3, 0, 0] },
  };
}

/** The steps of the pairs, without what the arms do there. */
function stepping(t) {
  const swing = Math.sin(t / 10);
  const leg = (side, forward) => ({
    [`${side}Hip`]: { degrees: [forward > 0 ? -40 * forward : -25 * forward, 0, 0] },
    [`${side}Knee`]: { degrees: [forward > 0 ? 15 * forward : -20 * forward, 0, 0] },
  });
  return { ...leg('left', swing), ...leg('right', -swing) };
}

/** Mean degrees of thighs and shins from the rest pose. */
function turnOfHindLegs({ rig, registration }, pose, options) {
  const hind = rig.bones.flatMap(({ name }, j) => (/hind (thigh|shin)/.test(name) ? [j] : []));
  const puppet = createPuppet(
    { character: rig, pairs: registration, performer: PERFORMER_JOINTS },
    { ...IN_PLACE, ...options },
  );
  let total = 0;
  for (let t = 0; t < FRAMES; t++) {
    const { transforms } = puppet.update(performerPose(pose(t)), t / 30);
    for (const j of hind) {
      const trace = transforms[12 * j] + transforms[12 * j + 5] + transforms[12 * j + 10];
      total += Math.acos(Math.min(1, (trace - 1) / 2));
    }
  }
  return ((180 / Math.PI) * total) / (FRAMES * hind.length);
}
