// @ts-check
/** What a poser is made of, on the walking creature: controls in colour, proxies where they stand, and a dragged pose. */
import { openNumerics } from '@pelt/math';
import { frameAt, proxyCount } from '@pelt/model';
import { buildPoser, createPoseSession, decompose } from '@pelt/skin';
import { creatureScene, extremities } from '@pelt/testkit';
import { meshItem, weightColours } from './describe.mjs';
import { proxyPlaces, targetsOf } from './pose-handles.mjs';

const CONTROLS = 14;
const VIEW = /** @type {const} */ ({ direction: [1, 0.25, 0.45], margin: 0.04 });
const HELD = '#c03028';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = creatureScene({ frames: 12 });
  const numerics = await openNumerics({ threads: 2 });
  const options = /** @type {const} */ ({ method: 'affine', bones: CONTROLS, restPose: 'keep' });
  const { rig, clip } = decompose(sequence, options, { numerics });
  const poser = buildPoser({ rig, clip, examples: sequence }, { consecutive: true });
  const session = createPoseSession(poser, {}, { numerics });
  const tips = extremities(rig.mesh.positions, 5);
  const targets = targetsOf(frameAt(sequence, 3), tips);
  targets[1].target[1] += 0.03 * poser.size;
  session.setHandles(targets);
  session.step();
  const positions = session.positions(new Float32Array(rig.mesh.positions.length));
  session.dispose();
  numerics.close();
  const held = targets.flatMap(({ target }) => target);
  return {
    width: 900,
    panelHeight: 250,
    columns: 3,
    panels: [
      {
        kind: 'scene',
        title: `${CONTROLS} controls`,
        view: VIEW,
        items: [meshItem(rig.mesh, { colours: weightColours(rig.weights, CONTROLS) })],
      },
      {
        kind: 'scene',
        title: `${proxyCount(poser)} proxies`,
        view: VIEW,
        items: [
          meshItem(rig.mesh, { opacity: 0.25 }),
          { kind: 'points', positions: proxyPlaces(poser), radius: 0.012 },
        ],
      },
      {
        kind: 'scene',
        title: 'five points held',
        view: VIEW,
        items: [meshItem(rig.mesh, { positions }), { kind: 'points', positions: held, colour: HELD, radius: 0.025 }],
      },
    ],
  };
}
