/**
 * A mesh of an FBX: control points, polygons of any size, and layers of normals, UVs, colours and materials, each with its
 * own way of saying which value a corner has. The first n vertices are the control points in their order, so that a point
 * cache of the mesh fits; copies for corners that differ (seams, hard edges) follow.
 */
import { type CornerAttribute, gatherVertices, InputError } from '@pelt/model';
import { trianglesOfFaces } from '../faces.ts';
import { splitCorners } from '../gltf/split-corners.ts';
import { linearColors } from '../srgb.ts';
import type { WarningTally } from '../warning-tally.ts';
import { childrenNamed, type FbxNode, finiteNumbersIn, numbersIn, textIn } from './fbx-node.ts';
import type { FbxObject } from './fbx-objects.ts';

export interface FbxGeometry {
  readonly points: number;
  /** Control point of each vertex. */
  readonly vertexMap: Uint32Array;
  /** Vertices × 3, in the file's unit. */
  readonly positions: Float32Array;
  readonly normals: Float32Array | undefined;
  readonly uvs: Float32Array | undefined;
  readonly uvs2: Float32Array | undefined;
  readonly colors: { readonly size: 3 | 4; readonly values: Float32Array } | undefined;
  /** Triangles of each material, by its place among those of the model. */
  readonly parts: readonly { readonly material: number; readonly triangles: Uint32Array }[];
}

interface Polygons {
  readonly sizes: Uint32Array;
  /** Control point of each corner. */
  readonly corners: Uint32Array;
  /** Polygon, as the file counts them, of each that is left. */
  readonly numbers: Uint32Array;
  /** Corner, as the file counts them, of each corner that is left. */
  readonly places: Uint32Array;
}

/** @returns `undefined` for a mesh without polygons */
export function readGeometry(object: FbxObject, label: string, warnings: WarningTally): FbxGeometry | undefined {
  const { node, name } = object;
  const what = `mesh '${name}'`;
  const values = finiteNumbersIn(node, 'Vertices', what);
  const points = Math.floor(values.length / 3);
  const positions = Float32Array.from(values.subarray(0, 3 * points));
  const polygons = readPolygons(node, points, what, warnings);
  if (polygons.sizes.length === 0) return undefined;
  const { triangles, cornerOf } = trianglesOfFaces(positions, polygons.sizes, polygons.corners, label);
  const faceOf = facesOfCorners(polygons.sizes);
  const cornerAt = (c: number) => (cornerOf ? cornerOf[c] : c);
  /** Which value of a layer each corner of a triangle has. */
  const index = (layer: FbxNode, indexName: string, count: number): Uint32Array | undefined => {
    const byCorner = layerIndex(layer, indexName, polygons, faceOf);
    if (!byCorner) {
      warnings.add(
        `${what}: a layer '${layer.name}' is mapped '${textIn(layer, 'MappingInformationType')}' and left out`,
      );
      return undefined;
    }
    const indices = new Uint32Array(triangles.length);
    for (let c = 0; c < indices.length; c++) {
      const k = byCorner(cornerAt(c));
      if (!(k >= 0 && k < count)) {
        warnings.add(`${what}: a layer '${layer.name}' refers to values that are not there and is left out`);
        return undefined;
      }
      indices[c] = k;
    }
    return indices;
  };
  const attribute = (layer: FbxNode | undefined, key: string, indexName: string, size: number) => {
    if (!layer) return undefined;
    const floats = Float32Array.from(finiteNumbersIn(layer, key, what));
    const indices = index(layer, indexName, Math.floor(floats.length / size));
    return indices && ({ size, values: floats, indices } as CornerAttribute);
  };
  const uvLayers = childrenNamed(node, 'LayerElementUV');
  const [normals, uvs, uvs2, colors] = [
    attribute(childrenNamed(node, 'LayerElementNormal')[0], 'Normals', 'NormalsIndex', 3),
    attribute(uvLayers[0], 'UV', 'UVIndex', 2),
    attribute(uvLayers[1], 'UV', 'UVIndex', 2),
    attribute(childrenNamed(node, 'LayerElementColor')[0], 'Colors', 'ColorIndex', 4),
  ];
  if (uvLayers.length > 2) warnings.add(`${what}: UV sets after the second are left out`);
  const mesh = {
    name,
    positions,
    triangles,
    ...(normals && { normals }),
    ...(uvs && { uvs }),
    ...(uvs2 && { uvs2 }),
    ...(colors && { colors }),
  };
  const { vertexMap, triangles: split, attributes } = splitCorners(mesh);
  return {
    points,
    vertexMap,
    positions: gatherVertices(positions, 3, vertexMap),
    normals: attributes.normals?.values,
    uvs: upsideDown(attributes.uvs?.values),
    uvs2: upsideDown(attributes.uvs2?.values),
    colors: attributes.colors && { size: 4, values: linearColors(attributes.colors.values, 4, 1) },
    parts: partsOf(node, split, polygons, (c) => faceOf[cornerAt(c)]),
  };
}

/** A corner that ends its polygon is stored as its bitwise complement. Polygons of two corners are edges, and left out. */
function readPolygons(node: FbxNode, points: number, what: string, warnings: WarningTally): Polygons {
  const indices = numbersIn(node, 'PolygonVertexIndex') ?? new Int32Array(0);
  const sizes: number[] = [];
  const numbers: number[] = [];
  const corners = new Uint32Array(indices.length);
  const places = new Uint32Array(indices.length);
  let kept = 0;
  let polygon = 0;
  for (let k = 0, first = 0; k < indices.length; k++) {
    if (indices[k] >= 0 && k + 1 < indices.length) continue;
    const size = k + 1 - first;
    if (size >= 3) {
      for (let c = first; c <= k; c++) {
        const i = indices[c] < 0 ? ~indices[c] : indices[c];
        if (!(i < points)) throw new InputError(`${what}: a polygon has corner ${i}, but there are ${points} points`);
        corners[kept] = i;
        places[kept++] = c;
      }
      sizes.push(size);
      numbers.push(polygon);
    } else warnings.add(`${what}: polygons of fewer than three corners are left out`);
    polygon++;
    first = k + 1;
  }
  return {
    sizes: Uint32Array.from(sizes),
    corners: corners.subarray(0, kept),
    numbers: Uint32Array.from(numbers),
    places: places.subarray(0, kept),
  };
}

function facesOfCorners(sizes: Uint32Array): Uint32Array {
  const faces = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
  let c = 0;
  sizes.forEach((size, face) => {
    faces.fill(face, c, c + size);
    c += size;
  });
  return faces;
}

/** The value of a corner among those of a layer. */
function layerIndex(layer: FbxNode, indexName: string, { corners, numbers, places }: Polygons, faceOf: Uint32Array) {
  const direct = textIn(layer, 'ReferenceInformationType') === 'Direct';
  const table = direct ? undefined : numbersIn(layer, indexName);
  const through = (k: number) => (table ? (table[k] ?? -1) : k);
  switch (textIn(layer, 'MappingInformationType')) {
    case 'ByPolygonVertex':
      return (c: number) => through(places[c]);
    case 'ByVertice':
    case 'ByVertex':
    case 'ByControlPoint':
      return (c: number) => through(corners[c]);
    case 'ByPolygon':
      return (c: number) => through(numbers[faceOf[c]]);
    case 'AllSame':
      return () => through(0);
    default:
      return undefined;
  }
}

/** Textures begin at the lower left in FBX, at the upper left in glTF. */
function upsideDown(uvs: Float32Array | undefined): Float32Array | undefined {
  return uvs?.map((value, k) => (k % 2 === 1 ? 1 - value : value));
}

function partsOf(
  node: FbxNode,
  triangles: Uint32Array,
  { numbers }: Polygons,
  faceOfCorner: (c: number) => number,
): FbxGeometry['parts'] {
  const layer = childrenNamed(node, 'LayerElementMaterial')[0];
  const materials = layer && numbersIn(layer, 'Materials');
  if (!materials || materials.length === 0) return [{ material: 0, triangles }];
  const same = textIn(layer, 'MappingInformationType') !== 'ByPolygon';
  const lists = new Map<number, number[]>();
  for (let c = 0; c < triangles.length; c += 3) {
    const material = materials[same ? 0 : numbers[faceOfCorner(c)]] ?? 0;
    const list = lists.get(material);
    if (list) list.push(triangles[c], triangles[c + 1], triangles[c + 2]);
    else lists.set(material, [triangles[c], triangles[c + 1], triangles[c + 2]]);
  }
  return [...lists.keys()]
    .sort((a, b) => a - b)
    .map((material) => ({ material, triangles: Uint32Array.from(lists.get(material) ?? []) }));
}
