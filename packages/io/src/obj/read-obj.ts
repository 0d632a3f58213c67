/**
 * OBJ to a mesh: faces cut into triangles, every vertex in its place, UVs and normals with their own indices (so that a
 * seam splits nothing), objects, groups and material changes as parts.
 *
 * Conventions of the model: UVs count v downwards (an OBJ counts upwards), colours are linear (an OBJ's are sRGB).
 */
import { triangleNormal } from '@pelt/math';
import { type CornerAttribute, InputError, type Mesh, type MeshPart, resolveOptions } from '@pelt/model';
import { type FaceTriangles, gatherCorners, trianglesOfFaces } from '../faces.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { unitVectors } from '../smooth-normals.ts';
import { linearColors } from '../srgb.ts';
import { WarningTally } from '../warning-tally.ts';
import { NO_INDEX, type ParsedObj, parseObj } from './parse-obj.ts';
import { readMaterials } from './read-mtl.ts';

export interface ReadObjOptions extends ReadOptions {
  /**
   * Gives the bytes of a file that the OBJ names (a material library, a texture), or `undefined` where there is none.
   * Called with relative paths below the OBJ's own folder only. Absent: materials keep their names and default looks.
   */
  readonly resolve: ((path: string) => Uint8Array | undefined) | undefined;
}

export const READ_OBJ_DEFAULTS: ReadObjOptions = { ...READ_DEFAULTS, resolve: undefined };

/**
 * Reads a Wavefront OBJ file. Polygons are triangulated; vertices keep their order.
 *
 * @param bytes  of the file; material libraries and images come through `options.resolve`
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function readObj(bytes: Uint8Array, options?: Partial<ReadObjOptions>): Mesh {
  const { name, onWarning, resolve } = resolveOptions('readObj', READ_OBJ_DEFAULTS, options);
  const label = fileLabel('OBJ', name);
  const warnings = new WarningTally(label, onWarning);
  const parsed = parseObj(bytes, name, warnings);
  if (parsed.positions.length === 0) {
    throw new InputError(`${label}: no vertices; the file is empty, cut short or not an OBJ`);
  }
  if (parsed.faceSizes.length === 0) warnings.add('no faces, only points');

  const faces = trianglesOfFaces(parsed.positions, parsed.faceSizes, parsed.corners, label);
  const looks = readMaterials(parsed.materialNames, parsed.libraries, resolve, warnings);
  const mesh: Mesh = {
    name: stemOf(name),
    positions: parsed.positions,
    triangles: faces.triangles,
    normals: cornerNormals(parsed, faces, warnings),
    uvs: cornerUvs(parsed, faces, warnings),
    colors: vertexColors(parsed, warnings),
    parts: partsOf(parsed),
    materials: looks.materials.length > 0 ? looks.materials : undefined,
    images: looks.images.length > 0 ? looks.images : undefined,
  };
  warnings.flush();
  return mesh;
}

function cornerUvs(parsed: ParsedObj, faces: FaceTriangles, warnings: WarningTally): CornerAttribute | undefined {
  if (!parsed.uvCorners) return undefined;
  const indices = gatherCorners(parsed.uvCorners, faces).slice();
  const count = parsed.uvs.length / 2;
  const missing = indices.includes(NO_INDEX);
  const values = new Float32Array((count + (missing ? 1 : 0)) * 2);
  values.set(parsed.uvs);
  if (missing) {
    warnings.add('some faces have no texture coordinates; the corner (0, 0) of the image is used');
    values[count * 2 + 1] = 1;
    for (let k = 0; k < indices.length; k++) if (indices[k] === NO_INDEX) indices[k] = count;
  }
  return withSharedIndices({ size: 2, values, indices }, faces.triangles, parsed.positions.length / 3);
}

/** Where a face has no normals but others do, its triangles get their own. */
function cornerNormals(parsed: ParsedObj, faces: FaceTriangles, warnings: WarningTally): CornerAttribute | undefined {
  if (!parsed.normalCorners) return undefined;
  const indices = gatherCorners(parsed.normalCorners, faces).slice();
  const bare: number[] = [];
  for (let c = 0; c < indices.length; c += 3) {
    if (indices[c] === NO_INDEX || indices[c + 1] === NO_INDEX || indices[c + 2] === NO_INDEX) bare.push(c);
  }
  const count = parsed.normals.length / 3;
  const values = new Float32Array((count + bare.length) * 3);
  values.set(parsed.normals);
  if (bare.length > 0) warnings.add('some faces have no normals; those of their triangles are used');
  const normal = new Float64Array(3);
  bare.forEach((c, k) => {
    const [i, j, l] = faces.triangles.subarray(c, c + 3);
    triangleNormal(parsed.positions, i, j, l, normal, 0);
    values.set(unitVectors(normal), (count + k) * 3);
    for (let corner = c; corner < c + 3; corner++) if (indices[corner] === NO_INDEX) indices[corner] = count + k;
  });
  return withSharedIndices({ size: 3, values, indices }, faces.triangles, parsed.positions.length / 3);
}

/** Drops an index that says what the triangles say: the attribute then is one of vertices, and stays so when written. */
function withSharedIndices(attribute: CornerAttribute, triangles: Uint32Array, vertices: number): CornerAttribute {
  const { size, values, indices } = attribute;
  if (!indices || values.length !== vertices * size) return attribute;
  for (let c = 0; c < triangles.length; c++) if (indices[c] !== triangles[c]) return attribute;
  return { size, values };
}

function vertexColors(parsed: ParsedObj, warnings: WarningTally): CornerAttribute | undefined {
  if (!parsed.colors) return undefined;
  const n = parsed.colors.length / 4;
  let largest = 0;
  let opaque = true;
  for (let k = 0; k < n * 4; k++) {
    if (k % 4 < 3) largest = Math.max(largest, parsed.colors[k]);
    else if (parsed.colors[k] !== 1) opaque = false;
  }
  const full = largest > 1 ? 255 : 1;
  if (full > 1) warnings.add(`vertex colours go up to ${largest}; they are taken as 0 to ${full}`);
  const colors = linearColors(parsed.colors, 4, full);
  return opaque ? { size: 3, values: colors.filter((_, k) => k % 4 < 3) } : { size: 4, values: colors };
}

function partsOf({ runs, faceSizes }: ParsedObj): MeshPart[] | undefined {
  if (runs.length === 0 || (runs.length === 1 && runs[0].name === '' && runs[0].material < 0)) return undefined;
  let face = 0;
  let triangle = 0;
  return runs.map((run, r) => {
    const end = r + 1 < runs.length ? runs[r + 1].firstFace : faceSizes.length;
    const firstTriangle = triangle;
    for (; face < end; face++) triangle += faceSizes[face] - 2;
    return { name: run.name, firstTriangle, triangleCount: triangle - firstTriangle, material: run.material };
  });
}
