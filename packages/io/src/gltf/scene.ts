import type { Mesh, SkinWeights } from '@pelt/model';
import type { GltfExtension } from './extension-payload.ts';
import type { Transform, Trs } from './transform.ts';

/** A node of the file, with its place in the tree. */
export interface GltfNode {
  readonly name: string;
  /** −1 for a root */
  readonly parent: number;
  /** Where the node sits in its parent when no animation moves it. */
  readonly trs: Trs;
  /** In place of `trs` where the file gives a matrix, which may shear; such a node is never animated. */
  readonly matrix?: Transform;
  readonly extras?: unknown;
}

export type ChannelPath = 'translation' | 'rotation' | 'scale' | 'weights';

/** One property of one node over time. */
export interface GltfChannel {
  readonly node: number;
  readonly path: ChannelPath;
  readonly interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
  /** S seconds, strictly increasing */
  readonly times: Float32Array;
  /** Numbers in one value: 3, 4, or the number of morph targets. */
  readonly size: number;
  /** S × size; with CUBICSPLINE S × 3 × size: in-tangent, value, out-tangent */
  readonly values: Float32Array;
}

export interface GltfAnimation {
  readonly name: string;
  readonly channels: readonly GltfChannel[];
  /** First and last key, in seconds. */
  readonly start: number;
  readonly end: number;
  /** Keys of curves that move no node (`KHR_animation_pointer`), which are kept and not played. */
  readonly pointerKeys?: number;
}

/**
 * What moves vertices: a joint of a skin, or a node that carries a mesh without one. With W the node's transform to the
 * world, the bone's transform from rest to pose is W · inverseRest.
 */
export interface GltfBone {
  readonly name: string;
  readonly node: number;
  /** Index of the bone that is its nearest ancestor in the tree, always smaller than its own; −1 for none. */
  readonly parent: number;
  readonly inverseRest: Transform;
  /** Which bone of a human body it is, where the file is a VRM, by the names of VRM 1. */
  readonly place?: string;
  /** Its frame at rest: the inverse of `inverseRest`, or the node's own frame where that has none. */
  readonly rest: Transform;
}

/** Morph targets of a run of vertices of the merged mesh. */
export interface GltfMorph {
  /** The node whose weights drive them. */
  readonly node: number;
  readonly firstVertex: number;
  readonly vertexCount: number;
  /** vertexCount × 3 each, in rest space; `undefined` for one that moves nothing here */
  readonly targets: readonly (Float32Array | undefined)[];
  /** The weights that are part of the rest pose already. */
  readonly restWeights: readonly number[];
  /** Where the file names them. */
  readonly names?: readonly string[];
}

/** The vertices of one primitive, as one node shows it, in the merged mesh. Primitives that share attributes share them. */
export interface VertexRange {
  readonly node: number;
  readonly mesh: number;
  readonly primitive: number;
  /** −1 where it is not skinned */
  readonly skin: number;
  readonly firstVertex: number;
  readonly vertexCount: number;
  /** The bone of each joint of its skin, or the one of its node. */
  readonly bones: Uint16Array;
  /** Lengths in the rest pose over those that are stored. */
  readonly scale: number;
}

/** How the merged mesh hangs on the file's nodes. */
export interface GltfScene {
  readonly nodes: readonly GltfNode[];
  /** All nodes, parents before children. */
  readonly order: Uint32Array;
  readonly bones: readonly GltfBone[];
  readonly weights: SkinWeights;
  readonly morphs: readonly GltfMorph[];
  /** The nodes whose meshes hang on a skin. */
  readonly skinnedNodes: readonly number[];
  /** In the order of the merged mesh. */
  readonly ranges: readonly VertexRange[];
}

/** A glTF file as plain data: it can be kept, sent to a worker, sampled again and again. */
export interface GltfAsset {
  readonly name: string;
  /** Everything in the scene as one mesh, at rest: skinned parts as they were bound, others where their nodes are. */
  readonly mesh: Mesh;
  /** Some of the vertices belong to a skin. */
  readonly skinned: boolean;
  readonly scene: GltfScene;
  readonly animations: readonly GltfAnimation[];
  /** What other programs, or pelt's own later stages, stored at the root. */
  readonly extensions: readonly GltfExtension[];
}
