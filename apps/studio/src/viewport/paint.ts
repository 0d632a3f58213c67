/** Colours of a surface that mean something: distance to the truth, weights of a bone, the strongest bone. */
import type { SkinWeights } from '@pelt/model';
import { boneColours, HEAT_TABLE, heatRow, NEUTRAL } from './palette.ts';
import type { Surface } from './surface.ts';

/**
 * @param truth     positions of the animation's vertices in the same frame
 * @param vertices  for each vertex of the surface one of the truth; absent: the same number
 * @param limit     distance at the end of the scale
 */
export function paintHeat(
  surface: Surface,
  truth: Float32Array,
  vertices: Uint32Array | undefined,
  limit: number,
): void {
  const { positions, colours } = surface;
  const scale = limit > 0 ? 1 / limit : 0;
  for (let i = 0; 3 * i < positions.length; i++) {
    const [k, q] = [3 * i, 3 * (vertices ? vertices[i] : i)];
    const x = positions[k] - truth[q];
    const y = positions[k + 1] - truth[q + 1];
    const z = positions[k + 2] - truth[q + 2];
    const row = heatRow(Math.sqrt(x * x + y * y + z * z) * scale);
    colours[k] = HEAT_TABLE[row];
    colours[k + 1] = HEAT_TABLE[row + 1];
    colours[k + 2] = HEAT_TABLE[row + 2];
  }
  surface.painted();
}

/** The summed weight of some bones, from the neutral colour to full heat. */
export function paintWeight(surface: Surface, { slots, bones, weights }: SkinWeights, chosen: readonly number[]): void {
  const { colours } = surface;
  const wanted = new Set(chosen);
  for (let i = 0; 3 * i < colours.length; i++) {
    let weight = 0;
    for (let s = i * slots; s < (i + 1) * slots; s++) if (wanted.has(bones[s])) weight += weights[s];
    // The darkest end is kept for errors: weights are read by their hue.
    const row = heatRow(0.62 * weight);
    for (let c = 0; c < 3; c++) colours[3 * i + c] = HEAT_TABLE[row + c];
  }
  surface.painted();
}

/** Every vertex in the mix of its bones' colours: clusters, with their borders as soft as the weights are. */
export function paintBones(surface: Surface, { slots, bones, weights }: SkinWeights, count: number): void {
  const { colours } = surface;
  const palette = boneColours(count);
  for (let i = 0; 3 * i < colours.length; i++) {
    const mixed = [0, 0, 0];
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      const colour = palette[bones[s]] ?? NEUTRAL;
      for (let c = 0; c < 3; c++) mixed[c] += weights[s] * colour[c];
    }
    for (let c = 0; c < 3; c++) colours[3 * i + c] = mixed[c];
  }
  surface.painted();
}
