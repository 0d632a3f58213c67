/**
 * Fills a surface with tetrahedra: every surface vertex belongs to one, none is inverted, none is outside, and few or none
 * are slivers.
 *
 * Weld → thicken thin sheets → interior points of graded density → Delaunay tetrahedralisation of all points → keep the
 * tetrahedra inside by the winding number → mesh improvement. Triangles of the surface are not enforced as faces; the
 * volume measures how well the body fits. Holes, self-intersections and several shells are not special cases.
 */
import { sin } from '@pelt/math';
import {
  checkCancelled,
  InputError,
  type Mesh,
  NO_VERTEX,
  type RunContext,
  resolveOptions,
  stageOf,
  type TetMesh,
  tetrahedronDeterminant,
} from '@pelt/model';
import { WindingNumber } from '../shared/mesh/winding-number.ts';
import { carve } from './carve.ts';
import { Complex } from './complex.ts';
import { Delaunay } from './delaunay.ts';
import { improve } from './improve.ts';
import { innerEdges, isInside } from './inner-edges.ts';
import { insertionOrder } from './insertion-order.ts';
import { interiorPoints } from './interior-points.ts';
import { TETRAHEDRALIZE_DEFAULTS, type TetrahedralizeOptions } from './options.ts';
import { leastDihedralDegrees } from './quality.ts';
import { refineSurface } from './refine-surface.ts';
import { thicken } from './thicken.ts';
import { vertexMeasures } from './vertex-measures.ts';
import { type WeldedSurface, weldSurface } from './weld-surface.ts';

/** Most openness of a surface that has an inside: 0 for a closed surface, ½ for a hemisphere. */
const MOST_OPEN = 0.5;
/** Thickness, in edge lengths, below which a part is a sheet. */
const SHEET = 0.75;
/** A tetrahedron is degenerate where its determinant is below this fraction of its longest edge cubed. */
const FLAT = 1e-10;
/** Dihedral angle in degrees below which a tetrahedron is a sliver. */
const SLIVER_DEGREES = 5;
/** Points between two looks at the signal. */
const BATCH = 1024;

/** Counts and quality of a tetrahedral mesh. */
export interface TetrahedraReport {
  readonly vertices: number;
  readonly tetrahedra: number;
  /** Volume of the tetrahedra. */
  readonly volume: number;
  /** Volume that the given surface encloses. */
  readonly surfaceVolume: number;
  readonly leastAngleDegrees: number;
  /** Tetrahedra with a dihedral angle below 5°. */
  readonly slivers: number;
  /** Vertices of the mesh that were welded to another one. */
  readonly welded: number;
  /** Vertices of thin sheets that were moved to thicken them. */
  readonly thickened: number;
  /** Vertices of the mesh that only a tetrahedron outside the surface contains. */
  readonly forced: number;
}

/** A tetrahedral mesh and its quality. */
export interface Tetrahedralization {
  readonly mesh: TetMesh;
  readonly report: TetrahedraReport;
}

/**
 * Fills a closed surface with tetrahedra; small holes, self-intersections and several shells are allowed.
 *
 * @param mesh  n vertices, f triangles
 *
 * @example
 * {@includeCode ../../examples/tetrahedralize.ts}
 */
export function tetrahedralize(
  mesh: Mesh,
  options?: Partial<TetrahedralizeOptions>,
  run?: RunContext,
): Tetrahedralization {
  const settings = resolveOptions('tetrahedralize', TETRAHEDRALIZE_DEFAULTS, options);
  const begin = (stage: string, fraction: number) => {
    checkCancelled(run);
    run?.onProgress?.({ stage, fraction });
  };
  const surface = weldSurface(mesh, settings.weldTolerance);
  const noInside = `tetrahedralize: mesh '${mesh.name}' has no inside; give a closed surface, with small holes at most`;
  if (surface.triangles.length === 0 || surface.openness > MOST_OPEN) throw new InputError(noInside);
  const asItCame = new WindingNumber(surface.positions, surface.triangles);
  const finer = settings.refine && isThin(surface, asItCame);
  const skin = finer ? refineSurface(surface.positions, surface.triangles) : surface;
  const measures = vertexMeasures(skin.positions, skin.triangles);
  const unmoved = finer ? new WindingNumber(skin.positions, skin.triangles) : asItCame;
  const { positions, moved } = thicken(skin.positions, measures, unmoved, settings.thinnest, run);
  const winding = moved > 0 ? new WindingNumber(positions, skin.triangles) : unmoved;

  begin('placing interior points', 0.1);
  const lengths = innerEdges(positions, measures, winding);
  const interior = interiorPoints(positions, measures.sizes, lengths, winding, settings, run);
  const n = measures.sizes.length;
  const count = n + interior.clearance.length;
  // Room for one additional point per vertex.
  const points = new Float64Array(3 * (count + n));
  points.set(positions);
  points.set(interior.points, 3 * n);

  begin('connecting points', 0.3);
  const delaunay = new Delaunay(points, count);
  const order = insertionOrder(points.subarray(0, 3 * count));
  const start = delaunay.start(order);
  if (!start) throw new InputError(noInside);
  order.forEach((v, k) => {
    if (k % BATCH === 0) begin('connecting points', 0.3 + (0.2 * k) / count);
    if (!start.includes(v)) delaunay.insert(v);
  });

  begin('carving the body', 0.5);
  const carving = carve(delaunay, winding, measures, interior, run);
  if (carving.tetrahedra.length === 0) throw new InputError(noInside);
  const complex = new Complex(points.subarray(0, 3 * carving.pointCount), n, carving.tetrahedra);
  improve(complex, sin((settings.angle * Math.PI) / 180), settings.rounds, stageOf(run, 0.7, 1));
  const body = compacted(mesh.name, complex, surface);
  return { mesh: body, report: reportOn(body, surface, moved, carving.forced) };
}

/** Whether most of a surface is only a few of its edges away from its other side, and is not a sheet. */
function isThin({ positions, triangles }: WeldedSurface, winding: WindingNumber): boolean {
  const measures = vertexMeasures(positions, triangles);
  const edges = innerEdges(positions, measures, winding);
  let thin = 0;
  for (let i = 0; i < edges.length; i++) {
    if (edges[i] < measures.sizes[i] && isInside(i, SHEET * measures.sizes[i], positions, measures.normals, winding)) {
      thin++;
    }
  }
  return 2 * thin > edges.length;
}

/** The complex without free slots and unused points; vertices of the surface come first. */
function compacted(name: string, complex: Complex, surface: WeldedSurface): TetMesh {
  const { points, vertices, places, pointCount } = complex;
  const tetrahedra: number[] = [];
  const carried = new Uint8Array(pointCount);
  const flat: number[] = [];
  for (let t = 0; t < places; t++) {
    if (!complex.isAlive(t)) continue;
    if (!(tetrahedronDeterminant(points, vertices, t) > FLAT * longestEdge(points, vertices, t) ** 3)) {
      flat.push(t);
      continue;
    }
    for (let slot = 0; slot < 4; slot++) {
      tetrahedra.push(vertices[4 * t + slot]);
      carried[vertices[4 * t + slot]] = 1;
    }
  }
  // A degenerate one, on a planar part of the surface, has no useful gradients; it is kept only where a vertex needs it.
  for (const t of flat) {
    const corners = vertices.subarray(4 * t, 4 * t + 4);
    if (corners.some((v) => !carried[v]) && tetrahedronDeterminant(points, vertices, t) > 0)
      tetrahedra.push(...corners);
  }
  const place = new Uint32Array(pointCount).fill(NO_VERTEX);
  for (const v of tetrahedra) place[v] = 0;
  let count = 0;
  for (let v = 0; v < pointCount; v++) if (place[v] !== NO_VERTEX) place[v] = count++;
  const positions = new Float32Array(3 * count);
  for (let v = 0; v < pointCount; v++) {
    if (place[v] !== NO_VERTEX) positions.set(points.subarray(3 * v, 3 * v + 3), 3 * place[v]);
  }
  return {
    name,
    positions,
    tetrahedra: Uint32Array.from(tetrahedra, (v) => place[v]),
    surface: surface.welded.map((v) => (v === NO_VERTEX ? v : place[v])),
  };
}

function longestEdge(points: Float64Array, vertices: ArrayLike<number>, t: number): number {
  let most = 0;
  for (let a = 4 * t; a < 4 * t + 4; a++) {
    for (let b = 4 * t; b < a; b++) {
      const [p, q] = [3 * vertices[a], 3 * vertices[b]];
      const [x, y, z] = [points[p] - points[q], points[p + 1] - points[q + 1], points[p + 2] - points[q + 2]];
      most = Math.max(most, x * x + y * y + z * z);
    }
  }
  return Math.sqrt(most);
}

function reportOn(body: TetMesh, surface: WeldedSurface, thickened: number, forced: number): TetrahedraReport {
  const { positions, tetrahedra } = body;
  let volume = 0;
  let leastAngleDegrees = 180;
  let slivers = 0;
  for (let k = 0; k < tetrahedra.length; k += 4) {
    volume += tetrahedronDeterminant(positions, tetrahedra, k / 4) / 6;
    const [a, b, c, d] = [tetrahedra[k], tetrahedra[k + 1], tetrahedra[k + 2], tetrahedra[k + 3]];
    const angle = leastDihedralDegrees(positions, a, b, c, d);
    leastAngleDegrees = Math.min(leastAngleDegrees, angle);
    if (angle < SLIVER_DEGREES) slivers++;
  }
  let used = 0;
  for (const v of surface.welded) if (v !== NO_VERTEX) used++;
  return {
    vertices: positions.length / 3,
    tetrahedra: tetrahedra.length / 4,
    volume,
    surfaceVolume: surface.volume,
    leastAngleDegrees,
    slivers,
    welded: used - surface.positions.length / 3,
    thickened,
    forced,
  };
}
