/** A handle pulled far beyond reach. */
import { frameAt, frameCount } from '@pelt/model';
import { createPoseSession } from '@pelt/skin';
import { extremities } from '@pelt/testkit';
import { distance, handlesOn } from './subjects.mjs';

/**
 * One of five handles pulled away by half the size along each axis: growth of edges against the rest pose, and against
 * the longest that each edge is in the rest pose and the examples (which stretch some edges by more than ten themselves).
 * A pose that has come to rest must stay, to less than a pixel of a thousand, when the search goes on from there.
 */
export function farPull(name, { rig, poser, examples }, numerics) {
  const rest = rig.mesh.positions;
  const { triangles } = rig.mesh;
  const tips = extremities(rest, 5);
  const session = createPoseSession(poser, {}, { numerics });
  const posed = new Float32Array(rest.length);
  const length = (x, k) => {
    const [a, b] = [3 * triangles[k], 3 * triangles[k % 3 === 2 ? k - 2 : k + 1]];
    return Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
  };
  const longest = Float64Array.from({ length: triangles.length }, (_, k) => length(rest, k));
  let taught = 1;
  for (let e = 0; e < frameCount(examples); e++) {
    for (let k = 0; k < triangles.length; k++) longest[k] = Math.max(longest[k], length(frameAt(examples, e), k));
  }
  for (let k = 0; k < triangles.length; k++) taught = Math.max(taught, longest[k] / length(rest, k));
  let [stretch, beyond, moved] = [0, 0, 0];
  for (let pulled = 0; pulled < tips.length; pulled++) {
    for (let axis = 0; axis < 6; axis++) {
      const handles = handlesOn(rest, tips);
      handles[pulled].target[axis % 3] += (axis < 3 ? 0.5 : -0.5) * poser.size;
      session.setHandles([]);
      session.setBlend(new Float64Array(session.blend.length));
      session.setHandles(handles);
      session.step();
      session.positions(posed);
      for (let k = 0; k < triangles.length; k++) {
        const now = length(posed, k);
        stretch = Math.max(stretch, now / length(rest, k));
        beyond = Math.max(beyond, now / longest[k]);
      }
      const before = posed.slice();
      // Regions that are set wake the session: it looks for a lower cost from where it stopped.
      session.setRegions({});
      session.step();
      moved = Math.max(moved, distance(session.positions(posed), before) / poser.size);
    }
  }
  session.dispose();
  return [
    {
      case: name,
      metric: 'pulled far: an edge against the rest pose',
      value: stretch,
      unit: '×',
      reference: taught,
      referenceName: 'in the examples themselves',
      target: 'value <= 4',
    },
    {
      case: name,
      metric: 'pulled far: an edge against its longest example',
      value: beyond,
      unit: '×',
      target: 'value <= 2',
    },
    { case: name, metric: 'pulled far: movement when woken', value: moved, unit: 'sizes', target: 'value <= 1e-3' },
  ];
}
