/**
 * What the dual active set method keeps of its active constraints: J with JᵀGJ = I, whose first q columns span the
 * active normals (in the metric of G), and the triangle R with JᵀN = [R; 0].
 *
 * Reference: Goldfarb, Idnani. A numerically stable dual method for solving strictly convex quadratic programs. 1983
 * (equations 4.4–4.9).
 */
import { NumericError } from '../errors.ts';

export class ActiveFactor {
  readonly #n: number;
  /** n × n: row k is column k of J, so that rotations run along memory. */
  readonly #columns: Float64Array;
  /** n × n: row k is the column of R for active constraint k. */
  readonly #triangle: Float64Array;
  #count = 0;

  /** @param g  n × n row-major, positive definite; only the lower triangle is read */
  constructor(g: ArrayLike<number>, n: number) {
    this.#n = n;
    this.#triangle = new Float64Array(n * n);
    this.#columns = inverseOfCholesky(g, n);
  }

  /** G⁻¹a = JJᵀa. */
  freeMinimum(a: ArrayLike<number>): Float64Array {
    return this.#combine(this.image(Float64Array.from(a)), 0);
  }

  /** d = Jᵀv. */
  image(v: Float64Array): Float64Array {
    const n = this.#n;
    const out = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += this.#columns[k * n + i] * v[i];
      out[k] = sum;
    }
    return out;
  }

  /** z = J₂d₂: where x moves when the constraint with image d is pushed, the active ones held. */
  direction(image: Float64Array): Float64Array {
    return this.#combine(image, this.#count);
  }

  /** r = R⁻¹d₁: how fast the active multipliers fall meanwhile. */
  multiplierSlopes(image: Float64Array): Float64Array {
    const n = this.#n;
    const out = image.slice(0, this.#count);
    for (let k = this.#count - 1; k >= 0; k--) {
      out[k] /= this.#triangle[k * n + k];
      for (let i = 0; i < k; i++) out[i] -= out[k] * this.#triangle[k * n + i];
    }
    return out;
  }

  /** The shortest change of x (in the metric of G) that takes these slacks of the active constraints to zero. */
  correction(slacks: Float64Array): Float64Array {
    const n = this.#n;
    const y = new Float64Array(n);
    for (let k = 0; k < this.#count; k++) {
      let sum = -slacks[k];
      for (let i = 0; i < k; i++) sum -= this.#triangle[k * n + i] * y[i];
      y[k] = sum / this.#triangle[k * n + k];
    }
    return this.#combine(y, 0);
  }

  /** Takes in the constraint with image d: rotations of J clear d beyond its place. */
  add(image: Float64Array): void {
    const n = this.#n;
    const d = image.slice();
    for (let k = n - 1; k > this.#count; k--) {
      if (d[k] === 0) continue;
      const length = Math.hypot(d[k - 1], d[k]);
      this.#rotate(k - 1, d[k - 1] / length, d[k] / length);
      d[k - 1] = length;
      d[k] = 0;
    }
    this.#triangle.set(d, this.#count * n);
    this.#count++;
  }

  /** Lets constraint `place` go: the columns of R behind it move up and are made triangular again. */
  remove(place: number): void {
    const n = this.#n;
    const t = this.#triangle;
    t.copyWithin(place * n, (place + 1) * n, this.#count * n);
    this.#count--;
    for (let k = place; k < this.#count; k++) {
      const at = k * n + k;
      const length = Math.hypot(t[at], t[at + 1]);
      if (t[at + 1] === 0) continue;
      const [cosine, sine] = [t[at] / length, t[at + 1] / length];
      for (let row = k * n; row < this.#count * n; row += n) {
        const [x, y] = [t[row + k], t[row + k + 1]];
        t[row + k] = cosine * x + sine * y;
        t[row + k + 1] = cosine * y - sine * x;
      }
      this.#rotate(k, cosine, sine);
    }
  }

  /** Columns k and k + 1 of J: (c·p + s·q, c·q − s·p). */
  #rotate(k: number, cosine: number, sine: number): void {
    const n = this.#n;
    for (let i = k * n; i < (k + 1) * n; i++) {
      const [x, y] = [this.#columns[i], this.#columns[i + n]];
      this.#columns[i] = cosine * x + sine * y;
      this.#columns[i + n] = cosine * y - sine * x;
    }
  }

  /** Σ dₖ times column k of J, from column `first` on. */
  #combine(d: Float64Array, first: number): Float64Array {
    const n = this.#n;
    const out = new Float64Array(n);
    for (let k = first; k < n; k++) for (let i = 0; i < n; i++) out[i] += d[k] * this.#columns[k * n + i];
    return out;
  }
}

/** L⁻¹ row by row, which is L⁻ᵀ column by column, for G = LLᵀ. */
function inverseOfCholesky(g: ArrayLike<number>, n: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = g[r * n + c];
      for (let k = 0; k < c; k++) sum -= l[r * n + k] * l[c * n + k];
      if (c < r) l[r * n + c] = sum / l[c * n + c];
      else {
        if (!(sum > n * 2 ** -52 * Math.abs(g[r * n + r]))) {
          throw new NumericError(`convex QP: column ${r} of the matrix is not positive definite; regularise it`);
        }
        l[r * n + r] = Math.sqrt(sum);
      }
    }
  }
  const inverse = new Float64Array(n * n);
  for (let r = 0; r < n; r++) {
    inverse[r * n + r] = 1;
    for (let k = 0; k < r; k++) {
      for (let c = 0; c <= k; c++) inverse[r * n + c] -= l[r * n + k] * inverse[k * n + c];
    }
    for (let c = 0; c <= r; c++) inverse[r * n + c] /= l[r * n + r];
  }
  return inverse;
}
