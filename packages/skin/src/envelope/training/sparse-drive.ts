/**
 * Matrices that drive proxies from a few keys and joints each, in place of all: dense ones are most of a small file and of
 * a pose's time, and a proxy follows a handful of gradients and joints near it.
 *
 * With h the joint that a proxy follows most and z the middle of its vertices, over poses and sets K of keys and J of
 * joints,
 *
 *   min Σ_t ‖T − M_h − Σ_{l∈K} (D_l − M_h) A_l − Σ_{j∈J} (M_j − M_h) B_j‖²,
 *
 * where transforms have the columns of their linear part and the place of z, and keys those of the former. All terms vanish
 * where everything moves as one, so that the rest pose and rigid motions stay exact. K and J grow together, one by one
 * (group-pursuit.ts), keys that other proxies read before new ones: each costs a prediction per pose. The norm is that of
 * the proxy's vertices.
 */
import { boundsOf, checkCancelled, diagonalOf, type ReducedEnvelope, type Run } from '@pelt/model';
import { DriveSamples } from './drive-samples.ts';
import { FollowedColumns } from './followed-columns.ts';
import { pursueGroups } from './group-pursuit.ts';
import { jointsOfPalette } from './palette-joints.ts';
import { lowerFactor, PLACE, paletteMoments } from './palette-moments.ts';

/** Most keys and joints of a proxy besides the joint that it follows. */
const MOST = 16;
/** What a proxy may miss of its motion beside that joint, squared: 1 %. */
const SHARE = 1e-4;
/** RMS distance, relative to the model's size, below which more of them are not worth their bytes. */
const FINE = 1e-5;
/**
 * @param dense  with matrices that read everything
 * @param poses  m × 12 each
 */
export function sparseDrive(dense: ReducedEnvelope, poses: readonly Float64Array[], run: Run): ReducedEnvelope {
  const { rig, proxies, fromKeys, fromBones } = dense;
  const samples = new DriveSamples(dense, poses, run);
  const { entries, middles, extents, matrix } = paletteMoments(dense);
  const { joints, slots } = jointsOfPalette(dense, entries);
  const size = diagonalOf(boundsOf(rig.mesh.positions)) || 1;
  const width = PLACE * entries.length;
  const out = { fromKeys: new Float64Array(fromKeys.length), fromBones: new Float64Array(fromBones.length) };
  const usedKeys = new Set<number>();
  entries.forEach((p, b) => {
    if (p >= proxies) return;
    checkCancelled(run);
    const middle = middles.subarray(3 * b, 3 * b + 3);
    const factor = lowerFactor(matrix, width, PLACE * b);
    const home = joints[b * slots];
    const followed = new FollowedColumns(
      samples,
      home,
      samples.centre.map((centre, c) => middle[c] - centre),
    );
    const target = followed.target(p, extents[b], factor);
    const mass = matrix[(PLACE * b + 3) * (width + 1)];
    const { columns, coefficients } = pursueGroups(
      {
        groups: followed.groups,
        entry: (a, c) => followed.entry(a, c),
        column: (a) => followed.column(a),
        ...target,
        outputs: PLACE,
        isShared: (g) => g >= samples.keys || usedKeys.has(g),
      },
      { most: MOST, left: Math.max((FINE * size) ** 2 * mass * poses.length, SHARE * target.total) },
    );
    for (const c of columns) if (c < 3 * samples.keys) usedKeys.add(Math.floor(c / 3));
    const rows = new ProxyRows(out, p, samples, home, middle);
    columns.forEach((column, s) => {
      rows.add(column, inModel(coefficients.subarray(PLACE * s, PLACE * (s + 1)), factor, extents[b]));
    });
  });
  return { ...dense, ...out };
}

/** Coefficients of a column as they are without the metric: of three columns of a linear part and of a place. */
function inModel(given: Float64Array, factor: Float64Array, extent: number): Float64Array {
  const out = new Float64Array(PLACE);
  for (let o = PLACE - 1; o >= 0; o--) {
    // Nothing is asked of a direction without vertices.
    if (factor[PLACE * o + o] === 0) continue;
    let value = given[o];
    for (let k = o + 1; k < PLACE; k++) value -= out[k] * factor[PLACE * k + o];
    out[o] = value / factor[PLACE * o + o];
  }
  for (let o = 0; o < 3; o++) out[o] /= extent;
  return out;
}

/** The four rows of one proxy in both matrices, which give the columns of its transform. */
class ProxyRows {
  readonly #out: Pick<ReducedEnvelope, 'fromKeys' | 'fromBones'>;
  readonly #p: number;
  readonly #keys: number;
  readonly #bones: number;
  readonly #home: number;
  readonly #middle: Float64Array;

  constructor(
    out: Pick<ReducedEnvelope, 'fromKeys' | 'fromBones'>,
    p: number,
    { keys, bones }: DriveSamples,
    home: number,
    middle: Float64Array,
  ) {
    this.#out = out;
    this.#p = p;
    this.#keys = keys;
    this.#bones = bones;
    this.#home = home;
    this.#middle = middle;
    for (let r = 0; r < PLACE; r++) this.#addToBone(r, home, r, 1);
  }

  /** @param coefficients  of the columns of the linear part and the place of the middle, for a column of `FollowedColumns` */
  add(column: number, coefficients: Float64Array): void {
    const [x, y, z] = this.#middle;
    const [L, home] = [this.#keys, this.#home];
    const translation = coefficients[3] - coefficients[0] * x - coefficients[1] * y - coefficients[2] * z;
    for (let r = 0; r < PLACE; r++) {
      const value = r < 3 ? coefficients[r] : translation;
      if (column < 3 * L) {
        this.#out.fromKeys[(PLACE * this.#p + r) * 3 * L + column] += value;
        this.#addToBone(r, home, column % 3, -value);
        continue;
      }
      const other = Math.floor((column - 3 * L) / PLACE);
      const joint = other < home ? other : other + 1;
      const part = (column - 3 * L) % PLACE;
      for (const [j, share] of [
        [joint, value],
        [home, -value],
      ]) {
        this.#addToBone(r, j, part, share);
        if (part === 3) for (let a = 0; a < 3; a++) this.#addToBone(r, j, a, share * this.#middle[a]);
      }
    }
  }

  #addToBone(r: number, j: number, part: number, value: number): void {
    this.#out.fromBones[(PLACE * this.#p + r) * PLACE * this.#bones + PLACE * j + part] += value;
  }
}
