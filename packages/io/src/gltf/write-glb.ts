import { type Mesh, resolveOptions } from '@pelt/model';
import { GLB_DEFAULTS, type GlbExtensions, type GlbFile, type GlbOptions } from './glb-options.ts';
import { finishVertices } from './own-vertices.ts';

/** A mesh that does not move, and what travels with it. */
export interface StaticModel {
  readonly mesh: Mesh;
  readonly extensions?: GlbExtensions;
  /** `extras` of the mesh's node */
  readonly extras?: Readonly<Record<string, unknown>>;
}

/**
 * Writes a mesh as a GLB.
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export async function writeGlb(model: StaticModel, options?: Partial<GlbOptions>): Promise<GlbFile> {
  const resolved = resolveOptions('writeGlb', GLB_DEFAULTS, options);
  const { writeMesh } = await import('./write-mesh.ts');
  const written = writeMesh(model.mesh, resolved, model.extras);
  const vertexMap = finishVertices(written, model.extensions);
  return { bytes: await written.glb.toBytes(), vertexMap };
}
