import { type Mesh, resolveOptions } from '@pelt/model';
import type { GltfExtension } from './extension-payload.ts';
import { GlbDocument } from './glb-document.ts';
import { GLB_DEFAULTS, type GlbFile, type GlbOptions, writeMesh } from './write-mesh.ts';

/** A mesh that does not move, and what travels with it. */
export interface StaticModel {
  readonly mesh: Mesh;
  readonly extensions?: readonly GltfExtension[];
  /** `extras` of the mesh's node */
  readonly extras?: Readonly<Record<string, unknown>>;
}

export async function writeGlb(model: StaticModel, options?: Partial<GlbOptions>): Promise<GlbFile> {
  const resolved = resolveOptions('writeGlb', GLB_DEFAULTS, options);
  const glb = new GlbDocument(model.extensions);
  const { mesh, vertices } = writeMesh(glb, model.mesh, resolved);
  glb.scene.addChild(glb.node(model.mesh.name, undefined, model.extras).setMesh(mesh));
  return { bytes: await glb.toBytes(), vertexMap: vertices.vertexMap };
}
