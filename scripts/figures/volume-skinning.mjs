// @ts-check
/** One mesh in one pose by linear blending, dual quaternions and as a body, with the same automatic weights. */
import { openNumerics } from '@pelt/math';
import {
  bindVolume,
  createVolumeDeformer,
  deformDualQuaternion,
  deformLinear,
  measureBody,
  tetrahedralize,
} from '@pelt/skin';
import { meshItem } from './describe.mjs';

/** Frames in which a pose is reached, as a motion would. */
const STEPS = 30;

/**
 * @typedef {object} Pose
 * @property {string} name
 * @property {(share: number) => Float64Array} transforms  m × 12, from rest (0) to the pose (1)
 */

/**
 * @param {import('@pelt/model').Mesh} mesh
 * @param {readonly import('@pelt/model').Bone[]} bones
 * @param {ReadonlyMap<number, readonly [number, number, number]>} tips
 * @param {readonly Pose[]} poses
 * @param {import('./description.ts').View} view
 * @returns {Promise<import('./description.ts').ScenePanel[]>}
 */
export async function skinningPanels(mesh, bones, tips, poses, view) {
  const numerics = await openNumerics({ threads: 2 });
  const { mesh: body } = tetrahedralize(mesh);
  const binding = bindVolume({ body, bones }, { tips }, { numerics });
  // Weights alone: where nothing is held, they are smooth along the bones.
  const { skin } = bindVolume({ body, bones }, { tips, constraints: Uint32Array.of(0) }, { numerics });
  const deformer = createVolumeDeformer({ surface: mesh, bones, binding }, {}, { numerics });
  const surface = new Float32Array(mesh.positions.length);
  const panels = poses.flatMap(({ name, transforms }) =>
    ['linear blending', 'dual quaternions', 'volume'].map((method) => {
      const posed = new Float32Array(body.positions.length);
      if (method === 'volume') {
        deformer.reset();
        for (let step = 0; step <= STEPS; step++) deformer.deform(transforms(step / STEPS), surface);
        posed.set(deformer.bodyPositions);
      } else
        (method === 'linear blending' ? deformLinear : deformDualQuaternion)(
          body.positions,
          skin,
          transforms(1),
          posed,
        );
      const { volume, inverted } = measureBody(body, posed);
      const positions = new Float32Array(mesh.positions.length);
      body.surface.forEach((v, i) => {
        positions.set(posed.subarray(3 * v, 3 * v + 3), 3 * i);
      });
      return {
        kind: /** @type {const} */ ('scene'),
        title: `${name}, ${method}`,
        note: `volume ${(100 * volume).toFixed(1)} %, ${inverted} inverted`,
        view,
        ground: false,
        items: [meshItem(mesh, { positions, edges: true })],
      };
    }),
  );
  deformer.dispose();
  numerics.close();
  return panels;
}
