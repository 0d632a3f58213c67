/**
 * The Gauss–Newton matrix of the blend with the controls eliminated, dmᵀW dm − dmᵀWG K GᵀW dm, and the gradient, in the
 * unknowns of BodyBlend: the columns of each region's own blend and rotation are gathered into those of the common blend,
 * of the region's modes and of its rotation.
 *
 * With regions the matrix is kept as long as the blend stays near the one that it was computed for. The gradient and the
 * handles' part, which are exact in every iteration, are formed in each region's own columns before they are gathered: a few
 * rows in place of N.
 */
import type { Block, Scope } from '@pelt/math';
import type { BodyBlend } from './body-blend.ts';
import { TURN } from './body-blend.ts';
import type { BodyPart } from './body-part.ts';
import type { ControlSystem } from './control-system.ts';
import type { HandleSet } from './handle-set.ts';

/** Change of a blend weight, or of a rotation in radians, from which on the matrix is computed again. */
const STALE = 0.2;

export class ReducedMatrix {
  /** Numbers of a row: three runs of `width` whose entries from `lead` on belong to the unknowns */
  readonly columns: number;
  readonly width: number;
  readonly lead: number;
  readonly #system: ControlSystem;
  readonly #body: BodyBlend;
  /** N × columns: GᵀW dm where the matrix was computed last, and L⁻¹ times that */
  readonly #pulled: Block<Float64Array>;
  readonly #moved: Block<Float64Array>;
  /** width × width */
  readonly #gram: Block<Float64Array>;
  /** Blends and rotations of the regions that #gram was computed for. */
  readonly #blends: Float64Array;
  readonly #turns: Float64Array;
  #isKnown = false;
  /** columnCount × modes: one region's Gram matrix times its modes */
  readonly #products: Float64Array;
  /** columnCount: slope of the energy by one region's own blend and rotation */
  readonly #slopes: Float64Array;
  /** Handles × columns, and × those of a region */
  #held: Float64Array = new Float64Array(0);
  #ownHeld: Float64Array = new Float64Array(0);

  /** @param scope  owns the blocks in wasm memory */
  constructor(system: ControlSystem, body: BodyBlend, scope: Scope) {
    this.#system = system;
    this.#body = body;
    const [part] = system.parts;
    const whole = body.R === 1;
    // One region has its own columns already.
    this.width = whole ? part.width : body.count + (body.count % 2);
    this.columns = 3 * this.width;
    this.lead = whole ? 1 : 0;
    this.#pulled = whole ? part.pulled : scope.f64(system.N * this.columns);
    this.#moved = scope.f64(system.N * this.columns);
    this.#gram = whole ? part.gram : scope.f64(this.width * this.width);
    this.#blends = new Float64Array(body.blends.length);
    this.#turns = new Float64Array(body.turns.length);
    this.#products = new Float64Array(part.columnCount * body.modes);
    this.#slopes = new Float64Array(part.columnCount);
  }

  /** Allocates the buffers of `movesOf` for so many handles. */
  reserve(handles: number): void {
    this.#held = new Float64Array(handles * this.columns);
    this.#ownHeld = new Float64Array(handles * this.#system.parts[0].columns);
  }

  /** The matrix is computed again: K or the weights have changed. */
  forget(): void {
    this.#isKnown = false;
  }

  /**
   * @param u         N × 3 controls
   * @param gradient  as many as unknowns; overwritten
   * @param a         rows of M; the unknowns' lower triangle is overwritten
   */
  linearise(u: Float64Array, gradient: Float64Array, a: Float64Array, M: number): void {
    const { N, lowerInverse, products, parts } = this.#system;
    const body = this.#body;
    const { columns, width, lead } = this;
    const whole = body.R === 1;
    const fresh = whole || this.#isStale();
    gradient.fill(0);
    for (let r = 0; r < parts.length; r++) {
      parts[r].linearise(fresh);
      this.#addSlopes(parts[r], r, u, gradient);
    }
    if (fresh) {
      if (!whole) this.#gather();
      // PᵀKP = (L⁻¹P)ᵀ(L⁻¹P)
      products.lower(lowerInverse, this.#pulled, columns, this.#moved);
      products.addProducts(N, -1, this.#moved, this.#moved, columns, width, this.#gram);
      this.#blends.set(body.blends);
      this.#turns.set(body.turns);
      this.#isKnown = true;
    }
    const gram = this.#gram.view;
    for (let e = 0; e < body.count; e++) {
      for (let f = 0; f <= e; f++) a[e * M + f] = gram[(e + lead) * width + f + lead];
    }
  }

  /** How far the handles move with every unknown, k × columns: the same array every time. */
  movesOf(handles: HandleSet): Float64Array {
    const { parts } = this.#system;
    const { columns, width } = this;
    const held = this.#held.fill(0);
    if (this.#body.R === 1) {
      handles.addMoves(parts[0].pulled.view, parts[0].rows, columns, held);
      return held;
    }
    for (let r = 0; r < parts.length; r++) {
      const part = parts[r];
      const own = this.#ownHeld.fill(0);
      handles.addMoves(part.pulled.view, part.rows, part.columns, own);
      for (let c = 0; c < handles.count; c++) {
        for (let run = 0; run < 3; run++) {
          this.#gatherRun(own, c * part.columns + run * part.width + 1, r, held, c * columns + run * width);
        }
      }
    }
    return held;
  }

  /** The slope of the energy along the unknowns of a region, with what the controls take up. */
  #addSlopes(part: BodyPart, r: number, u: Float64Array, gradient: Float64Array): void {
    const slopes = this.#slopes;
    const D = part.columnCount;
    const { rows, columns, width } = part;
    const pulled = part.pulled.view;
    for (let e = 0; e < D; e++) slopes[e] = part.gradient[e];
    for (let n = 0; n < rows.length; n++) {
      const x = u[3 * rows[n]];
      const y = u[3 * rows[n] + 1];
      const z = u[3 * rows[n] + 2];
      const at = rows[n] * columns + 1;
      for (let e = 0; e < D; e++) {
        slopes[e] -= pulled[at + e] * x + pulled[at + width + e] * y + pulled[at + 2 * width + e] * z;
      }
    }
    if (this.#body.R === 1) for (let e = 0; e < D; e++) gradient[e] = slopes[e];
    else this.#gatherRun(slopes, 0, r, gradient, 0);
  }

  #isStale(): boolean {
    const { blends, turns } = this.#body;
    let most = 0;
    for (let k = 0; k < blends.length; k++) most = Math.max(most, Math.abs(blends[k] - this.#blends[k]));
    for (let k = 0; k < turns.length; k++) most = Math.max(most, Math.abs(turns[k] - this.#turns[k]));
    return !this.#isKnown || most > STALE;
  }

  /** Columns of the unknowns from those of the regions, and dmᵀW dm, at and below the diagonal. */
  #gather(): void {
    const { parts } = this.#system;
    const { columns, width } = this;
    const pulled = this.#pulled.view.fill(0);
    const gram = this.#gram.view.fill(0);
    for (let r = 0; r < parts.length; r++) {
      const { rows, columns: own, width: run, pulled: from } = parts[r];
      for (let n = 0; n < rows.length; n++) {
        for (let c = 0; c < 3; c++) {
          this.#gatherRun(from.view, rows[n] * own + c * run + 1, r, pulled, rows[n] * columns + c * width);
        }
      }
      this.#addGram(parts[r], r, gram, width);
    }
  }

  #addGram(part: BodyPart, r: number, gram: Float64Array, width: number): void {
    const { E, modes, bases } = this.#body;
    const basis = bases[r];
    const at = this.#body.modeAt(r);
    const turn = at + modes;
    const own = part.gram.view;
    const D = part.columnCount;
    const entry = (e: number, f: number) => own[(Math.max(e, f) + 1) * part.width + Math.min(e, f) + 1];
    const products = this.#products.fill(0);
    for (let e = 0; e < D; e++) {
      for (let f = 0; f < E; f++) {
        const value = entry(e, f);
        for (let a = 0; a < modes; a++) products[e * modes + a] += value * basis[f * modes + a];
        if (f <= e && e < E) gram[e * width + f] += value;
      }
    }
    for (let a = 0; a < modes; a++) {
      for (let e = 0; e < E; e++) gram[(at + a) * width + e] += products[e * modes + a];
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let e = 0; e < E; e++) sum += basis[e * modes + a] * products[e * modes + b];
        gram[(at + a) * width + at + b] += sum;
      }
    }
    for (let c = 0; c < TURN; c++) {
      for (let e = 0; e < E; e++) gram[(turn + c) * width + e] += entry(E + c, e);
      for (let a = 0; a < modes; a++) gram[(turn + c) * width + at + a] += products[(E + c) * modes + a];
      for (let d = 0; d <= c; d++) gram[(turn + c) * width + turn + d] += entry(E + c, E + d);
    }
  }

  /** out += the common blend's, the modes' and the rotation's part of a run of a region's own numbers. */
  #gatherRun(from: Float64Array, start: number, r: number, out: Float64Array, to: number): void {
    const { E, modes, bases } = this.#body;
    const basis = bases[r];
    const at = to + this.#body.modeAt(r);
    for (let e = 0; e < E; e++) {
      const value = from[start + e];
      out[to + e] += value;
      for (let a = 0; a < modes; a++) out[at + a] += value * basis[e * modes + a];
    }
    for (let c = 0; c < TURN; c++) out[at + modes + c] += from[start + E + c];
  }
}
