/** Node materials of WebGPURenderer that our shaders are put into. */
import { UsageError } from '@pelt/model';
import type { Material } from 'three';
import { type NodeBuilder, NodeMaterial, type Renderer } from 'three/webgpu';

/** A node material with the looks of any material; always a new one. */
export function nodeMaterialOf(renderer: Renderer, material: Material): NodeMaterial {
  const { library } = renderer as unknown as { library: { fromMaterial(material: Material): NodeMaterial | null } };
  const found = library.fromMaterial(material);
  if (!found) throw new UsageError(`WebGPURenderer has no node material for '${material.type}'; use one of its own`);
  return found === material ? (material.clone() as NodeMaterial) : found;
}

/**
 * Leaves three's own skinning out of a material whose position node does the skinning. A clone of the material has it
 * again, which costs time and changes nothing: the position node starts from the geometry.
 */
export function skipStockSkinning(material: NodeMaterial): void {
  material.setupPosition = function setupPosition(this: NodeMaterial, builder: NodeBuilder) {
    const mesh = builder.object as unknown as { isSkinnedMesh: boolean };
    mesh.isSkinnedMesh = false;
    try {
      return NodeMaterial.prototype.setupPosition.call(this, builder);
    } finally {
      mesh.isSkinnedMesh = true;
    }
  };
}
