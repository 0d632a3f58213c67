/** More or fewer corrections for a fit whose bones stay: a budget of bytes buys the worst vertices. */
import { TRANSFORM_SIZE } from '@pelt/model';
import { correctionsAbove } from './corrections.ts';
import type { SliderFit, SliderShapes } from './fit-sliders.ts';
import { SliderSystem } from './slider-system.ts';

/**
 * The fit with as many corrections as are wanted, at the vertices and sliders where bones leave most.
 *
 * @param most  vertices, over all sliders, that are corrected at most
 * @example
 * {@includeCode ../../../examples/sliders.ts}
 */
export function correctSliders(input: SliderShapes, fit: SliderFit, most: number): SliderFit {
  const system = systemOf(input, fit);
  const { n, S, R } = system;
  const sizes = new Float32Array(n * S);
  const left = new Float64Array(R);
  for (let i = 0; i < n; i++) {
    system.residual(i, left);
    for (let s = 0; s < S; s++) {
      sizes[i * S + s] = Math.sqrt(left[3 * s] ** 2 + left[3 * s + 1] ** 2 + left[3 * s + 2] ** 2);
    }
  }
  sizes.sort();
  // Sizes are single precision: the limit is above all that round to it.
  const limit = most < sizes.length ? sizes[Math.max(0, sizes.length - 1 - most)] * (1 + 1e-6) : 0;
  return { ...fit, corrections: correctionsAbove(system, limit) };
}

/** The unknowns of a fit, on the caller's vertices. */
function systemOf({ mesh, shapes }: SliderShapes, { rig, sliders }: SliderFit): SliderSystem {
  const m = rig.bones.length;
  const centres = new Float64Array(3 * m);
  rig.bones.forEach(({ rest }, j) => {
    for (let c = 0; c < 3; c++) centres[3 * j + c] = rest[4 * c + 3];
  });
  const system = new SliderSystem(mesh.positions, shapes, rig.weights, centres, rig.weights.slots);
  const { starts, bones, elements, values } = sliders;
  const { D, maps, S } = system;
  for (let s = 0; s < S; s++) {
    for (let k = starts[s]; k < starts[s + 1]; k++) {
      const row = 3 * s + Math.floor((elements[k] % TRANSFORM_SIZE) / 4);
      maps[row * D + 4 * bones[k] + (elements[k] % 4)] = values[k];
    }
  }
  return system;
}
