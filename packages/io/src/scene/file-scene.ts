/**
 * What files of characters have in common, whatever their format: a tree of nodes, meshes that hang on them, skins, clips,
 * materials. Readers and writers of FBX and USD meet those of glTF here; lengths are metres, the y axis is up, and
 * rotations and curves are those of glTF.
 */
import type { Image, Material, SkinWeights } from '@pelt/model';
import type { GltfAnimation } from '../gltf/scene.ts';
import type { Transform, Trs } from '../gltf/transform.ts';

export interface SceneNode {
  readonly name: string;
  /** −1 for a root */
  readonly parent: number;
  readonly trs: Trs;
  /** −1 for none */
  readonly mesh: number;
  /** −1 for none */
  readonly skin: number;
  /** Of the mesh's morph targets, at rest. */
  readonly weights: readonly number[];
  readonly extras?: unknown;
}

export interface ScenePart {
  readonly name: string;
  /** −1 for none */
  readonly material: number;
  /** f × 3 vertices of the block */
  readonly triangles: Uint32Array;
}

/** Vertices with all that they carry, and the parts over them. */
export interface SceneBlock {
  /** n × 3 */
  readonly positions: Float32Array;
  /** n × 3 */
  readonly normals: Float32Array | undefined;
  /** n × 2 */
  readonly uvs: Float32Array | undefined;
  /** n × 2 */
  readonly uvs2: Float32Array | undefined;
  readonly colors: { readonly size: 3 | 4; readonly values: Float32Array } | undefined;
  /** Over the joints of the skin. */
  readonly weights: SkinWeights | undefined;
  /** n × 3 displacements of each morph target; `undefined` for one that moves nothing here */
  readonly targets: readonly (Float32Array | undefined)[];
  readonly parts: readonly ScenePart[];
}

export interface SceneMesh {
  readonly name: string;
  readonly targetNames: readonly string[];
  readonly blocks: readonly SceneBlock[];
}

export interface SceneSkin {
  readonly name: string;
  /** Nodes. */
  readonly joints: readonly number[];
  /** From the space of the mesh at rest to that of each joint. */
  readonly inverseBinds: readonly Transform[];
}

export interface FileScene {
  readonly name: string;
  readonly nodes: readonly SceneNode[];
  /** All nodes, parents before children. */
  readonly order: ArrayLike<number>;
  readonly meshes: readonly SceneMesh[];
  readonly skins: readonly SceneSkin[];
  readonly clips: readonly GltfAnimation[];
  readonly materials: readonly Material[];
  readonly images: readonly Image[];
}
