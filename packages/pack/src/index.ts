/** Pack glTF files: the fewest bytes within an error on the surface. */

export type { Transport } from './codec.ts';
export type { GltfEdit } from './gltf-edit.ts';
export { packArrays } from './pack-arrays.ts';
export { type GlbImage, imagesOf, replaceImages } from './replace-images.ts';
export {
  type CompressOptions,
  compressGlb,
  REWRITE_DEFAULTS,
  type RewriteOptions,
  type RewrittenGltf,
  rewriteGltf,
  UNSEEN_ERROR,
} from './rewrite-gltf.ts';
export { type SurfaceDistance, surfaceDistance } from './surface-distance.ts';
export { NO_VERTEX, type VertexMaps } from './vertex-maps.ts';
