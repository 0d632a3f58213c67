/** What Babylon's loader made of a skin, as pelt's own nouns. */

import type { Bone as BabylonBone } from '@babylonjs/core/Bones/bone.js';
import type { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { Mesh as BabylonMesh } from '@babylonjs/core/Meshes/mesh.js';
import type { GLTFLoader } from '@babylonjs/loaders/glTF/2.0/glTFLoader.js';
import { type Bone, InputError, type Rig, type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import { readTransform } from './transforms.ts';

export interface LoadedRig {
  /** Primitives on the skin, in the order of the file. */
  readonly parts: readonly BabylonMesh[];
  readonly skeleton: Skeleton;
  /** m, in the order of the skin's joints */
  readonly bones: readonly BabylonBone[];
  /** The primitives as one mesh, with what the file says of joints and weights. */
  readonly rig: Rig;
  /** m × 12, the inverse bind matrices */
  readonly inverses: Float64Array;
}

/** The meshes on the first skin of the file, to which all extensions of pelt belong; undefined where there is none. */
export function loadedRig({ gltf }: GLTFLoader): LoadedRig | undefined {
  const [skin] = gltf.skins ?? [];
  const skeleton = skin?._data?.babylonSkeleton;
  if (!skin || !skeleton) return undefined;
  const nodes = (gltf.nodes ?? []).filter((node) => node.skin === 0);
  const parts = nodes
    .flatMap((node) => node._primitiveBabylonMeshes ?? [])
    .filter((mesh) => mesh instanceof BabylonMesh);
  if (parts.length === 0) return undefined;
  const bones = skin.joints.map((joint) => {
    const node = gltf.nodes?.[joint]?._babylonTransformNode;
    const bone = skeleton.bones.find((each) => node !== undefined && each.getTransformNode() === node);
    if (!bone) throw new InputError(`/skins/0: joint ${joint} has no bone in '${skeleton.name}'`);
    return bone;
  });
  const inverses = new Float64Array(TRANSFORM_SIZE * bones.length);
  const joints = bones.map((bone, j): Bone => {
    const inverse = bone.getAbsoluteInverseBindMatrix();
    readTransform(inverse.asArray(), 0, inverses, TRANSFORM_SIZE * j);
    const rest = new Float64Array(TRANSFORM_SIZE);
    readTransform(inverse.clone().invert().asArray(), 0, rest, 0);
    let above = bone.getParent();
    while (above && !bones.includes(above)) above = above.getParent();
    return { name: bone.name, parent: above ? bones.indexOf(above) : -1, rest };
  });
  const mesh = { name: parts[0].name, positions: joined(parts, positionsOf), triangles: new Uint32Array(0) };
  const weights = joinedWeights(parts.map(weightsOf));
  return { parts, skeleton, bones, inverses, rig: { name: mesh.name, mesh, bones: joints, weights } };
}

export function positionsOf(mesh: BabylonMesh): Float32Array {
  return Float32Array.from(mesh.getVerticesData(VertexBuffer.PositionKind) ?? []);
}

/** Triangles of the parts over their joined vertices. */
export function trianglesOf(parts: readonly BabylonMesh[]): Uint32Array {
  let first = 0;
  const all = parts.flatMap((part) => {
    const corners = Array.from(part.getIndices() ?? [], (corner) => corner + first);
    first += part.getTotalVertices();
    return corners;
  });
  return Uint32Array.from(all);
}

function weightsOf(mesh: BabylonMesh): SkinWeights {
  const data = (kind: string) => mesh.getVerticesData(kind);
  const sets = [
    [data(VertexBuffer.MatricesIndicesKind), data(VertexBuffer.MatricesWeightsKind)],
    [data(VertexBuffer.MatricesIndicesExtraKind), data(VertexBuffer.MatricesWeightsExtraKind)],
  ].filter(([indices, weights]) => indices && weights);
  const n = mesh.getTotalVertices();
  const slots = 4 * sets.length;
  const [bones, weights] = [new Uint16Array(n * slots), new Float32Array(n * slots)];
  sets.forEach(([indices, shares], set) => {
    for (let i = 0; i < n; i++) {
      for (let s = 0; s < 4; s++) {
        const at = i * slots + 4 * set + s;
        weights[at] = shares?.[4 * i + s] ?? 0;
        bones[at] = weights[at] > 0 ? (indices?.[4 * i + s] ?? 0) : 0;
      }
    }
  });
  return { slots, bones, weights };
}

/** Of parts with different numbers of slots, the most of them. */
function joinedWeights(parts: readonly SkinWeights[]): SkinWeights {
  const slots = Math.max(...parts.map((part) => part.slots));
  const counts = parts.map((part) => (part.slots > 0 ? part.bones.length / part.slots : 0));
  const n = counts.reduce((sum, count) => sum + count, 0);
  const [bones, weights] = [new Uint16Array(n * slots), new Float32Array(n * slots)];
  let first = 0;
  parts.forEach((part, p) => {
    for (let i = 0; i < counts[p]; i++) {
      const row = [i * part.slots, (i + 1) * part.slots] as const;
      bones.set(part.bones.subarray(...row), (first + i) * slots);
      weights.set(part.weights.subarray(...row), (first + i) * slots);
    }
    first += counts[p];
  });
  return { slots, bones, weights };
}

function joined(parts: readonly BabylonMesh[], of: (mesh: BabylonMesh) => Float32Array): Float32Array {
  const arrays = parts.map(of);
  const out = new Float32Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    out.set(array, at);
    at += array.length;
  }
  return out;
}
