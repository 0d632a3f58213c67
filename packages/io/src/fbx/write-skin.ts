/** Skins of an FBX: a cluster for each joint. */
import { identityTransform, invert, isSingular, multiply, type Transform } from '../gltf/transform.ts';
import type { FileScene, SceneMesh, SceneSkin } from '../scene/file-scene.ts';
import { double, int, node } from './write-binary.ts';
import type { FbxDocument } from './write-document.ts';
import { CENTIMETRES, firstVertex, type JoinedMesh } from './write-geometry.ts';

/** Where a skinned mesh is written. */
export interface SkinPlace {
  /** The node that it hangs on: the one above the top joint; −1 for the scene. */
  readonly home: number;
  /** Where that is at rest. */
  readonly world: Transform;
  /** From vertices as they are stored to the pose in which the top joint is bound where it rests. */
  readonly bound: Transform;
  /** The same, relative to the home: what vertices are moved by. */
  readonly vertices: Transform;
}

/**
 * Readers want to find a mesh beside its skeleton, bound near where it rests; binds of glTF may be relative to anything
 * (quantised vertices, a node above).
 *
 * @param limbs  joints, and what lies between them
 */
export function skinPlace(
  { joints, inverseBinds }: SceneSkin,
  { nodes, order }: FileScene,
  limbs: ReadonlySet<number>,
  worlds: readonly Transform[],
): SkinPlace {
  const depth = new Map(Array.from(order, (k, place) => [k, place]));
  const depthOf = (joint: number) => depth.get(joint) ?? 0;
  const top = joints.reduce((best, joint, j) => (depthOf(joint) < depthOf(joints[best]) ? j : best), 0);
  let home = nodes[joints[top]].parent;
  while (home >= 0 && limbs.has(home)) home = nodes[home].parent;
  const above = home >= 0 ? worlds[home] : identityTransform();
  if (isSingular(above)) home = -1;
  const world = home >= 0 ? above : identityTransform();
  const bound = multiply(worlds[joints[top]], inverseBinds[top], new Float64Array(12));
  const safe = isSingular(bound) ? identityTransform() : bound;
  const vertices = multiply(invert(world, new Float64Array(12)), safe, new Float64Array(12));
  return { home, world, bound: safe, vertices };
}

/** @param models  id of each node's model */
export function writeSkin(
  document: FbxDocument,
  geometry: JoinedMesh,
  { scene, skin, mesh, place }: { scene: FileScene; skin: SceneSkin; mesh: SceneMesh; place: SkinPlace },
  models: readonly number[],
): void {
  const deformer = document.add('Deformer', skin.name || mesh.name, 'Deformer', 'Skin', [
    node('Version', [int(101)]),
    node('Link_DeformAcuracy', [double(50)]),
    node('SkinningType', ['Linear']),
  ]);
  document.connect(deformer, geometry.id);
  const lists = clusterLists(skin, mesh);
  const back = invert(place.bound, new Float64Array(12));
  skin.joints.forEach((joint, j) => {
    const { indices, weights } = lists[j];
    const fromWorld = multiply(skin.inverseBinds[j], back, new Float64Array(12));
    const link = isSingular(fromWorld) ? identityTransform() : invert(fromWorld, new Float64Array(12));
    const cluster = document.add('Deformer', scene.nodes[joint].name, 'SubDeformer', 'Cluster', [
      node('Version', [int(100)]),
      node('UserData', ['', '']),
      ...(indices.length > 0
        ? [node('Indexes', [Int32Array.from(indices)]), node('Weights', [Float64Array.from(weights)])]
        : []),
      node('Transform', [columnsOf(multiply(fromWorld, place.world, new Float64Array(12)))]),
      node('TransformLink', [columnsOf(link)]),
      node('TransformAssociateModel', [columnsOf(place.world)]),
    ]);
    document.connect(cluster, deformer);
    document.connect(models[joint], cluster);
  });
}

/** Vertices and weights of each joint. */
function clusterLists({ joints }: SceneSkin, { blocks }: SceneMesh) {
  const lists = joints.map(() => ({ indices: [] as number[], weights: [] as number[] }));
  blocks.forEach(({ weights, positions }, b) => {
    const first = firstVertex(blocks, b);
    const slots = weights?.slots ?? 1;
    for (let i = 0; i < positions.length / 3; i++) {
      for (let s = i * slots; s < (i + 1) * slots; s++) {
        const weight = weights ? weights.weights[s] : 1;
        const list = lists[weights ? weights.bones[s] : 0];
        if (!(weight > 0) || !list) continue;
        list.indices.push(first + i);
        list.weights.push(weight);
      }
    }
  });
  return lists;
}

/** 16 numbers in column order, lengths in centimetres. */
export function columnsOf(a: Transform): Float64Array {
  const out = new Float64Array(16);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[4 * c + r] = a[4 * r + c];
    out[12 + r] = CENTIMETRES * a[4 * r + 3];
  }
  out[15] = 1;
  return out;
}
