/**
 * Gives the landmarks of a picture their depth and proportions back.
 *
 * Landmarks in a picture are x and y as shares of its width and height, and a depth "about in the scale of x" which in
 * practice is several times too deep. The width of the picture against its height is not recorded. Limbs do not change
 * their length: of the usual pictures and all depths, take those under which the lengths of the limbs, as shares of their
 * sum, vary least over the frames (mean of standard deviation over mean).
 */

/** Width over height of usual pictures. */
const ASPECTS = [9 / 16, 3 / 4, 1, 4 / 3, 16 / 9];

/** Depth factors that are tried, as powers of this from 1 down; the best is refined between its neighbours. */
const DEPTH_STEP = 0.8;
const DEPTH_STEPS = 16;
/** Rounds of golden-section search. */
const REFINEMENTS = 24;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const LIMBS: readonly (readonly [string, string])[] = [
  ['leftShoulder', 'rightShoulder'],
  ['leftHip', 'rightHip'],
  ...['left', 'right'].flatMap((side): [string, string][] => [
    [`${side}Shoulder`, `${side}Elbow`],
    [`${side}Elbow`, `${side}Wrist`],
    [`${side}Shoulder`, `${side}Hip`],
    [`${side}Hip`, `${side}Knee`],
    [`${side}Knee`, `${side}Ankle`],
  ]),
];

export interface PictureScale {
  /** Width over height. */
  readonly aspect: number;
  /** What depth is multiplied by, beside the aspect. */
  readonly depth: number;
  /** How much limb lengths still vary: 0 for none. */
  readonly variation: number;
}

/**
 * @param landmarks  S × J × 3: x, y, depth
 * @param aspect     width over height of the picture
 * @param depth      factor of the depth
 */
export function calibrateLimbs(
  landmarks: Float64Array,
  joints: readonly string[],
  aspect: number | 'auto',
  depth: number | 'auto',
): PictureScale {
  const limbs = squaredDifferences(landmarks, joints);
  const candidates = (aspect === 'auto' ? ASPECTS : [aspect]).map((value): PictureScale => {
    const best = depth === 'auto' ? bestDepth(limbs, value) : depth;
    return { aspect: value, depth: best, variation: variationOf(limbs, value, best) };
  });
  return candidates.reduce((best, candidate) => (candidate.variation < best.variation ? candidate : best));
}

function bestDepth(limbs: LimbDifferences, aspect: number): number {
  const cost = (depth: number) => variationOf(limbs, aspect, depth);
  let best = 0;
  for (let k = 1; k < DEPTH_STEPS; k++) if (cost(DEPTH_STEP ** k) < cost(DEPTH_STEP ** best)) best = k;
  let [low, high] = [DEPTH_STEP ** (best + 1), DEPTH_STEP ** (best - 1)];
  for (let round = 0; round < REFINEMENTS; round++) {
    const [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (cost(a) < cost(b)) high = b;
    else low = a;
  }
  return (low + high) / 2;
}

/** For each frame and limb the squared differences along x, y and depth: frames × limbs × 3. */
interface LimbDifferences {
  readonly squares: Float64Array;
  readonly count: number;
}

function squaredDifferences(landmarks: Float64Array, joints: readonly string[]): LimbDifferences {
  const stride = 3 * joints.length;
  const pairs = LIMBS.map(([a, b]) => [joints.indexOf(a), joints.indexOf(b)]);
  const squares: number[] = [];
  for (let at = 0; at < landmarks.length; at += stride) {
    for (const [a, b] of pairs) {
      for (let c = 0; c < 3; c++) squares.push((landmarks[at + 3 * a + c] - landmarks[at + 3 * b + c]) ** 2);
    }
  }
  return { squares: Float64Array.from(squares), count: pairs.length };
}

function variationOf({ squares, count }: LimbDifferences, aspect: number, depth: number): number {
  const sums = new Float64Array(count);
  const sumsOfSquares = new Float64Array(count);
  const lengths = new Float64Array(count);
  const frames = squares.length / (3 * count);
  const [fx, fz] = [aspect * aspect, (aspect * depth) ** 2];
  for (let t = 0; t < frames; t++) {
    let total = 0;
    for (let limb = 0; limb < count; limb++) {
      const k = 3 * (t * count + limb);
      lengths[limb] = Math.sqrt(fx * squares[k] + squares[k + 1] + fz * squares[k + 2]);
      total += lengths[limb];
    }
    for (let limb = 0; limb < count; limb++) {
      const share = total > 0 ? lengths[limb] / total : 0;
      sums[limb] += share;
      sumsOfSquares[limb] += share * share;
    }
  }
  let variation = 0;
  for (let limb = 0; limb < count; limb++) {
    const mean = sums[limb] / frames;
    const variance = Math.max(0, sumsOfSquares[limb] / frames - mean * mean);
    if (mean > 0) variation += Math.sqrt(variance) / mean / count;
  }
  return variation;
}
