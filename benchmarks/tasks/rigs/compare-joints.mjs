/** Joints that were found beside those of an artist, in a box whose longest side is 2. */

/** Distance within which a joint is found again. */
const NEAR = 0.05;

/**
 * @param {readonly (readonly number[])[]} found
 * @param {readonly (readonly number[])[]} joints  all true ones
 * @param {readonly number[]} matter               indices of those that should be found
 */
export function compareJoints(found, joints, matter) {
  const toFound = matter.map((j) => nearest(joints[j], found));
  const toTrue = found.map((joint) => nearest(joint, joints));
  return {
    // Chamfer distance: joints that matter to those found, and back to any joint of the artist.
    chamfer: (mean(toFound) + mean(toTrue)) / 2,
    recall: share(toFound),
    precision: share(toTrue),
    missed: matter.filter((_, k) => toFound[k] > NEAR),
  };
}

/**
 * Mean distance of each joint from the mirror image of the joint nearest to it, over the plane x = middle.
 *
 * @param {readonly (readonly number[])[]} found
 */
export function asymmetry(found, middle) {
  return mean(found.map(([x, y, z]) => nearest([2 * middle - x, y, z], found)));
}

function nearest(point, others) {
  return others.reduce(
    (least, other) => Math.min(least, Math.hypot(...other.map((value, d) => value - point[d]))),
    Infinity,
  );
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share(distances) {
  return distances.filter((distance) => distance <= NEAR).length / distances.length;
}
