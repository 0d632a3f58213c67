// @ts-check
/** A pair that is given by handles: the performer, the dog at rest with two points dragged, and the pose that follows. */
import { openNumerics } from '@pelt/math';
import { buildPoser, createPoseSpace, deformLinear } from '@pelt/skin';
import { dogCharacter } from '@pelt/testkit';
import { meshItem } from './describe.mjs';
import { performerItem } from './performer-item.mjs';

const VIEW = /** @type {const} */ ({ direction: [1, 0.3, 0.75], margin: 0.04 });
const [FROM, TO] = ['#3060c0', '#c03028'];

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { rig, registration } = dogCharacter(0.025);
  const { positions: rest } = rig.mesh;
  const { pairs } = registration;
  const poses = pairs.map(({ character }) => character.transforms);
  const clip = { name: 'poses', times: Float64Array.from(poses.keys()), transforms: joined(poses) };
  const numerics = await openNumerics();
  const poser = buildPoser({ rig, clip });
  const space = createPoseSpace(poser, { numerics });
  // The points that move farthest in one of its poses, one in front and one behind, and where they are dragged to.
  const paw = pairs.findIndex(({ name }) => name === 'paw');
  const posed = new Float32Array(rest.length);
  deformLinear(rest, rig.weights, poses[paw], posed);
  const vertices = [farthest(rest, posed, (z) => z > 0), nearest(rest, posed)];
  const handles = vertices.map((vertex) => ({ vertex, target: [...posed.subarray(3 * vertex, 3 * vertex + 3)] }));
  const { pose } = space.ofHandles(handles);
  const transforms = new Float64Array(12 * rig.bones.length);
  space.pose(pose, transforms);
  const found = space.positions(transforms, new Float32Array(rest.length));
  space.dispose();
  numerics.close();
  const points = (/** @type {Float32Array} */ from) => vertices.flatMap((i) => [...from.subarray(3 * i, 3 * i + 3)]);
  const dots = (/** @type {number[]} */ positions, /** @type {string} */ colour) =>
    /** @type {const} */ ({ kind: 'points', positions, colour, radius: 0.03 });
  return {
    width: 820,
    panelHeight: 200,
    columns: 3,
    sameView: false,
    panels: [
      { kind: 'scene', title: 'the performer', view: VIEW, items: [performerItem(pairs[paw].performer)] },
      {
        kind: 'scene',
        title: 'two points, from and to',
        view: VIEW,
        items: [
          meshItem(rig.mesh, { opacity: 0.4 }),
          dots(points(rest), FROM),
          dots(
            handles.flatMap(({ target }) => target),
            TO,
          ),
        ],
      },
      {
        kind: 'scene',
        title: 'the pose of the pair',
        view: VIEW,
        items: [meshItem(rig.mesh, { positions: found }), dots(points(found), TO)],
      },
    ],
  };
}

/** @param {readonly Float64Array[]} poses */
function joined(poses) {
  const out = new Float64Array(poses.length * poses[0].length);
  poses.forEach((pose, t) => {
    out.set(pose, t * pose.length);
  });
  return out;
}

/**
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {(z: number) => boolean} where
 */
function farthest(a, b, where) {
  let best = 0;
  let most = -1;
  for (let i = 0; 3 * i < a.length; i++) {
    const moved = Math.hypot(...[0, 1, 2].map((c) => a[3 * i + c] - b[3 * i + c]));
    if (moved > most && where(a[3 * i + 2])) [best, most] = [i, moved];
  }
  return best;
}

/**
 * The lowest point that stays.
 *
 * @param {Float32Array} a
 * @param {Float32Array} b
 */
function nearest(a, b) {
  let best = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; 3 * i < a.length; i++) {
    const moved = Math.hypot(...[0, 1, 2].map((c) => a[3 * i + c] - b[3 * i + c]));
    if (moved < 1e-6 && a[3 * i + 1] < lowest) [best, lowest] = [i, a[3 * i + 1]];
  }
  return best;
}
