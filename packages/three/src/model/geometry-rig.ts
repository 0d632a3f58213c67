/** A geometry and a skeleton of three.js as pelt's own nouns: what validators, drivers and workers are given. */
import { type Mesh, type Bone as ModelBone, type Rig, type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import { type Bone, type BufferGeometry, Matrix4, type Object3D } from 'three';

/**
 * Positions and triangles as a mesh of pelt.
 *
 * @param geometries  over the same vertices; their triangles are joined
 *
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function meshOf(name: string, geometries: readonly BufferGeometry[]): Mesh {
  const position = geometries[0].getAttribute('position');
  const positions = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    for (let c = 0; c < 3; c++) positions[3 * i + c] = position.getComponent(i, c);
  }
  const triangles = geometries.map(trianglesOf);
  const joined = new Uint32Array(triangles.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of triangles) {
    joined.set(part, at);
    at += part.length;
  }
  return { name, positions, triangles: joined };
}

export function trianglesOf(geometry: BufferGeometry): Uint32Array {
  const { index } = geometry;
  const corners = index ? index.count : geometry.getAttribute('position').count;
  return Uint32Array.from({ length: 3 * Math.floor(corners / 3) }, (_, k) => (index ? index.getX(k) : k));
}

/**
 * Joints with the nearest joint above each as its parent, and their frames at rest.
 *
 * @param joints    m, parents before children
 * @param inverses  m inverse bind matrices
 *
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function bonesOf(joints: readonly Bone[], inverses: readonly Matrix4[]): ModelBone[] {
  const indices = new Map<Object3D, number>(joints.map((joint, j) => [joint, j]));
  const rest = new Matrix4();
  return joints.map((joint, j) => {
    let above: Object3D | null = joint.parent;
    while (above && !indices.has(above)) above = above.parent;
    rest.copy(inverses[j]).invert();
    return {
      name: joint.name || `joint-${j}`,
      parent: above ? (indices.get(above) as number) : -1,
      rest: rowsOf(rest, new Float64Array(TRANSFORM_SIZE), 0),
    };
  });
}

/**
 * Geometry, joints and weights as a rig of pelt: what drivers and validators are given.
 *
 * @param geometries  over the same vertices
 * @param joints      m, parents before children
 * @param inverses    m inverse bind matrices
 *
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function rigOf(
  name: string,
  geometries: readonly BufferGeometry[],
  joints: readonly Bone[],
  inverses: readonly Matrix4[],
  weights: SkinWeights,
): Rig {
  return { name, mesh: meshOf(name, geometries), bones: bonesOf(joints, inverses), weights };
}

/** A matrix's upper three rows, row-major, into `out` from `at` on. */
export function rowsOf({ elements: e }: Matrix4, out: Float64Array, at: number): Float64Array {
  for (let r = 0; r < 3; r++) {
    out[at + 4 * r] = e[r];
    out[at + 4 * r + 1] = e[4 + r];
    out[at + 4 * r + 2] = e[8 + r];
    out[at + 4 * r + 3] = e[12 + r];
  }
  return out;
}

/** The matrix of three rows from `at` on, into `out`. */
export function matrixOf(rows: ArrayLike<number>, at: number, out: Matrix4): Matrix4 {
  const e = out.identity().elements;
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) e[4 * c + r] = rows[at + 4 * r + c];
  return out;
}
