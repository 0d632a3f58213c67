/** One foot pulled without pins: what is far stays. */
import { createPoseSession } from '@pelt/skin';
import { handlesOn } from './subjects.mjs';

/** Height above the ground and distance of two feet, the pull, and what counts as far, in sizes of the model. */
const GROUND = 0.06;
const APART = 0.07;
const PULL = 0.1;
const FAR = 0.5;

/** Each foot pulled by a tenth of the size along each axis from the rest pose: the largest movement of what is far. */
export function locality(name, { rig, poser }, numerics) {
  const rest = rig.mesh.positions;
  const away = (x, i, y, j) => Math.hypot(...[0, 1, 2].map((c) => x[3 * i + c] - y[3 * j + c])) / poser.size;
  const posed = new Float32Array(rest.length);
  let [far, missed] = [0, 0];
  for (const foot of feet(rest, poser.size)) {
    for (let axis = 0; axis < 6; axis++) {
      const session = createPoseSession(poser, {}, { numerics });
      const handles = handlesOn(rest, [foot]);
      handles[0].target[axis % 3] += (axis < 3 ? PULL : -PULL) * poser.size;
      session.setHandles(handles);
      session.step();
      session.positions(posed);
      missed = Math.max(missed, session.handleError(0) / poser.size);
      session.dispose();
      for (let i = 0; 3 * i < rest.length; i++) {
        if (away(rest, i, rest, foot) > FAR) far = Math.max(far, away(posed, i, rest, i));
      }
    }
  }
  const pulled = 'one foot pulled by 10 %';
  return [
    {
      case: name,
      metric: `${pulled}: largest movement of what is half a size away`,
      value: 100 * far,
      unit: '%',
      target: 'value <= 0.5',
    },
    { case: name, metric: `${pulled}: largest distance from its target`, value: 100 * missed, unit: '%' },
  ];
}

/** The lowest vertices, y up, that are not next to each other. */
function feet(positions, size) {
  const height = (i) => positions[3 * i + 1];
  const low = Array.from({ length: positions.length / 3 }, (_, i) => i).sort((a, b) => height(a) - height(b));
  const out = [];
  for (const i of low) {
    if (height(i) > height(low[0]) + GROUND * size) break;
    const beside = (j) => Math.hypot(positions[3 * i] - positions[3 * j], positions[3 * i + 2] - positions[3 * j + 2]);
    if (out.every((j) => beside(j) > APART * size)) out.push(i);
  }
  return out;
}
