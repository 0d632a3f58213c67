/**
 * Tetrahedra inside a surface: every vertex of the surface is carried by one, none is inverted, none is outside, and few
 * or none are flat.
 *
 * Weld → thicken thin sheets → inner points of graded density → Delaunay tetrahedra of all points → keep those inside by
 * the winding number → mend the flat ones. The surface's triangles need not all be faces of the body; its volume says how
 * well it fits. Holes, self-intersections and several shells are no special cases.
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
import { WindingNumber } from './winding-number.ts';

/** A surface that is more open than this has no inside that could be meant: a closed one has 0, a hemisphere ½. */
const MOST_OPEN = 0.5;
/** What is thinner, in lengths of its edges, is a sheet. */
const SHEET = 0.75;
/** A tetrahedron whose determinant is below this share of its longest edge cubed is flat but for rounding. */
const FLAT = 1e-10;
/** A tetrahedron whose least dihedral angle is below this many degrees is reported as a sliver. */
const SLIVER_DEGREES = 5;

export interface TetrahedraReport {
  readonly vertices: number;
  readonly tetrahedra: number;
  /** Volume of the tetrahedra, and of the surface as it came. */
  readonly volume: number;
  readonly surfaceVolume: number;
  readonly leastAngleDegrees: number;
  /** Tetrahedra with a dihedral angle below 5°. */
  readonly slivers: number;
  /** Vertices of the mesh that were welded to another, that lie in thickened sheets, that only an outer tetrahedron holds. */
  readonly welded: number;
  readonly thickened: number;
  readonly forced: number;
}

export interface Tetrahedralization {
  readonly mesh: TetMesh;
  readonly report: TetrahedraReport;
}

export function tetrahedralize(
  mesh: Mesh,
  options?: Partial<TetrahedralizeOptions>,
  context?: RunContext,
): Tetrahedralization {
  const settings = resolveOptions('tetrahedralize', TETRAHEDRALIZE_DEFAULTS, options);
  const begin = (stage: string, fraction: number) => {
    checkCancelled(context);
    context?.onProgress?.({ stage, fraction });
  };
  const surface = weldSurface(mesh, settings.weldTolerance);
  const noInside = `tetrahedra: mesh '${mesh.name}' has no inside; a closed surface, with small holes at most, is needed`;
  if (surface.triangles.length === 0 || surface.openness > MOST_OPEN) throw new InputError(noInside);
  const asItCame = new WindingNumber(surface.positions, surface.triangles);
  const finer = settings.refine && isThin(surface, asItCame);
  const skin = finer ? refineSurface(surface.positions, surface.triangles) : surface;
  const measures = vertexMeasures(skin.positions, skin.triangles);
  const unmoved = finer ? new WindingNumber(skin.positions, skin.triangles) : asItCame;
  const { positions, moved } = thicken(skin.positions, measures, unmoved, settings.thinnest);
  const winding = moved > 0 ? new WindingNumber(positions, skin.triangles) : unmoved;

  begin('placing inner points', 0.1);
  const lengths = innerEdges(positions, measures, winding);
  const interior = interiorPoints(positions, measures.sizes, lengths, winding, settings);
  const n = measures.sizes.length;
  const count = n + interior.clearance.length;
  // Room for one helping point a vertex.
  const points = new Float64Array(3 * (count + n));
  points.set(positions);
  points.set(interior.points, 3 * n);

  begin('connecting points', 0.3);
  const delaunay = new Delaunay(points, count);
  const order = insertionOrder(points.subarray(0, 3 * count));
  const start = delaunay.start(order);
  if (!start) throw new InputError(noInside);
  for (const v of order) if (!start.includes(v)) delaunay.insert(v);

  begin('carving the body', 0.5);
  const carving = carve(delaunay, winding, measures, interior);
  if (carving.tetrahedra.length === 0) throw new InputError(noInside);
  const complex = new Complex(points.subarray(0, 3 * carving.pointCount), n, carving.tetrahedra);
  improve(complex, sin((settings.angle * Math.PI) / 180), settings.rounds, stageOf(context, 0.7, 1));
  const body = compacted(mesh.name, complex, surface);
  return { mesh: body, report: reportOn(body, surface, moved, carving.forced) };
}

/** Whether most of a surface is only a few of its own edges away from its other side, and no sheet. */
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

/** The complex without free places and unused points; vertices of the surface come first. */
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
  // One that is flat, on a flat face of the surface, has hardly any gradients, and without it the body has the same volume.
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
