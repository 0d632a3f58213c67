import type { ViewSubject } from '@pelt/jobs/view';

/** m × 12 row-major 3 × 4, bone frame → model, of a rig in a frame; at rest where there is no such frame */
export function boneFrames({ rig, clips }: ViewSubject, clip: number, frame: number): Float64Array {
  if (!rig) return new Float64Array(0);
  const transforms = frame < 0 ? undefined : clips[clip]?.transforms;
  const out = rig.rest.slice();
  if (!transforms) return out;
  const from = frame * out.length;
  for (let j = 0; j < out.length; j += 12) {
    for (let r = 0; r < 12; r += 4) {
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => transforms[from + j + r + k]);
      for (let k = 0; k < 4; k++) {
        out[j + r + k] = a * rig.rest[j + k] + b * rig.rest[j + 4 + k] + c * rig.rest[j + 8 + k] + (k === 3 ? d : 0);
      }
    }
  }
  return out;
}
