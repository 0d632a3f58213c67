/**
 * PLY to a mesh: the vertices' positions, normals, UVs and colours, and the faces, cut into triangles. Elements and
 * properties that a mesh has no place for are passed over.
 *
 * Conventions of the model: UVs count v downwards (a PLY counts upwards), colours are linear (a PLY's are sRGB).
 */
import { type CornerAttribute, InputError, type Mesh, resolveOptions, UnsupportedError } from '@pelt/model';
import { gatherCorners, trianglesOfFaces } from '../faces.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { linearColors } from '../srgb.ts';
import { WarningTally } from '../warning-tally.ts';
import { BAD_VERTEX, type PlyFaces, readPlyFaces } from './ply-faces.ts';
import { readPlyHeader } from './ply-header.ts';
import { openPlySource, skipPlyElement } from './ply-source.ts';
import { type PlyColumns, type PlyVertices, readPlyVertices } from './ply-vertices.ts';

const NO_FACES: PlyFaces = { sizes: new Uint32Array(0), corners: new Uint32Array(0), uvs: undefined };

/**
 * Reads a PLY file, as text or binary. Polygons are triangulated; vertices keep their order.
 *
 * @param bytes  of the file
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function readPly(bytes: Uint8Array, options?: Partial<ReadOptions>): Mesh {
  const { name, onWarning } = resolveOptions('readPly', READ_DEFAULTS, options);
  const label = fileLabel('PLY', name);
  const warnings = new WarningTally(label, onWarning);
  const { vertices, faces } = readElements(bytes, name, label, warnings);
  const positions = vertices.positions.values;
  if (positions.length === 0) throw new InputError(`${label}: no vertices; the file is empty`);
  requireFinitePositions(positions, label);
  requireCorners(faces.corners, positions.length / 3, label);
  if (faces.sizes.length === 0) warnings.add('no faces, only points');

  const cut = trianglesOfFaces(positions, faces.sizes, faces.corners, label);
  const cornerUvs: CornerAttribute | undefined = faces.uvs && {
    size: 2,
    values: faces.uvs.values,
    indices: gatherCorners(faces.uvs.corners, cut),
  };
  const mesh: Mesh = {
    name: stemOf(name),
    positions,
    triangles: cut.triangles,
    normals: vertices.normals && { size: 3, values: mended(vertices.normals, 'normal', warnings) },
    uvs:
      cornerUvs ??
      (vertices.uvs && { size: 2, values: downwards(mended(vertices.uvs, 'texture coordinate', warnings)) }),
    colors: vertices.colors && vertexColors(vertices.colors, warnings),
  };
  warnings.flush();
  return mesh;
}

function readElements(bytes: Uint8Array, name: string, label: string, warnings: WarningTally) {
  const header = readPlyHeader(bytes, label);
  const source = openPlySource(bytes, header, name);
  let vertices: PlyVertices | undefined;
  let faces: PlyFaces | undefined;
  for (const element of header.elements) {
    source.requireRows(element);
    if (element.name === 'tristrips' && element.count > 0) {
      throw new UnsupportedError(`${label}: triangle strips are not read; export the mesh with plain faces`);
    }
    if (element.name === 'vertex' && !vertices) vertices = readPlyVertices(element, source, label);
    else if (element.name === 'face' && !faces) faces = readPlyFaces(element, source, warnings);
    else skipPlyElement(source, element);
  }
  if (!vertices) throw new InputError(`${label}: no element 'vertex'; the file holds no mesh`);
  return { vertices, faces: faces ?? NO_FACES };
}

function requireFinitePositions(positions: Float32Array, label: string): void {
  for (let k = 0; k < positions.length; k++) {
    if (Number.isFinite(positions[k])) continue;
    throw new InputError(
      `${label}: vertex ${Math.floor(k / 3)} has the coordinate ${positions[k]}, not a finite 32-bit number; ` +
        'repair or export the file again',
    );
  }
}

function requireCorners(corners: Uint32Array, vertices: number, label: string): void {
  for (let k = 0; k < corners.length; k++) {
    if (corners[k] < vertices) continue;
    const vertex = corners[k] === BAD_VERTEX ? 'something that is no index' : `vertex ${corners[k]}`;
    throw new InputError(`${label}: a face names ${vertex}, the file has ${vertices}; it is damaged, export it again`);
  }
}

/** Normals, UVs and colours that are not finite become 0: a flaw of the look, not of the shape. */
function mended({ values }: PlyColumns, what: string, warnings: WarningTally): Float32Array {
  return values.map((value) => {
    if (Number.isFinite(value)) return value;
    warnings.add(`a ${what} is not a finite number; 0 is used`);
    return 0;
  });
}

function downwards(uvs: Float32Array): Float32Array {
  return uvs.map((value, k) => (k % 2 === 1 ? 1 - value : value));
}

function vertexColors(columns: PlyColumns, warnings: WarningTally): CornerAttribute {
  const { size, type } = columns;
  const components = size === 4 ? 4 : 3;
  const full = type === 'uint8' ? 255 : type === 'uint16' ? 65535 : 1;
  return { size: components, values: linearColors(mended(columns, 'vertex colour', warnings), components, full) };
}
