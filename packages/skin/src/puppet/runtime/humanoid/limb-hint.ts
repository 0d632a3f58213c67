/**
 * The anatomical axis of an elbow or a knee for a direction of the upper arm or thigh: that of the hanging limb, carried
 * along by the smallest rotation. An elbow that hangs bends the forearm to the front, a knee the shin to the back. The same
 * rule for the rest pose of a character and for a performer matches their twists.
 */

/**
 * @param frame  9: columns left, up, front of the part that the limb hangs on
 * @param arm    an elbow, else a knee
 * @param upper  3: unit direction of the upper segment
 * @param out    3; the axis, shorter where a limb points up, where the rule is ambiguous
 */
export function limbHint(frame: Float64Array, arm: boolean, upper: Float64Array, out: Float64Array): void {
  const sign = arm ? -1 : 1;
  let cosine = 0;
  let onUpper = 0;
  for (let k = 0; k < 3; k++) {
    cosine -= frame[3 * k + 1] * upper[k];
    onUpper += sign * frame[3 * k] * upper[k];
  }
  // The rotation from down to the limb, applied to an axis that is orthogonal to down.
  const certain = Math.min(1, 2 * (1 + cosine));
  const factor = certain > 1e-6 ? onUpper / (1 + cosine) : 0;
  for (let k = 0; k < 3; k++) {
    out[k] = certain * (sign * frame[3 * k] - factor * (upper[k] - frame[3 * k + 1]));
  }
}
