/**
 * A mesh of USD: points, faces of any size, primvars of every interpolation, and the faces of each material. The first
 * vertices are the points in their order, so that samples of the points fit; copies for corners that differ follow.
 */
import { type CornerAttribute, gatherVertices, InputError } from '@pelt/model';
import { trianglesOfFaces } from '../../faces.ts';
import { splitCorners } from '../../gltf/split-corners.ts';
import type { WarningTally } from '../../warning-tally.ts';
import type { StagePrim } from './compose.ts';
import { isNumbers, textOf, type UsdNumbers, type UsdProperty } from './usd-layer.ts';
import { valueAt } from './usd-xform.ts';

export interface UsdGeometry {
  readonly points: number;
  /** Point of each vertex. */
  readonly vertexMap: Uint32Array;
  /** Vertices × 3. */
  readonly positions: Float32Array;
  readonly normals: Float32Array | undefined;
  /** By the names of their primvars. */
  readonly uvs: readonly (Float32Array | undefined)[];
  readonly colors: { readonly size: 3 | 4; readonly values: Float32Array } | undefined;
  /** A colour of the whole mesh. */
  readonly color: readonly [number, number, number] | undefined;
  /** Triangles of the faces of each subset, and of those in none. */
  readonly parts: readonly { readonly subset: StagePrim | undefined; readonly triangles: Uint32Array }[];
}

interface Faces {
  readonly sizes: Uint32Array;
  /** Point of each corner. */
  readonly corners: Uint32Array;
  /** Face and corner, as the file counts them, of those that are left. */
  readonly numbers: Uint32Array;
  readonly places: Uint32Array;
  readonly total: number;
}

/** Numbers of a property at the first sample, or its default. */
export function numbersOf(property: UsdProperty | undefined): UsdNumbers | undefined {
  const value = property && valueAt(property, Number.NEGATIVE_INFINITY);
  return isNumbers(value) ? value : undefined;
}

/** Names of UV sets that a mesh has, the usual one first. */
export function uvNames({ properties }: StagePrim): string[] {
  const found = [...properties].flatMap(([name, { metadata }]) =>
    /^primvars:[^:]+$/.test(name) && /^(texCoord2[fhd]|float2|half2|double2)\[\]$/.test(textOf(metadata.typeName))
      ? [name.slice('primvars:'.length)]
      : [],
  );
  return found.sort((a, b) => Number(b === 'st') - Number(a === 'st'));
}

/**
 * @param sets  names of the UV sets that are read, at most two
 * @returns `undefined` for a mesh without faces
 */
export function readGeometry(
  prim: StagePrim,
  sets: readonly string[],
  label: string,
  warnings: WarningTally,
): UsdGeometry | undefined {
  const what = `mesh '${prim.path}'`;
  const values = numbersOf(prim.properties.get('points')) ?? new Float32Array(0);
  const points = Math.floor(values.length / 3);
  const positions = Float32Array.from(values.subarray(0, 3 * points));
  if (!positions.every(Number.isFinite)) throw new InputError(`${what} has points that are not numbers`);
  const faces = readFaces(prim, points, what, warnings);
  if (faces.sizes.length === 0) return undefined;
  const { triangles, cornerOf } = trianglesOfFaces(positions, faces.sizes, faces.corners, label);
  const flipped = textOf(prim.properties.get('orientation')?.value()) === 'leftHanded';
  const order = (c: number) => (flipped && c % 3 > 0 ? (c % 3 === 1 ? c + 1 : c - 1) : c);
  const cornerAt = (c: number) => (cornerOf ? cornerOf[order(c)] : order(c));
  const faceOf = facesOfCorners(faces.sizes);
  const attribute = (name: string, size: number): CornerAttribute | undefined =>
    cornerAttribute(prim, name, size, { faces, faceOf, cornerAt, corners: triangles.length, what }, warnings);
  const uvs = sets.map((set) => attribute(`primvars:${set}`, 2));
  const normals = attribute('primvars:normals', 3) ?? attribute('normals', 3);
  const shade = prim.properties.get('primvars:displayColor');
  const constant = textOf(shade?.metadata.interpolation) === 'constant' || shade?.metadata.interpolation === undefined;
  const colors = shade && !constant ? attribute('primvars:displayColor', 3) : undefined;
  const single = constant ? numbersOf(shade) : undefined;
  const mesh = {
    name: prim.name,
    positions,
    triangles: flipped ? triangles.map((_, c) => triangles[order(c)]) : triangles,
    ...(normals && { normals }),
    ...(uvs[0] && { uvs: uvs[0] }),
    ...(uvs[1] && { uvs2: uvs[1] }),
    ...(colors && { colors }),
  };
  const { vertexMap, triangles: split, attributes } = splitCorners(mesh);
  return {
    points,
    vertexMap,
    positions: gatherVertices(positions, 3, vertexMap),
    normals: attributes.normals?.values,
    uvs: [upsideDown(attributes.uvs?.values), upsideDown(attributes.uvs2?.values)],
    colors: attributes.colors && { size: 3, values: attributes.colors.values },
    color: single && single.length >= 3 ? [single[0], single[1], single[2]] : undefined,
    parts: partsOf(prim, split, faces, (c) => faceOf[cornerAt(c)]),
  };
}

function readFaces({ properties }: StagePrim, points: number, what: string, warnings: WarningTally): Faces {
  const counts = numbersOf(properties.get('faceVertexCounts')) ?? new Int32Array(0);
  const indices = numbersOf(properties.get('faceVertexIndices')) ?? new Int32Array(0);
  const [sizes, numbers]: [number[], number[]] = [[], []];
  const corners = new Uint32Array(indices.length);
  const places = new Uint32Array(indices.length);
  let [kept, first] = [0, 0];
  for (let face = 0; face < counts.length; face++) {
    const size = counts[face];
    if (!(size >= 0) || first + size > indices.length)
      throw new InputError(`${what}: face ${face} has ${size} corners, which are not there`);
    const own = indices.subarray(first, first + size);
    if (own.some((i) => !(i >= 0 && i < points)))
      throw new InputError(`${what}: face ${face} has a corner that is none of its ${points} points`);
    if (size < 3) warnings.add(`${what}: faces of fewer than three corners are left out`);
    else {
      sizes.push(size);
      numbers.push(face);
      for (let k = 0; k < size; k++) {
        corners[kept] = own[k];
        places[kept++] = first + k;
      }
    }
    first += size;
  }
  return {
    sizes: Uint32Array.from(sizes),
    corners: corners.subarray(0, kept),
    numbers: Uint32Array.from(numbers),
    places,
    total: counts.length,
  };
}

/** Place of the face, among those that are left, of each of their corners. */
function facesOfCorners(sizes: Uint32Array): Uint32Array {
  const found = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  sizes.forEach((size, face) => {
    found.fill(face, at, at + size);
    at += size;
  });
  return found;
}

interface Corners {
  readonly faces: Faces;
  readonly faceOf: Uint32Array;
  readonly cornerAt: (c: number) => number;
  readonly corners: number;
  readonly what: string;
}

function cornerAttribute(
  { properties }: StagePrim,
  name: string,
  size: number,
  { faces, faceOf, cornerAt, corners, what }: Corners,
  warnings: WarningTally,
): CornerAttribute | undefined {
  const property = properties.get(name);
  const values = numbersOf(property);
  if (!property || !values || values.length < size) return undefined;
  const interpolation = textOf(property.metadata.interpolation) || (name === 'normals' ? 'vertex' : 'constant');
  const indexed = numbersOf(properties.get(`${name}:indices`));
  const indices = new Uint32Array(corners);
  const count = Math.floor(values.length / size);
  for (let c = 0; c < corners; c++) {
    const corner = cornerAt(c);
    const k = { faceVarying: faces.places[corner], uniform: faces.numbers[faceOf[corner]], constant: 0 }[interpolation];
    const place = k ?? faces.corners[corner];
    const index = indexed ? indexed[place] : place;
    if (!(index >= 0 && index < count)) {
      warnings.add(`${what}: '${name}' has fewer values than the mesh needs and is left out`);
      return undefined;
    }
    indices[c] = index;
  }
  const floats = Float32Array.from(values.subarray(0, size * count), (value) => (Number.isFinite(value) ? value : 0));
  const isPlain = !indexed && !['faceVarying', 'uniform', 'constant'].includes(interpolation);
  return { size, values: floats, ...(!isPlain && { indices }) } as CornerAttribute;
}

function partsOf(
  { children }: StagePrim,
  triangles: Uint32Array,
  { numbers, total }: Faces,
  faceOf: (corner: number) => number,
): UsdGeometry['parts'] {
  const subsets = children.filter(({ type, properties }) => {
    const family = textOf(properties.get('familyName')?.value());
    return type === 'GeomSubset' && (family === 'materialBind' || family === '');
  });
  if (subsets.length === 0) return [{ subset: undefined, triangles }];
  const subsetOf = new Int32Array(total).fill(-1);
  subsets.forEach(({ properties }, s) => {
    for (const face of numbersOf(properties.get('indices')) ?? []) if (face >= 0 && face < total) subsetOf[face] = s;
  });
  const lists: number[][] = Array.from({ length: subsets.length + 1 }, () => []);
  for (let c = 0; c < triangles.length; c += 3) {
    const list = lists[subsetOf[numbers[faceOf(c)]] + 1];
    list.push(triangles[c], triangles[c + 1], triangles[c + 2]);
  }
  return lists.flatMap((list, s) =>
    list.length > 0 ? [{ subset: subsets[s - 1], triangles: Uint32Array.from(list) }] : [],
  );
}

/** Textures begin at the lower left in USD, at the upper left in glTF. */
function upsideDown(uvs: Float32Array | undefined): Float32Array | undefined {
  return uvs?.map((value, k) => (k % 2 === 1 ? 1 - value : value));
}
