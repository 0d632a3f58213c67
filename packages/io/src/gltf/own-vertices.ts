/**
 * Gives every primitive of a document vertices of its own. Primitives over one vertex buffer are valid, but viewers show,
 * skin and keep all of it with each of them.
 */
import type { Accessor, Primitive, PrimitiveTarget } from '@gltf-transform/core';
import { gatherVertices } from '@pelt/model';
import { deltaAccessor } from './delta-accessor.ts';
import type { GlbDocument } from './glb-document.ts';
import type { GlbExtensions } from './glb-options.ts';
import type { WrittenMesh } from './write-mesh.ts';

/** 65535 restarts a strip, so that 16 bits reach one vertex less. */
const MAX_SHORT_INDEX = 65534;

/**
 * Takes the primitives of a mesh apart, and adds the extensions that keep something for each of their vertices.
 *
 * @return model vertex of each vertex of all primitives behind each other
 */
export function finishVertices(
  { glb, primitives, vertices }: WrittenMesh,
  extensions: GlbExtensions = [],
): Uint32Array {
  const vertexMap = ownVertices(glb, primitives, vertices.vertexMap);
  glb.carry(typeof extensions === 'function' ? extensions(vertexMap) : extensions);
  return vertexMap;
}

/**
 * @param primitives  over the same vertices, in the order in which readers find them
 * @param vertexMap   model vertex of each of these
 * @return model vertex of each vertex of all primitives behind each other
 */
function ownVertices(glb: GlbDocument, primitives: readonly Primitive[], vertexMap: Uint32Array): Uint32Array {
  if (primitives.length < 2) return vertexMap;
  const shared = new Set<Accessor>();
  const targets = new Set<PrimitiveTarget>();
  const maps = primitives.map((primitive) => {
    const indices = primitive.getIndices() as Accessor;
    const corners = indices.getArray() as Uint16Array | Uint32Array;
    const used = [...new Set(corners)].sort((a, b) => a - b);
    const order = Uint32Array.from(used);
    const place = new Map(used.map((from, to) => [from, to]));
    const Indices = used.length - 1 > MAX_SHORT_INDEX ? Uint32Array : Uint16Array;
    const own = new Uint32Array(corners.length).map((_, c) => place.get(corners[c]) as number);
    primitive.setIndices(glb.accessor('SCALAR', Indices.from(own)));
    shared.add(indices);
    for (const semantic of primitive.listSemantics()) {
      const accessor = primitive.getAttribute(semantic) as Accessor;
      primitive.setAttribute(semantic, gathered(glb, accessor, order));
      shared.add(accessor);
    }
    for (const target of primitive.listTargets()) {
      const moved = glb.document.createPrimitiveTarget(target.getName());
      for (const semantic of target.listSemantics()) {
        const accessor = target.getAttribute(semantic) as Accessor;
        moved.setAttribute(semantic, deltaAccessor(glb, valuesOf(accessor, order) as Float32Array<ArrayBuffer>));
        shared.add(accessor);
      }
      primitive.removeTarget(target).addTarget(moved);
      targets.add(target);
    }
    return order.map((v) => vertexMap[v]);
  });
  for (const target of targets) target.dispose();
  for (const accessor of shared) accessor.dispose();
  const all = new Uint32Array(maps.reduce((sum, map) => sum + map.length, 0));
  let at = 0;
  for (const map of maps) {
    all.set(map, at);
    at += map.length;
  }
  return all;
}

function gathered(glb: GlbDocument, accessor: Accessor, order: Uint32Array): Accessor {
  return glb.accessor(accessor.getType(), valuesOf(accessor, order), { normalized: accessor.getNormalized() });
}

function valuesOf(accessor: Accessor, order: Uint32Array) {
  return gatherVertices(accessor.getArray() as Float32Array, accessor.getElementSize(), order);
}
