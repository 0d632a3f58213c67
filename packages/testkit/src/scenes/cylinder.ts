/**
 * A capped cylinder with a chain of bones along it, bent at one joint or twisted from end to end: where skinning methods
 * show what they lose. Radius 1, along x from 0. Triangles are nearly equilateral on the side and on the caps.
 */
import { type Bone, type Mesh, resolveOptions } from '@pelt/model';
import { boneAt } from '../scene.ts';
import { IDENTITY, type Transform, turnAbout } from '../transform.ts';

export interface CylinderOptions {
  /** Vertices in a ring. */
  readonly sides: number;
  /** In radii. */
  readonly length: number;
  readonly bones: number;
}

export const CYLINDER_DEFAULTS: CylinderOptions = { sides: 24, length: 12, bones: 5 };

export interface Cylinder {
  readonly mesh: Mesh;
  readonly bones: readonly Bone[];
  /** The far end of the last bone. */
  readonly tip: readonly [number, number, number];
  /** Rings of vertices along the side, in turn. */
  readonly rings: readonly (readonly number[])[];
  /** For each bone the ring at its middle. */
  readonly middles: readonly (readonly number[])[];
  /** m × 12: bones from the middle joint on turned about z by so many degrees. */
  readonly bent: (degrees: number) => Float64Array;
  /** m × 12: each bone turned about x by a share of so many degrees, the first by none, the last by all. */
  readonly twisted: (degrees: number) => Float64Array;
}

export function cylinder(options?: Partial<CylinderOptions>): Cylinder {
  const { sides, length, bones: m } = resolveOptions('cylinder', CYLINDER_DEFAULTS, options);
  const positions: number[] = [];
  const triangles: number[] = [];
  // Twice the rings that divide evenly into half bones, so that every bone has a ring at its middle.
  const edge = (2 * Math.PI) / sides;
  const steps = 2 * m * Math.max(Math.round(length / (0.88 * edge) / (2 * m)), 1);
  const rings = Array.from({ length: steps + 1 }, (_, r) => {
    return addRing(positions, (length * r) / steps, 1, sides, 0.5 * (r % 2));
  });
  for (let r = 0; r < steps; r++) addBand(triangles, rings[r], rings[r + 1], r % 2 === 1);
  addCap(positions, triangles, rings[steps], length, edge, false);
  addCap(positions, triangles, rings[0], 0, edge, true);
  const joint = (j: number) => (length * j) / m;
  return {
    mesh: { name: 'cylinder', positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    bones: Array.from({ length: m }, (_, j) => boneAt(`bone ${j}`, j - 1, [joint(j), 0, 0])),
    tip: [length, 0, 0],
    rings,
    middles: Array.from({ length: m }, (_, j) => rings[((2 * j + 1) * steps) / (2 * m)]),
    bent: (degrees) => {
      const middle = Math.floor(m / 2);
      const turn = turnAbout([joint(middle), 0, 0], [0, 0, 1], (degrees * Math.PI) / 180);
      return together(Array.from({ length: m }, (_, j) => (j < middle ? IDENTITY : turn)));
    },
    twisted: (degrees) => {
      const share = (j: number) => (m > 1 ? j / (m - 1) : 0);
      const turn = (j: number) => turnAbout([0, 0, 0], [1, 0, 0], (share(j) * degrees * Math.PI) / 180);
      return together(Array.from({ length: m }, (_, j) => turn(j)));
    },
  };
}

function together(transforms: readonly Transform[]): Float64Array {
  return Float64Array.from(transforms.flat());
}

/** @param turn  in steps of the ring */
function addRing(positions: number[], x: number, radius: number, count: number, turn: number): number[] {
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * (k + turn)) / count;
    return positions.push(x, radius * Math.cos(angle), radius * Math.sin(angle)) / 3 - 1;
  });
}

/** Two rings of as many vertices, one half a step ahead of the other. */
function addBand(triangles: number[], near: readonly number[], far: readonly number[], nearAhead: boolean): void {
  for (let k = 0; k < near.length; k++) {
    const next = (k + 1) % near.length;
    if (nearAhead) triangles.push(near[k], near[next], far[next], near[k], far[next], far[k]);
    else triangles.push(near[k], near[next], far[k], near[next], far[next], far[k]);
  }
}

/** Rings of falling size down to the middle of an end. */
function addCap(
  positions: number[],
  triangles: number[],
  rim: readonly number[],
  x: number,
  edge: number,
  faceBack: boolean,
): void {
  const add = (a: number, b: number, c: number) => triangles.push(...(faceBack ? [a, c, b] : [a, b, c]));
  const count = Math.max(Math.round(1 / edge), 1);
  let outer = rim;
  for (let ring = 1; ring < count; ring++) {
    const radius = 1 - ring / count;
    const inner = addRing(positions, x, radius, Math.max(Math.round(rim.length * radius), 3), 0.25);
    zip(positions, outer, inner, add);
    outer = inner;
  }
  const middle = positions.push(x, 0, 0) / 3 - 1;
  for (let k = 0; k < outer.length; k++) add(outer[k], outer[(k + 1) % outer.length], middle);
}

/** Triangles between two rings of different counts, always going on with the ring whose next vertex comes first. */
function zip(
  positions: readonly number[],
  outer: readonly number[],
  inner: readonly number[],
  add: (a: number, b: number, c: number) => void,
): void {
  const angleOf = (v: number) => {
    const angle = Math.atan2(positions[3 * v + 2], positions[3 * v + 1]);
    return angle < -1e-9 ? angle + 2 * Math.PI : angle;
  };
  // The angle of the k-th vertex of a ring, turns counted.
  const at = (ring: readonly number[], k: number) => {
    return angleOf(ring[k % ring.length]) + 2 * Math.PI * Math.floor(k / ring.length);
  };
  let [o, i] = [0, 0];
  while (o < outer.length || i < inner.length) {
    const [a, b] = [outer[o % outer.length], inner[i % inner.length]];
    if (i >= inner.length || (o < outer.length && at(outer, o + 1) <= at(inner, i + 1))) {
      o++;
      add(a, outer[o % outer.length], b);
    } else {
      i++;
      add(a, inner[i % inner.length], b);
    }
  }
}
