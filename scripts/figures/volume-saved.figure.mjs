// @ts-check
/** What a saved solid has: tetrahedra, here cut open, the points that the bones move, and the surface that follows. */
import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { bindVolume, createVolumeDeformer, tetrahedralize } from '@pelt/skin';
import { elbowScene } from '@pelt/testkit';
import { meshItem } from './describe.mjs';

const VIEW = /** @type {const} */ ({ direction: [0.5, 0.35, 1], margin: 0.04 });
const HELD = '#c03028';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { rig, clip } = elbowScene({ frames: 5, rings: 25, sides: 16 });
  const numerics = await openNumerics();
  const { mesh: body } = tetrahedralize(rig.mesh);
  const binding = bindVolume({ body, bones: rig.bones, weights: rig.weights }, {}, { numerics });
  const solid = createVolumeDeformer({ surface: rig.mesh, bones: rig.bones, binding }, {}, { numerics });
  const positions = new Float32Array(rig.mesh.positions.length);
  solid.deform(poseAt(clip, 4, rig.bones.length).transforms, positions);
  solid.dispose();
  numerics.close();
  const places = Float32Array.from(body.positions);
  const fixed = [...binding.fixed].flatMap((i) => [...places.subarray(3 * i, 3 * i + 3)]);
  return {
    width: 820,
    panelHeight: 200,
    columns: 3,
    panels: [
      {
        kind: 'scene',
        title: `${body.tetrahedra.length / 4} tetrahedra`,
        view: VIEW,
        items: [{ kind: 'mesh', positions: places, triangles: behind(places, body.tetrahedra) }],
      },
      {
        kind: 'scene',
        title: `${binding.fixed.length} points that bones move`,
        view: VIEW,
        items: [
          meshItem(rig.mesh, { opacity: 0.25 }),
          { kind: 'points', positions: fixed, colour: HELD, radius: 0.02 },
        ],
      },
      { kind: 'scene', title: 'posed, without filling again', view: VIEW, items: [meshItem(rig.mesh, { positions })] },
    ],
  };
}

/**
 * Faces of the tetrahedra behind the plane z = 0.
 *
 * @param {Float32Array} positions
 * @param {Uint32Array} tetrahedra
 */
function behind(positions, tetrahedra) {
  const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
  /** @type {number[]} */
  const out = [];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = tetrahedra.subarray(t, t + 4);
    if (corners.every((i) => positions[3 * i + 2] <= 1e-6)) for (const face of faces) out.push(corners[face]);
  }
  return Uint32Array.from(out);
}
