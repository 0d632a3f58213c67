/** Meshes and blend shapes of an FBX. Control points are the scene's vertices, in their order. */
import type { Transform } from '../gltf/transform.ts';
import type { SceneBlock, SceneMesh } from '../scene/file-scene.ts';
import { linearToSrgb } from '../srgb.ts';
import { turnedNormals } from './turned-normals.ts';
import { double, int, node, type OutNode } from './write-binary.ts';
import { type FbxDocument, properties } from './write-document.ts';

export const CENTIMETRES = 100;

/** A mesh as one list of vertices, with the blocks behind each other. */
export interface JoinedMesh {
  readonly id: number;
  readonly vertices: number;
  /** Materials, in the order of the layer. */
  readonly materials: readonly number[];
}

/** @param place  moves the vertices: the matrix that a skin's binds are relative to */
export function writeGeometry(document: FbxDocument, mesh: SceneMesh, place: Transform | undefined): JoinedMesh {
  const { blocks, name } = mesh;
  const vertices = blocks.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const parts = blocks.flatMap((block, b) => block.parts.map((part) => ({ ...part, first: firstVertex(blocks, b) })));
  const materials = [...new Set(parts.map(({ material }) => material))].filter((material) => material >= 0);
  const corners = new Int32Array(parts.reduce((sum, { triangles }) => sum + triangles.length, 0));
  const plain = new Int32Array(corners.length);
  const slots = new Int32Array(corners.length / 3);
  let at = 0;
  for (const { triangles, material, first } of parts) {
    slots.fill(Math.max(0, materials.indexOf(material)), at / 3, (at + triangles.length) / 3);
    for (let c = 0; c < triangles.length; c++, at++) {
      plain[at] = triangles[c] + first;
      // The last corner of a polygon is complemented.
      corners[at] = c % 3 === 2 ? ~plain[at] : plain[at];
    }
  }
  const normals = gathered(
    blocks,
    3,
    ({ normals: own }) => own && (place ? turnedNormals(own, place) : own),
    [0, 0, 1],
  );
  const uvs = [gathered(blocks, 2, ({ uvs: own }) => own, [0, 0]), gathered(blocks, 2, ({ uvs2: own }) => own, [0, 0])];
  const colors = gathered(blocks, 4, rgbaOf, [1, 1, 1, 1]);
  const layer = (kind: string, number: number, layerName: string, data: readonly OutNode[]) =>
    node(
      kind,
      [int(number)],
      [
        node('Version', [int(101)]),
        node('Name', [layerName]),
        node('MappingInformationType', ['ByPolygonVertex']),
        node('ReferenceInformationType', ['IndexToDirect']),
        ...data,
      ],
    );
  const layers: [kind: string, number: number, content: OutNode][] = [];
  if (normals) {
    const content = [node('Normals', [normals]), node('NormalsIndex', [plain])];
    layers.push(['LayerElementNormal', 0, layer('LayerElementNormal', 0, '', content)]);
  }
  uvs.forEach((values, k) => {
    if (!values) return;
    const flipped = values.map((value, c) => (c % 2 === 1 ? 1 - value : value));
    const content = [node('UV', [flipped]), node('UVIndex', [plain])];
    layers.push(['LayerElementUV', k, layer('LayerElementUV', k, `UVMap${k}`, content)]);
  });
  if (colors) {
    const content = [node('Colors', [colors]), node('ColorIndex', [plain])];
    layers.push(['LayerElementColor', 0, layer('LayerElementColor', 0, 'Color', content)]);
  }
  if (materials.length > 0) {
    const several = materials.length > 1;
    layers.push([
      'LayerElementMaterial',
      0,
      node(
        'LayerElementMaterial',
        [int(0)],
        [
          node('Version', [int(101)]),
          node('Name', ['']),
          node('MappingInformationType', [several ? 'ByPolygon' : 'AllSame']),
          node('ReferenceInformationType', ['IndexToDirect']),
          node('Materials', [several ? slots : Int32Array.of(0)]),
        ],
      ),
    ]);
  }
  const id = document.add('Geometry', name, 'Geometry', 'Mesh', [
    properties([]),
    node('GeometryVersion', [int(124)]),
    node('Vertices', [positionsOf(blocks, place)]),
    node('PolygonVertexIndex', [corners]),
    ...layers.map(([, , content]) => content),
    ...[0, 1].flatMap((set) => {
      const own = layers.filter(([, number]) => number === set);
      if (own.length === 0) return [];
      const elements = own.map(([kind, number]) =>
        node('LayerElement', [], [node('Type', [kind]), node('TypedIndex', [int(number)])]),
      );
      return [node('Layer', [int(set)], [node('Version', [int(100)]), ...elements])];
    }),
  ]);
  return { id, vertices, materials };
}

export function firstVertex(blocks: readonly SceneBlock[], b: number): number {
  return blocks.slice(0, b).reduce((sum, { positions }) => sum + positions.length / 3, 0);
}

/** An attribute of all blocks behind each other; `undefined` where none has it. */
function gathered(
  blocks: readonly SceneBlock[],
  size: number,
  take: (block: SceneBlock) => Float32Array | undefined,
  fallback: readonly number[],
): Float64Array | undefined {
  const found = blocks.map(take);
  if (found.every((values) => values === undefined)) return undefined;
  const n = blocks.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const out = Float64Array.from({ length: n * size }, (_, k) => fallback[k % size]);
  found.forEach((values, b) => {
    if (values) out.set(values, size * firstVertex(blocks, b));
  });
  return out;
}

function rgbaOf({ colors }: SceneBlock): Float32Array | undefined {
  if (!colors) return undefined;
  const { size, values } = colors;
  const n = values.length / size;
  const out = new Float32Array(4 * n).fill(1);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < size; c++) out[4 * i + c] = c < 3 ? linearToSrgb(values[size * i + c]) : values[size * i + c];
  }
  return out;
}

function positionsOf(blocks: readonly SceneBlock[], place: Transform | undefined): Float64Array {
  const values = gathered(blocks, 3, ({ positions }) => positions, [0, 0, 0]) ?? new Float64Array(0);
  if (place) for (let k = 0; k < values.length; k += 3) movePoint(values, k, place, 1);
  return values.map((value) => value * CENTIMETRES);
}

function movePoint(values: Float64Array, k: number, a: Transform, w: number): void {
  const [x, y, z] = [values[k], values[k + 1], values[k + 2]];
  for (let r = 0; r < 3; r++) values[k + r] = a[4 * r] * x + a[4 * r + 1] * y + a[4 * r + 2] * z + w * a[4 * r + 3];
}

/** Channels of a mesh's morph targets, in their order, by id. */
export function writeShapes(
  document: FbxDocument,
  geometry: JoinedMesh,
  { name, blocks, targetNames }: SceneMesh,
  weights: readonly number[],
  place: Transform | undefined,
): number[] {
  if (targetNames.length === 0) return [];
  const deformer = document.add('Deformer', name, 'Deformer', 'BlendShape', [node('Version', [int(100)])]);
  document.connect(deformer, geometry.id);
  return targetNames.map((targetName, r) => {
    const all = gathered(blocks, 3, ({ targets }) => targets[r], [0, 0, 0]) ?? new Float64Array(3 * geometry.vertices);
    if (place) for (let k = 0; k < all.length; k += 3) movePoint(all, k, place, 0);
    const moved = [...Array(geometry.vertices).keys()].filter((i) => all[3 * i] || all[3 * i + 1] || all[3 * i + 2]);
    // Some readers do not take a shape that moves nothing.
    const indices = Int32Array.from(moved.length > 0 ? moved : [0]);
    const deltas = new Float64Array(3 * indices.length);
    indices.forEach((i, k) => {
      for (let c = 0; c < 3; c++) deltas[3 * k + c] = CENTIMETRES * all[3 * i + c];
    });
    const shape = document.add('Geometry', targetName, 'Geometry', 'Shape', [
      properties([]),
      node('Version', [int(100)]),
      node('Indexes', [indices]),
      node('Vertices', [deltas]),
      node('Normals', [new Float64Array(deltas.length)]),
    ]);
    const percent = 100 * (weights[r] ?? 0);
    const channel = document.add('Deformer', targetName, 'SubDeformer', 'BlendShapeChannel', [
      node('Version', [int(100)]),
      properties([['DeformPercent', 'Number', '', 'A', double(percent)]]),
      node('DeformPercent', [double(percent)]),
      node('FullWeights', [Float64Array.of(100)]),
    ]);
    document.connect(channel, deformer);
    document.connect(shape, channel);
    return channel;
  });
}
