// @ts-check
/** Expressions of the made face: blend shapes above, bones that follow the sliders below, coloured by the distance. */
import { openNumerics } from '@pelt/math';
import { deformLinear } from '@pelt/skin';
import { fitSliders, SliderBones, sliderTransforms } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';
import { meshItem } from './describe.mjs';

const VIEW = /** @type {const} */ ({ direction: [0.35, 0.1, 1], margin: 0.04 });
const EXPRESSIONS = [
  { jawOpen: 1 },
  { mouthSmile_L: 1, mouthSmile_R: 0.8, browUp_L: 1, browUp_R: 1 },
  { mouthPucker: 1, cheekPuff_L: 1, cheekPuff_R: 1, eyeBlink_L: 1 },
];

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 2 });
  const face = faceShapes({ step: 0.006 });
  const { rig, sliders } = fitSliders(face, { bones: 16, weights: 4 }, { numerics });
  numerics.close();
  const bones = new SliderBones(sliders, rig.bones.length);
  const rest = face.mesh.positions;
  const panels = EXPRESSIONS.map((expression) => {
    const truth = rest.slice();
    bones.values.fill(0);
    for (const [name, value] of Object.entries(expression)) {
      const s = face.names.indexOf(name);
      for (let k = 0; k < rest.length; k++) truth[k] += value * (face.shapes[s * rest.length + k] - rest[k]);
      bones.values[s] = value;
    }
    const palette = sliderTransforms(bones.update(), rig.bones, new Float64Array(bones.local.length));
    const positions = deformLinear(rest, rig.weights, palette, new Float32Array(rest.length));
    const values = Float32Array.from(
      { length: rest.length / 3 },
      (_, i) => 1000 * Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c] - truth[3 * i + c])),
    );
    const heat = { values, min: 0, max: 1, name: 'distance', unit: 'mm' };
    return { title: Object.keys(expression).join(', '), truth, positions, heat };
  });
  const kind = /** @type {const} */ ('scene');
  return {
    width: 700,
    panelHeight: 230,
    columns: 3,
    panels: [
      ...panels.map(({ title, truth }) => ({
        kind,
        title,
        view: VIEW,
        items: [meshItem(face.mesh, { positions: truth })],
      })),
      ...panels.map(({ positions, heat }) => ({
        kind,
        title: 'bones',
        view: VIEW,
        items: [meshItem(face.mesh, { positions, heat })],
      })),
    ],
  };
}
