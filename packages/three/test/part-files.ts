/** A creature in two primitives: each with its own vertices as pelt writes them, or over the same ones as others do. */
import { type Primitive, WebIO } from '@gltf-transform/core';
import { writeSkinnedGlb } from '@pelt/io';
import type { Mesh } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { softWeights, withNormals } from '../examples/models.mjs';

/** A mesh as two objects of a scene, each with half of the triangles. */
export function inTwoObjects(mesh: Mesh): Mesh {
  const count = mesh.triangles.length / 3;
  const half = Math.floor(count / 2);
  const parts = [
    { name: '', firstTriangle: 0, triangleCount: half, material: -1, object: 0 },
    { name: '', firstTriangle: half, triangleCount: count - half, material: -1, object: 1 },
  ];
  return { ...mesh, parts, objects: ['first', 'second'].map((name) => ({ name, mesh: name })) };
}

/** Eight weights per vertex; the second primitive has the later half of the triangles, and vertices of its own. */
export async function separateParts(): Promise<Uint8Array> {
  const { rig, clip } = creatureScene({ frames: 4, detail: 0.12 });
  const count = rig.mesh.triangles.length / 3;
  const half = Math.floor(count / 2);
  const parts = [
    { name: 'first', firstTriangle: 0, triangleCount: half, material: -1 },
    { name: 'second', firstTriangle: half, triangleCount: count - half, material: -1 },
  ];
  const mesh = { ...withNormals(rig.mesh), parts };
  return (await writeSkinnedGlb({ rig: { ...rig, mesh, weights: softWeights(rig, 8) }, clips: [clip] })).bytes;
}

/** The same creature as one buffer of vertices, of which each primitive uses some. */
export async function sharedParts(): Promise<Uint8Array> {
  const { rig, clip } = creatureScene({ frames: 4, detail: 0.12 });
  const whole = { ...rig, mesh: withNormals(rig.mesh), weights: softWeights(rig, 8) };
  const io = new WebIO();
  const document = await io.readBinary((await writeSkinnedGlb({ rig: whole, clips: [clip] })).bytes);
  const [mesh] = document.getRoot().listMeshes();
  const [first] = mesh.listPrimitives();
  const second = first.clone();
  const all = first.getIndices()?.getArray() as Uint16Array;
  const half = 3 * Math.floor(all.length / 6);
  const cut = (primitive: Primitive, indices: Uint16Array) => {
    const buffer = document.getRoot().listBuffers()[0];
    primitive.setIndices(document.createAccessor().setType('SCALAR').setArray(indices).setBuffer(buffer));
  };
  cut(first, all.slice(0, half));
  cut(second, all.slice(half));
  mesh.addPrimitive(second);
  return io.writeBinary(document);
}
