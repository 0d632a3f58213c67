/** A creature in two primitives: over the same vertices as pelt writes them, or each with its own as others do. */
import { type Accessor, type Primitive, WebIO } from '@gltf-transform/core';
import { writeSkinnedGlb } from '@pelt/io';
import { creatureScene } from '@pelt/testkit';
import { softWeights, withNormals } from '../examples/models.mjs';

/** Eight weights per vertex; the second primitive has the later half of the triangles. */
export async function sharedParts(): Promise<Uint8Array> {
  const { rig, clip } = creatureScene({ frames: 4, detail: 0.12 });
  const count = rig.mesh.triangles.length / 3;
  const half = Math.floor(count / 2);
  const mesh = {
    ...withNormals(rig.mesh),
    parts: [
      { name: 'first', firstTriangle: 0, triangleCount: half, material: -1 },
      { name: 'second', firstTriangle: half, triangleCount: count - half, material: -1 },
    ],
  };
  const weights = softWeights(rig, 8);
  return (await writeSkinnedGlb({ rig: { ...rig, mesh, weights }, clips: [clip] })).bytes;
}

/** The same file, every primitive with the vertices that it uses and no others. */
export async function separateParts(): Promise<Uint8Array> {
  const io = new WebIO();
  const document = await io.readBinary(await sharedParts());
  for (const mesh of document.getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives()) separate(primitive, () => document.createAccessor());
  }
  return io.writeBinary(document);
}

function separate(primitive: Primitive, create: () => Accessor): void {
  const indices = Uint32Array.from(primitive.getIndices()?.getArray() ?? []);
  const used = [...new Set(indices)].sort((a, b) => a - b);
  const places = new Map(used.map((i, k) => [i, k]));
  for (const name of primitive.listSemantics()) {
    const shared = primitive.getAttribute(name) as Accessor;
    const size = shared.getElementSize();
    const from = shared.getArray() as Float32Array;
    const values = from.slice(0, used.length * size);
    used.forEach((i, k) => {
      values.set(from.subarray(i * size, (i + 1) * size), k * size);
    });
    const own = create().setType(shared.getType()).setArray(values).setNormalized(shared.getNormalized());
    primitive.setAttribute(name, own.setBuffer(shared.getBuffer()));
  }
  const renumbered = Uint16Array.from(indices, (i) => places.get(i) as number);
  const buffer = primitive.getIndices()?.getBuffer() ?? null;
  primitive.setIndices(create().setType('SCALAR').setArray(renumbered).setBuffer(buffer));
}
