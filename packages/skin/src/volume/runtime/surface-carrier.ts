/**
 * Positions of the surface's vertices in a posed body. Most are vertices of the body. A vertex at a small distance from
 * the one that carries it (at a welded seam, in a thickened sheet) keeps its offset, rotated by a tetrahedron at that
 * vertex.
 */
import { multiply3, polarDecomposition } from '@pelt/math';
import { InputError, type Mesh, NO_VERTEX, type TetMesh, tetrahedronDeterminant, vertexCount } from '@pelt/model';
import { edgesOf, inverseOf } from './tetrahedron-edges.ts';

export class SurfaceCarrier {
  readonly #rest: Float32Array;
  readonly #body: TetMesh;
  /** Surface vertices with an offset from their carrier, the tetrahedron that rotates each, and the offsets (3 each). */
  readonly #off: Uint32Array;
  readonly #rotators: Uint32Array;
  readonly #offsets: Float64Array;
  /** Inverse edge matrices (3 × 3) of these tetrahedra at rest. */
  readonly #inverse: Float64Array;
  readonly #edges = new Float64Array(9);
  readonly #gradient = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #stretch = new Float64Array(9);

  constructor(surface: Mesh, body: TetMesh) {
    if (body.surface.length !== vertexCount(surface)) {
      throw new InputError(
        `createVolumeDeformer: the body carries ${body.surface.length} surface vertices, the mesh '${surface.name}' ` +
          `has ${vertexCount(surface)}; give the mesh that the body was made from`,
      );
    }
    this.#rest = surface.positions;
    this.#body = body;
    const off: number[] = [];
    const offsets: number[] = [];
    body.surface.forEach((v, i) => {
      if (v === NO_VERTEX) return;
      const distance = [0, 1, 2].map((axis) => surface.positions[3 * i + axis] - body.positions[3 * v + axis]);
      if (distance.every((value) => value === 0)) return;
      off.push(i);
      offsets.push(...distance);
    });
    this.#off = Uint32Array.from(off);
    this.#offsets = Float64Array.from(offsets);
    const largest = largestTetrahedra(body, new Set(off.map((i) => body.surface[i])));
    this.#rotators = this.#off.map((i) => largest.get(body.surface[i]) as number);
    this.#inverse = new Float64Array(9 * off.length);
    const edges = this.#edges;
    this.#rotators.forEach((e, k) => {
      edgesOf(body.positions, body.tetrahedra, e, edges);
      this.#inverse.set(inverseOf(edges), 9 * k);
    });
  }

  /**
   * @param positions  v × 3 of the body
   * @param out        n × 3 of the surface; overwritten
   */
  carry(positions: Float64Array, out: Float32Array): void {
    const { surface, tetrahedra } = this.#body;
    for (let i = 0; i < surface.length; i++) {
      const v = surface[i];
      for (let axis = 0; axis < 3; axis++) {
        out[3 * i + axis] = v === NO_VERTEX ? this.#rest[3 * i + axis] : positions[3 * v + axis];
      }
    }
    const edges = this.#edges;
    const gradient = this.#gradient;
    const rotation = this.#rotation;
    for (let k = 0; k < this.#off.length; k++) {
      edgesOf(positions, tetrahedra, this.#rotators[k], edges);
      multiply3(edges, 0, this.#inverse, 9 * k, gradient, 0);
      polarDecomposition(gradient, 0, rotation, 0, this.#stretch, 0);
      const i = this.#off[k];
      for (let axis = 0; axis < 3; axis++) {
        let place = positions[3 * surface[i] + axis];
        for (let c = 0; c < 3; c++) place += rotation[3 * axis + c] * this.#offsets[3 * k + c];
        out[3 * i + axis] = place;
      }
    }
  }
}

/** The tetrahedron of the largest volume at each of the vertices. */
function largestTetrahedra(body: TetMesh, vertices: ReadonlySet<number>): Map<number, number> {
  const found = new Map<number, { e: number; volume: number }>();
  for (let e = 0; e < body.tetrahedra.length / 4; e++) {
    for (let corner = 0; corner < 4; corner++) {
      const v = body.tetrahedra[4 * e + corner];
      if (!vertices.has(v)) continue;
      const volume = tetrahedronDeterminant(body.positions, body.tetrahedra, e);
      if (volume > (found.get(v)?.volume ?? 0)) found.set(v, { e, volume });
    }
  }
  return new Map([...found].map(([v, { e }]) => [v, e]));
}
