// @ts-check
/** Skeletons of body plans in made meshes without motion: joints, weights by heat, and a pose that they allow. */
import { openNumerics } from '@pelt/math';
import { poseFromJoints } from '@pelt/model';
import { deformLinear, embedSkeleton } from '@pelt/skin';
import { dogCharacter, personRig } from '@pelt/testkit';
import { boneColours, bonesItem, meshItem, weightColours } from './describe.mjs';

const FRONT = /** @type {const} */ ({ direction: [0.45, 0.2, 1], margin: 0.04 });
const SIDE = /** @type {const} */ ({ direction: [1, 0.3, 0.5], margin: 0.04 });
/** A step, and a wave. */
const STEP = /** @type {const} */ ({
  LeftUpperArm: { degrees: [0, 0, 70] },
  LeftLowerArm: { degrees: [0, 0, 60] },
  RightUpperArm: { degrees: [25, 0, 20] },
  LeftUpperLeg: { degrees: [-35, 0, 0] },
  LeftLowerLeg: { degrees: [45, 0, 0] },
  RightUpperLeg: { degrees: [20, 0, 0] },
  Neck: { degrees: [0, 25, 0] },
});

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 2 });
  const { mesh } = personRig({ detail: 0.02 });
  const { rig } = embedSkeleton({ mesh, like: 'human' }, {}, { numerics });
  const { rig: dog } = embedSkeleton({ mesh: dogCharacter(0.025).rig.mesh, like: 'quadruped' }, {}, { numerics });
  numerics.close();
  const { transforms } = poseFromJoints(rig.bones, STEP);
  const positions = deformLinear(mesh.positions, rig.weights, transforms, new Float32Array(mesh.positions.length));
  const colours = weightColours(rig.weights, rig.bones.length);
  const look = { colours: boneColours(rig.bones.length) };
  return {
    width: 1000,
    panelHeight: 300,
    columns: 4,
    panels: [
      {
        kind: 'scene',
        title: '--like human',
        view: FRONT,
        items: [meshItem(mesh, { opacity: 0.25 }), bonesItem(rig.bones, undefined, look)],
      },
      { kind: 'scene', title: 'its weights', view: FRONT, items: [meshItem(mesh, { colours })] },
      { kind: 'scene', title: 'a pose', view: FRONT, items: [meshItem(mesh, { positions, colours })] },
      {
        kind: 'scene',
        title: '--like quadruped',
        view: SIDE,
        items: [
          meshItem(dog.mesh, { opacity: 0.25 }),
          bonesItem(dog.bones, undefined, { colours: boneColours(dog.bones.length) }),
        ],
      },
    ],
  };
}
