/** What was learnt, as colours of the vertices. */

import { frameAt, frameCount, type MeshSequence, poseAt } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import type { StudiedFit } from './run-method.ts';

/** Hues follow each other by the golden section, so that neighbours in number differ. */
const GOLDEN = 0.618033988749895;
const [SATURATION, VALUE] = [0.6, 0.95];
/** Colours of an error, from none to that of the scale and above. */
const HEAT = [
  [225, 228, 232],
  [120, 170, 215],
  [255, 205, 90],
  [200, 40, 40],
] as const;

/** n × 3: the colours of the bones, blended by the weights. */
export function boneColours({ rig }: Pick<StudiedFit, 'rig'>): Uint8Array {
  const { slots, bones, weights } = rig.weights;
  const palette = Array.from(rig.bones, (_, j) => hue((j * GOLDEN) % 1));
  const out = new Uint8Array((3 * weights.length) / slots);
  for (let i = 0; i < out.length / 3; i++) {
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let s = i * slots; s < (i + 1) * slots; s++) sum += weights[s] * palette[bones[s]][k];
      out[3 * i + k] = Math.round(Math.min(sum, 255));
    }
  }
  return out;
}

/** n root mean square distances over the frames. */
export function vertexErrors(sequence: MeshSequence, { rig, clip }: StudiedFit): Float64Array {
  const n = sequence.rest.positions.length / 3;
  const S = frameCount(sequence);
  const squares = new Float64Array(n);
  const posed = new Float32Array(3 * n);
  for (let t = 0; t < S; t++) {
    deformLinear(rig.mesh.positions, rig.weights, poseAt(clip, t, rig.bones.length).transforms, posed);
    const truth = frameAt(sequence, t);
    for (let k = 0; k < 3 * n; k++) squares[Math.floor(k / 3)] += (posed[k] - truth[k]) ** 2;
  }
  return squares.map((sum) => Math.sqrt(sum / Math.max(S, 1)));
}

/** n × 3 colours of errors. @param scale  the error of the last colour */
export function heatColours(errors: Float64Array, scale: number): Uint8Array {
  const out = new Uint8Array(3 * errors.length);
  errors.forEach((error, i) => {
    const place = scale > 0 ? Math.min(error / scale, 1) * (HEAT.length - 1) : 0;
    const from = Math.min(Math.floor(place), HEAT.length - 2);
    for (let k = 0; k < 3; k++) out[3 * i + k] = HEAT[from][k] + (place - from) * (HEAT[from + 1][k] - HEAT[from][k]);
  });
  return out;
}

/** The value that a share q of the errors does not exceed; 0 for none. */
export function quantile(errors: Float64Array, q: number): number {
  const sorted = errors.slice().sort();
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** @param h  in [0, 1) */
function hue(h: number): readonly [number, number, number] {
  const channel = (shift: number) => {
    const k = (shift + 6 * h) % 6;
    return 255 * (VALUE - VALUE * SATURATION * Math.max(0, Math.min(k, 4 - k, 1)));
  };
  return [channel(5), channel(3), channel(1)];
}
