import { openNumerics } from '@pelt/math';
import { faceShapes } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  correctSliders,
  fitSliders,
  type SliderFit,
  type SliderShapes,
  sliderErrors,
  transferSliders,
} from '../../src/sliders/index.ts';

const face = faceShapes({ step: 0.014 });
let numerics: Awaited<ReturnType<typeof openNumerics>>;
let fit: SliderFit;
beforeAll(async () => {
  numerics = await openNumerics({ threads: 1 });
  fit = correctSliders(face, fitSliders(face, { bones: 12, weights: 4 }, { numerics }), 40);
});
afterAll(() => numerics.close());

/** Positions by a scale per axis and a shift. */
function moved(values: Float32Array, scale: readonly number[]): Float32Array {
  return values.map((value, k) => scale[k % 3] * value + 0.3 * (k % 3));
}

describe('transferSliders', () => {
  it('gives the face itself its own sliders back', () => {
    const { rig, sliders, distance } = transferSliders(fit, face.mesh);
    expect(distance.p90).toBeLessThan(1e-6);
    const [own, back] = [fit, { ...fit, rig, sliders }].map((found) => sliderErrors(face, found, { mixtures: 0 }).rms);
    expect(back / own).toBeCloseTo(1, 4);
  });

  it('stretches with a face that is stretched along its axes, corrections too', () => {
    const scale = [1.3, 0.8, 2];
    const mesh = { ...face.mesh, positions: moved(face.mesh.positions, scale) };
    const shapes: SliderShapes = { ...face, mesh, shapes: moved(face.shapes, scale) };
    const found = transferSliders(fit, mesh);
    const own = sliderErrors(face, fit, { mixtures: 0 });
    const error = sliderErrors(shapes, found, { mixtures: 0 });
    expect(found.corrections.vertices.length).toBe(fit.corrections.vertices.length);
    expect(error.max).toBeLessThan(2.01 * own.max);
    expect(found.sliders.values.length).toBe(fit.sliders.values.length);
  });

  it('moves another mesh of the same face as its shapes would, within a fifth', () => {
    const other = faceShapes({ step: 0.017 });
    const error = sliderErrors(other, transferSliders(fit, other.mesh), { mixtures: 0 });
    const still = sliderErrors(other, { ...transferSliders(fit, other.mesh), sliders: nothing() }, { mixtures: 0 });
    expect(error.rms).toBeLessThan(0.2 * still.rms);
  });

  it('refuses a mesh that is no such face, and takes one vertex', () => {
    const rod = Float32Array.from({ length: 300 }, (_, k) =>
      k % 3 === 0 ? k : k % 3 === 1 ? (k % 2) * 1e-3 : (k % 7) ** 3,
    );
    const mesh = { name: 'rod', positions: rod, triangles: Uint32Array.of(0, 1, 2) };
    expect(() => transferSliders(fit, mesh)).toThrow(/% of its diagonal from the other face/);
    const point = { name: 'point', positions: Float32Array.of(1, 2, 3), triangles: new Uint32Array(0) };
    expect(() => transferSliders(fit, { ...point, positions: new Float32Array(0) })).toThrow(/no vertices/);
    expect(() => transferSliders(fit, point)).not.toThrow(TypeError);
  });
});

/** The same sliders, which move nothing. */
function nothing(): SliderFit['sliders'] {
  return { ...fit.sliders, values: fit.sliders.values.map(() => 0) };
}
