import { openNumerics } from '@pelt/math';
import { type Mesh, validateRig, validateSliders } from '@pelt/model';
import { faceShapes } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitSliders, SliderBones, type SliderShapes, sliderErrors, sliderTransforms } from '../../src/sliders/index.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;
beforeAll(async () => {
  numerics = await openNumerics({ threads: 1 });
});
afterAll(() => numerics.close());

const face = faceShapes({ step: 0.016 });
const size = 0.28;

/** Two boxes of eight vertices each, moved by a slider each. */
function boxes(): SliderShapes {
  const positions = new Float32Array(48);
  for (let i = 0; i < 16; i++) {
    positions[3 * i] = (i & 1) + (i > 7 ? 5 : 0);
    positions[3 * i + 1] = (i >> 1) & 1;
    positions[3 * i + 2] = (i >> 2) & 1;
  }
  const triangles = Uint32Array.from([0, 1, 2, 1, 3, 2, 4, 5, 6, 8, 9, 10, 9, 11, 10, 12, 13, 14, 3, 5, 7, 11, 13, 15]);
  const mesh: Mesh = { name: 'boxes', positions, triangles };
  const shapes = new Float32Array(96);
  for (let k = 0; k < 48; k++) {
    shapes[k] = positions[k] + (k < 24 && k % 3 === 1 ? 0.5 : 0);
    shapes[48 + k] = positions[k] + (k >= 24 && k % 3 === 2 ? -0.25 : 0);
  }
  return { mesh, names: ['left up', 'right back'], shapes };
}

describe('fitSliders', () => {
  it('gives the neutral face back exactly where all sliders are at 0', () => {
    const { rig, sliders } = fitSliders(face, { bones: 6, weights: 2 }, { numerics });
    expect(rig.mesh.positions).toEqual(face.mesh.positions);
    const bones = new SliderBones(sliders, rig.bones.length);
    const transforms = sliderTransforms(bones.update(), rig.bones, new Float64Array(bones.local.length));
    transforms.forEach((value, k) => {
      expect(value).toBe([0, 5, 10].includes(k % 12) ? 1 : 0);
    });
  });

  it('needs one number for each of two boxes that move apart, and a bone that stays', () => {
    const input = boxes();
    const fit = fitSliders(input, { bones: 3, weights: 2, zeros: 0.95 }, { numerics });
    validateRig(fit.rig);
    validateSliders(fit.sliders, fit.rig.bones.length);
    expect(fit.sliders.values.length).toBeLessThanOrEqual(3);
    expect([...fit.sliders.bones]).not.toContain(0);
    const { max, mixtures } = sliderErrors(input, fit, { mixtures: 10 });
    expect(max).toBeLessThan(1e-5);
    expect(mixtures.max).toBeLessThan(1e-5);
  });

  it('keeps the share of numbers that was asked for, and weights within their limit', () => {
    for (const zeros of [0, 0.5, 0.9]) {
      const { sliders, rig } = fitSliders(face, { bones: 8, weights: 3, zeros }, { numerics });
      const places = 12 * rig.bones.length * face.names.length;
      expect(sliders.values.length).toBeLessThanOrEqual((1 - zeros) * places);
      validateRig(rig);
      expect(rig.weights.slots).toBe(3);
    }
  });

  it('errs less with more bones, and in mixtures no more than their sum allows', () => {
    const errors = [6, 16].map((bones) => {
      const fit = fitSliders(face, { bones, weights: 4 }, { numerics });
      return sliderErrors(face, fit, { mixtures: 100 });
    });
    expect(errors[1].rms).toBeLessThan(0.8 * errors[0].rms);
    expect(errors[1].rms).toBeLessThan(0.004 * size);
    expect(errors[1].mixtures.rms).toBeLessThan(1.6 * errors[1].rms);
  });

  it('caps the largest error by corrections', () => {
    const plain = fitSliders(face, { bones: 16, correctAbove: Number.POSITIVE_INFINITY }, { numerics });
    const corrected = fitSliders(face, { bones: 16, correctAbove: 3 }, { numerics });
    expect(plain.corrections.vertices.length).toBe(0);
    expect(corrected.corrections.vertices.length).toBeGreaterThan(0);
    const [before, after] = [plain, corrected].map((fit) => sliderErrors(face, fit, { mixtures: 0 }));
    expect(after.max).toBeLessThan(1.02 * 3 * before.rms);
    expect(before.max).toBeGreaterThan(after.max);
  });

  it('gives the same at any size', () => {
    const of = (scale: number) => {
      const times = (values: Float32Array) => values.map((value) => value * scale);
      const mesh = { ...face.mesh, positions: times(face.mesh.positions) };
      const scaled = { ...face, mesh, shapes: times(face.shapes) };
      return (
        sliderErrors(scaled, fitSliders(scaled, { bones: 6, weights: 3 }, { numerics }), { mixtures: 0 }).rms / scale
      );
    };
    const [small, large] = [of(2 ** -20), of(2 ** 20)];
    expect(small / large).toBeCloseTo(1, 6);
  });

  it('takes sliders that move nothing, one vertex, more bones than vertices', () => {
    const still = { ...boxes(), shapes: Float32Array.from([...boxes().mesh.positions, ...boxes().mesh.positions]) };
    const fit = fitSliders(still, { bones: 4 }, { numerics });
    expect(fit.sliders.values.every((value) => value === 0)).toBe(true);
    const point = { name: 'point', positions: Float32Array.of(1, 2, 3), triangles: new Uint32Array(0) };
    const one = { mesh: point, names: ['up'], shapes: Float32Array.of(1, 3, 3) };
    expect(sliderErrors(one, fitSliders(one, { bones: 9, zeros: 0 }, { numerics })).max).toBeLessThan(1e-6);
  });

  it('has maps that a file can hold where bones have few vertices', () => {
    const positions = Float32Array.from({ length: 24 }, (_, k) => ((Math.floor(k / 3) >> (k % 3)) & 1) * 2 - 1);
    const triangles = Uint32Array.from([0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6]);
    const input = {
      mesh: { name: 'cube', positions, triangles },
      names: ['top', 'side'],
      shapes: Float32Array.from([
        ...positions.map((x, k) => x + (k % 3 === 1 && x > 0 ? 0.9 * positions[k - 1] : 0)),
        ...positions.map((x, k) => x + (k % 3 === 2 && positions[k - 2] > 0 ? 0.4 + 0.5 * positions[k - 1] : 0)),
      ]),
    };
    const { rig, sliders, ...fit } = fitSliders(input, { bones: 12 }, { numerics });
    // Weights below a step of twelve bits are lost in a file, and maps that are large because of them.
    expect(rig.weights.weights.every((w) => w === 0 || w >= 1 / 4100)).toBe(true);
    expect(sliders.values.every((value) => Math.abs(value) < 600)).toBe(true);
    expect(sliderErrors(input, { rig, sliders, ...fit }).max).toBeLessThan(0.02);
  });

  it('refuses what makes no sense', () => {
    expect(() => fitSliders({ ...face, names: [] }, {}, { numerics })).toThrow(/no sliders/);
    expect(() => fitSliders(face, { bones: 1 }, { numerics })).toThrow(/bones is 1/);
    expect(() => fitSliders(face, { zeros: 1 }, { numerics })).toThrow(/zeros is 1/);
    expect(() => fitSliders(face, { bone: 4 } as never, { numerics })).toThrow(/bone/);
  });
});
