/**
 * Where a surface's vertices are when its body has moved. Most are vertices of the body. One that lies a little off the
 * vertex that carries it (a welded seam, a thickened sheet) keeps its distance, turned by the rotation of a tetrahedron at
 * that vertex.
 */
import { multiply3, polarDecomposition } from '@pelt/math';
import { InputError, type Mesh, NO_VERTEX, type TetMesh, tetrahedronDeterminant, vertexCount } from '@pelt/model';
import { edgesOf, inverseOf } from './tetrahedron-edges.ts';

export class SurfaceCarrier {
  readonly #rest: Float32Array;
  readonly #body: TetMesh;
  /** Surface vertices with a distance from their carrier, the tetrahedron that turns each, and the distance (3 each). */
  readonly #off: Uint32Array;
  readonly #turners: Uint32Array;
  readonly #offsets: Float64Array;
  /** Inverse edges (3 × 3) of the turning tetrahedra at rest. */
  readonly #inverse: Float64Array;

  constructor(surface: Mesh, body: TetMesh) {
    if (body.surface.length !== vertexCount(surface)) {
      throw new InputError(
        `volume: the body was made for ${body.surface.length} surface vertices, the mesh has ${vertexCount(surface)}`,
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
    this.#turners = this.#off.map((i) => largest.get(body.surface[i]) as number);
    this.#inverse = new Float64Array(9 * off.length);
    const edges = new Float64Array(9);
    this.#turners.forEach((e, k) => {
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
    const [edges, gradient] = [new Float64Array(9), new Float64Array(9)];
    const [rotation, stretch] = [new Float64Array(9), new Float64Array(9)];
    for (let k = 0; k < this.#off.length; k++) {
      edgesOf(positions, tetrahedra, this.#turners[k], edges);
      multiply3(edges, 0, this.#inverse, 9 * k, gradient, 0);
      polarDecomposition(gradient, 0, rotation, 0, stretch, 0);
      const i = this.#off[k];
      for (let axis = 0; axis < 3; axis++) {
        let place = positions[3 * surface[i] + axis];
        for (let c = 0; c < 3; c++) place += rotation[3 * axis + c] * this.#offsets[3 * k + c];
        out[3 * i + axis] = place;
      }
    }
  }
}

/** For each of the vertices its tetrahedron of largest volume. */
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
