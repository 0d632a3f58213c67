/**
 * What bones cannot do, stored per vertex: the part of a slider's error above a limit τ, e (1 − τ / ‖e‖). The error that
 * remains is capped at τ and as smooth as before, where storing whole errors above τ would leave steps of τ between
 * neighbours. Corrections are applied before the bones, as morph targets are, so they are pulled back through the linear
 * part of the vertex's blend with the slider fully on.
 */
import { determinant3, invert3, setIdentity3 } from '@pelt/math';
import type { SliderSystem } from './slider-system.ts';

/** Displacements before skinning, times the value of their slider. */
export interface SliderCorrections {
  /** S + 1: where the vertices of each slider begin */
  readonly starts: Uint32Array;
  readonly vertices: Uint32Array;
  /** 3 for each vertex */
  readonly displacements: Float32Array;
}

/** A blend flatter than this share of its rest volume is not inverted. */
const FLATTEST = 0.05;

/** @param limit  τ, in model units */
export function correctionsAbove(system: SliderSystem, limit: number): SliderCorrections {
  const { n, S, R } = system;
  const left = new Float64Array(R);
  const bySlider = Array.from({ length: S }, () => ({ vertices: [] as number[], displacements: [] as number[] }));
  const linear = new Float64Array(9);
  const back = new Float64Array(9);
  for (let i = 0; i < n; i++) {
    system.residual(i, left);
    for (let s = 0; s < S; s++) {
      const [x, y, z] = [left[3 * s], left[3 * s + 1], left[3 * s + 2]];
      const size = Math.sqrt(x * x + y * y + z * z);
      if (!(size > limit)) continue;
      const share = 1 - limit / size;
      blendedLinear(system, i, s, linear);
      if (determinant3(linear, 0) > FLATTEST) invert3(linear, 0, back, 0);
      else setIdentity3(back, 0);
      const { vertices, displacements } = bySlider[s];
      vertices.push(i);
      for (let r = 0; r < 9; r += 3) displacements.push(share * (back[r] * x + back[r + 1] * y + back[r + 2] * z));
    }
  }
  const starts = new Uint32Array(S + 1);
  bySlider.forEach(({ vertices }, s) => {
    starts[s + 1] = starts[s] + vertices.length;
  });
  return {
    starts,
    vertices: Uint32Array.from(bySlider.flatMap(({ vertices }) => vertices)),
    displacements: Float32Array.from(bySlider.flatMap(({ displacements }) => displacements)),
  };
}

/** Σ_j w_ij (I + linear part of N_sj). */
function blendedLinear(system: SliderSystem, i: number, s: number, out: Float64Array): void {
  const { K, D, bones, weights, maps } = system;
  out.fill(0);
  for (let r = 0; r < 3; r++) out[4 * r] = 1;
  for (let k = i * K; k < (i + 1) * K; k++) {
    const w = weights[k];
    if (w === 0) continue;
    for (let r = 0; r < 3; r++) {
      const at = (3 * s + r) * D + 4 * bones[k];
      for (let c = 0; c < 3; c++) out[3 * r + c] += w * maps[at + c];
    }
  }
}
