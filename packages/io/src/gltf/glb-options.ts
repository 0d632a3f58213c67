import type { GltfExtension } from './extension-payload.ts';

/** What every GLB writer can be told. */
export interface GlbOptions {
  /** Write the mesh's normals; without, viewers shade it flat. */
  readonly normals: boolean;
  /** Told of everything that glTF cannot hold. */
  readonly onWarning: ((message: string) => void) | undefined;
}

export const GLB_DEFAULTS: GlbOptions = { normals: true, onWarning: undefined };

/** What every GLB writer gives back. */
export interface GlbFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * Model vertex of each vertex of the file, part by part. Of a mesh of one part the first n are the model's in its order,
   * and seams add copies; a compressed file has an order of its own.
   */
  readonly vertexMap: Uint32Array;
}

/**
 * Data of pelt's own at the root of a file; by a function of the model's vertex of each vertex of the file where it keeps
 * something per vertex, for seams split vertices and parts have their own.
 */
export type GlbExtensions = readonly GltfExtension[] | ((vertexMap: Uint32Array) => readonly GltfExtension[]);
