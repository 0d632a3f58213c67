/**
 * An elastic bar that two arms squeeze and twist: fewer degrees of freedom than a body, and motions that no body can do.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, figure 5.2b: two pairs.
 */
import type { JointPose, Rig } from '@pelt/model';
import { boneAt } from '../scene.ts';
import { weightsBy } from '../scenes/rod-scene.ts';
import { tube } from '../shapes/tube.ts';
import { type Character, characterOf } from './character.ts';
import { PERFORMER_POSES } from './performer.ts';

/** The bar stands upright, with a joint at each fifth of it. */
const JOINTS = 6;
const HEIGHT = 1.2;
const HALF = 0.14;
/** How far each joint comes down when the bar is squeezed, and turns. */
const SQUEEZE = -0.09;
const TWIST = 24;

export function barCharacter(): Character {
  // The ring of a tube, pushed out to a square with rounded edges (a superellipse of degree 6), so that twist is seen.
  const lying = tube({ name: 'bar', length: HEIGHT, rings: 41, sides: 24, section: () => [HALF, HALF] });
  const positions = new Float32Array(lying.positions.length);
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = lying.positions.subarray(k, k + 3);
    const norm = ((y / HALF) ** 6 + (z / HALF) ** 6) ** (1 / 6);
    const push = norm === 0 ? 0 : Math.hypot(y / HALF, z / HALF) / norm;
    positions.set([push * z, x, push * y], k);
  }
  const spacing = HEIGHT / (JOINTS - 1);
  const rig: Rig = {
    name: 'bar',
    mesh: { ...lying, positions },
    bones: Array.from({ length: JOINTS }, (_, k) => boneAt(`bar ${k}`, k - 1, [0, k * spacing, 0])),
    weights: weightsBy(positions.length / 3, JOINTS, (i) =>
      Array.from({ length: JOINTS }, (_, k) => Math.max(0, 1 - Math.abs(positions[3 * i + 1] / spacing - k))),
    ),
  };
  const squeezed: JointPose = Object.fromEntries(
    rig.bones.slice(1).map(({ name }) => [name, { translation: [0, SQUEEZE, 0], degrees: [0, TWIST, 0] }]),
  );
  return characterOf(rig, [
    ['arms straight', PERFORMER_POSES.armsStraight, {}],
    ['arms front', PERFORMER_POSES.armsFront, squeezed],
  ]);
}
