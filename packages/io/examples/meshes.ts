import { detectFormat, readGltf, readObj, readPly, writeGlb, writeObj, writePly } from '@pelt/io';

// A unit square, as bytes of an OBJ file.
const bytes = new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n');
if (detectFormat('quad.obj', bytes) !== 'obj') throw new Error('told by content, then by name');
const mesh = readObj(bytes, { name: 'quad.obj', onWarning: console.warn });
if (mesh.triangles.length !== 6) throw new Error('polygons are triangulated');

// An OBJ may come with a material library and images: files to write side by side.
const files = writeObj(mesh, { name: 'copy.obj' });
const ply = writePly(mesh);
const { bytes: glb } = await writeGlb({ mesh });

for (const copy of [readObj(files[0].bytes), readPly(ply), (await readGltf(glb)).mesh]) {
  if (copy.positions.join() !== mesh.positions.join()) throw new Error('the same vertices in the same order');
}
