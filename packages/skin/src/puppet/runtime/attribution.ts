/**
 * Learns from the pairs which part of the performer each bone of the character follows, without a manual mapping.
 *
 * Between pairs i and k part p of the performer moves by d_ikp and bone j of the character by e_ikj. For each bone,
 * minimise Σ (e_ikj² − Σ_p s_jp d_ikp²)² over all i < k, subject to s ≥ 0 (non-negative least squares): a hind leg that
 * moves with the performer's legs and rests when only the arms move gets s = 0 for the arms, even if some pairs move
 * both. The share of part p in the deviation of bone j from the neutral pair in pair i is s_jp d_i0p² / Σ_q s_jq d_i0q².
 *
 * In a walk all parts move together, and twelve poses of it cannot distinguish a left leg from a right arm. Where the
 * names of the bones can (`assigned`), a bone follows its part in every pair in which that part moves.
 *
 * This separates movements of legs, arms and trunk, which Sun (2017, §6.2) leaves as future work; there is no published
 * rule for characters without legs or arms.
 */

/** A part rests in a pair where its squared deviation is below this fraction of its largest. */
const STILL = 0.01;
/** Measurement noise as a mean square of a part's features: about 1 cm. */
const NOISE = 1e-4;
/** Most rounds of coordinate descent; a few suffice for a handful of parts. */
const ROUNDS = 200;

export interface Attribution {
  /** N × P: 1 where the pair is an example of the part */
  readonly examples: Uint8Array;
  /** m × N × P; they sum to 1 over the parts for every bone and pair */
  readonly shares: Float64Array;
}

/**
 * @param partMotion  d², N × N × P: mean squared distance of the part's joints between two pairs
 * @param boneMotion  e², N × N × m: squared motion of the bone relative to its parent between two pairs
 * @param assigned    m: the part that a bone is known to follow, −1 where it is unknown
 */
export function attributeParts(
  partMotion: Float64Array,
  boneMotion: Float64Array,
  pairs: number,
  neutral: number,
  assigned: Int32Array,
): Attribution {
  const N = pairs;
  const P = partMotion.length / (N * N);
  const m = boneMotion.length / (N * N);
  const motion = partMotion.map((squared) => (squared < NOISE ? 0 : squared));
  const { examples, departure } = liveParts(motion, N, P, neutral);
  const shares = new Float64Array(m * N * P);
  const energies = new Float64Array(N * N);
  const anywhere = new Float64Array(P).fill(1);
  for (let j = 0; j < m; j++) {
    for (let k = 0; k < N * N; k++) energies[k] = boneMotion[k * m + j];
    const slopes = nonNegativeSlopes(motion, energies, P);
    const known = Float64Array.from(slopes, (_, p) => Number(assigned[j] === p));
    for (let i = 0; i < N; i++) {
      // A bone that moves while its parts rest is shared by those that move, else by all parts.
      const at = (j * N + i) * P;
      const isShared = [known, slopes, anywhere].some((factors) => fillShares(departure, factors, i, shares, at));
      if (!isShared) shares.fill(1 / P, at, at + P);
    }
  }
  return { examples, shares };
}

/** N × P: the parts that a pair is an example of, and their squared deviations from the neutral pair. */
function liveParts(
  partMotion: Float64Array,
  N: number,
  P: number,
  neutral: number,
): { examples: Uint8Array; departure: Float64Array } {
  const examples = new Uint8Array(N * P);
  const departure = new Float64Array(N * P);
  for (let p = 0; p < P; p++) {
    const motion = Float64Array.from({ length: N }, (_, i) => partMotion[(i * N + neutral) * P + p]);
    const farthest = Math.max(...motion);
    for (let i = 0; i < N; i++) {
      if (i !== neutral && (motion[i] === 0 || motion[i] < STILL * farthest)) continue;
      examples[i * P + p] = 1;
      departure[i * P + p] = motion[i];
    }
  }
  return { examples, departure };
}

/** Shares proportional to slope · motion; false, with nothing stored, where all are 0. */
function fillShares(motion: Float64Array, slopes: Float64Array, i: number, out: Float64Array, at: number): boolean {
  const P = slopes.length;
  let total = 0;
  for (let p = 0; p < P; p++) total += slopes[p] * motion[i * P + p];
  if (!(total > 0)) return false;
  for (let p = 0; p < P; p++) out[at + p] = (slopes[p] * motion[i * P + p]) / total;
  return true;
}

/** Minimise ‖A s − e‖² subject to s ≥ 0 by coordinate descent; A has P columns. */
function nonNegativeSlopes(motion: Float64Array, energies: Float64Array, P: number): Float64Array {
  const rows = energies.length;
  const slopes = new Float64Array(P);
  const residual = Float64Array.from(energies, (energy) => -energy);
  const squares = new Float64Array(P);
  for (let k = 0; k < rows * P; k++) squares[k % P] += motion[k] ** 2;
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false;
    for (let p = 0; p < P; p++) {
      if (squares[p] === 0) continue;
      let gradient = 0;
      for (let i = 0; i < rows; i++) gradient += motion[i * P + p] * residual[i];
      const next = Math.max(0, slopes[p] - gradient / squares[p]);
      const step = next - slopes[p];
      if (step === 0) continue;
      moved = true;
      slopes[p] = next;
      for (let i = 0; i < rows; i++) residual[i] += step * motion[i * P + p];
    }
    if (!moved) break;
  }
  return slopes;
}
