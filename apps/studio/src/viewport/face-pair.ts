/** A face in an expression, as its blend shapes show it and as the file does: both are sums over sliders. */
import type { Moving } from './moving.ts';
import type { ShapePair } from './viewport.ts';

interface FaceShapes {
  readonly rig: NonNullable<Moving['played']>['rig'];
  readonly names: readonly string[];
  /** S × n × 3 */
  readonly fitted: Float32Array;
  readonly original: Float32Array | undefined;
  readonly p999: number;
}

/** @param valuesAt  S values at a frame; the array is the caller's */
export function facePair(face: FaceShapes, valuesAt: (frame: number) => ArrayLike<number>): ShapePair {
  const { rig, fitted, original, p999 } = face;
  const { positions, triangles } = rig.mesh;
  const size = positions.length;
  const moving = (deltas: Float32Array, played: Moving['played']): Moving => ({
    rest: positions,
    triangles,
    frames: Number.POSITIVE_INFINITY,
    vertices: undefined,
    played,
    pose: (frame, out) => {
      out.set(positions);
      const values = valuesAt(frame);
      for (let s = 0; s < values.length; s++) {
        const value = values[s];
        if (value === 0) continue;
        for (let k = 0, at = s * size; k < size; k++, at++) out[k] += value * deltas[at];
      }
    },
  });
  const still = { name: 'still', times: Float64Array.of(0), transforms: new Float64Array(12 * rig.bones.length) };
  const played = { rig, clip: still, vertices: Uint32Array.from({ length: size / 3 }, (_, i) => i) };
  return { given: original && moving(original, undefined), result: moving(fitted, played), p999 };
}
