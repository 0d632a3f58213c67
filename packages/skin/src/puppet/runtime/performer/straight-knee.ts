/** Largest bend of a knee to the front, as the sine of an angle: what captured people show. */
const HYPEREXTENDED = 0.05;

/**
 * Takes back a bend of the knee to the front, which the depth of one camera shows and no leg has: the ankle moves back along
 * the front of the body, at the length of the shin.
 *
 * @param chain      hip, knee, ankle
 * @param positions  J × 3; updated in place
 * @param left       3: the left of the body, of any length
 */
export function straightenKnee(
  [hip, knee, ankle]: readonly [number, number, number],
  positions: Float64Array,
  left: Float64Array,
): void {
  const [h, k, a] = [3 * hip, 3 * knee, 3 * ankle];
  const ux = positions[k] - positions[h];
  const uy = positions[k + 1] - positions[h + 1];
  const uz = positions[k + 2] - positions[h + 2];
  const sx = positions[a] - positions[k];
  const sy = positions[a + 1] - positions[k + 1];
  const sz = positions[a + 2] - positions[k + 2];
  // The front of the thigh: left × (−thigh) is to the front of a leg that points down.
  let fx = left[2] * uy - left[1] * uz;
  let fy = left[0] * uz - left[2] * ux;
  let fz = left[1] * ux - left[0] * uy;
  const front = Math.sqrt(fx * fx + fy * fy + fz * fz);
  const shin = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const thigh = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const width = Math.sqrt(left[0] * left[0] + left[1] * left[1] + left[2] * left[2]);
  // A thigh along the line of the hips has no front.
  if (!(front > 0.5 * thigh * width && shin > 0)) return;
  fx /= front;
  fy /= front;
  fz /= front;
  const ahead = sx * fx + sy * fy + sz * fz;
  const excess = ahead - HYPEREXTENDED * shin;
  if (!(excess > 0)) return;
  const [x, y, z] = [sx - excess * fx, sy - excess * fy, sz - excess * fz];
  const scale = shin / Math.sqrt(x * x + y * y + z * z);
  positions[a] = positions[k] + scale * x;
  positions[a + 1] = positions[k + 1] + scale * y;
  positions[a + 2] = positions[k + 2] + scale * z;
}
