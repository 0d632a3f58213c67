/** What Sun (2017, chapter 5) found of projections and interpolations, and what the parts are for. */
import { register } from '@pelt/skin';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const IN_PLACE = { delay: 0, travel: 0, turn: false };

export async function measure(context) {
  context.log('findings of the paper');
  return [...shifts(), ...limbs(), ...parts()];
}

const dog = dogCharacter(0.06);

function weightsOf(pose, options) {
  const puppet = register(dog.rig, dog.registration, PERFORMER_JOINTS, { ...IN_PLACE, ...options });
  puppet.update(pose, 0);
  return [...puppet.weights];
}

/** Summed change of the weights when the performer stands half a metre further; the paper's table 5.8 has up to 4.70. */
function shifts() {
  const pose = { leftShoulder: { degrees: [-40, 0, 60] }, rightHip: { degrees: [-30, 0, 0] } };
  // linear, l1, positive along x, y, z: the larger of the paper's two inputs
  const published = { linear: [2.54, 4.7, 0.72], l1: [1.98, 3.89, 0.39], positive: [1.88, 1.12, 0.22] };
  return Object.entries(published).flatMap(([projection, figures]) =>
    ['x', 'y', 'z'].map((axis, k) => {
      const at = [0, 0, 0].with(k, 0.5);
      const [here, there] = [{}, { at }].map((place) => weightsOf(performerPose(pose, place), { projection }));
      const value = here.reduce((sum, weight, i) => sum + Math.abs(weight - there[i]), 0);
      return {
        case: `shift by 0.5 in ${axis}, ${projection}`,
        metric: 'change of the weights',
        value,
        unit: '',
        reference: figures[k],
        referenceName: 'Sun 2017, table 5.8',
        target: 'value <= 0.001',
      };
    }),
  );
}

/** Largest relative change of a limb's length at (−1, 2). */
function limbs() {
  const stretch = (interpolation) => {
    const puppet = register(dog.rig, dog.registration, PERFORMER_JOINTS, { interpolation });
    const weights = new Float64Array(dog.registration.pairs.length);
    [weights[0], weights[3]] = [-1, 2];
    const { transforms } = puppet.blend(weights);
    const origins = (posed) =>
      dog.rig.bones.map(({ rest }, j) =>
        [0, 4, 8].map((row) => {
          const [a, b, c, d] = posed
            ? transforms.subarray(12 * j + row, 12 * j + row + 4)
            : [row === 0, row === 4, row === 8, 0];
          return a * rest[3] + b * rest[7] + c * rest[11] + d;
        }),
      );
    const [posed, rest] = [origins(true), origins(false)];
    const length = (points, j, p) => Math.hypot(...points[j].map((value, k) => value - points[p][k]));
    return Math.max(
      ...dog.rig.bones.map(({ parent }, j) =>
        parent < 0 ? 0 : Math.abs(length(posed, j, parent) / length(rest, j, parent) - 1),
      ),
    );
  };
  const [value, reference] = [stretch('kinematic'), stretch('linear')];
  return [
    {
      case: 'dog at (−1, 2)',
      metric: 'change of limb length',
      value,
      unit: '',
      reference,
      referenceName: 'linear blending',
      target: 'value <= 1e-9',
    },
  ];
}

/** How far the hind legs turn while only the arms move, against a single projection. */
function parts() {
  const hind = dog.rig.bones.flatMap(({ name }, j) => (/hind (thigh|shin)/.test(name) ? [j] : []));
  const disturbance = (options) => {
    const puppet = register(dog.rig, dog.registration, PERFORMER_JOINTS, { ...IN_PLACE, ...options });
    let total = 0;
    for (let t = 0; t < 200; t++) {
      const [a, b] = [60 * Math.sin(t / 8), 70 * Math.sin(t / 11)];
      const pose = performerPose({
        leftShoulder: { degrees: [a, 0, 40 + b / 2] },
        rightShoulder: { degrees: [-b, 0, -40 + a / 2] },
        leftElbow: { degrees: [-20 + a / 3, 0, 0] },
      });
      const { transforms } = puppet.update(pose, t / 30);
      for (const j of hind) {
        const trace = transforms[12 * j] + transforms[12 * j + 5] + transforms[12 * j + 10];
        total += Math.acos(Math.min(1, (trace - 1) / 2));
      }
    }
    return ((180 / Math.PI) * total) / (200 * hind.length);
  };
  const reference = disturbance({});
  return ['body', 'limbs'].map((name) => ({
    case: `arms alone, parts: ${name}`,
    metric: 'turn of the hind legs',
    value: disturbance({ parts: name }),
    unit: '°',
    reference,
    referenceName: 'one projection',
    target: 'ratio <= 0.02',
  }));
}
