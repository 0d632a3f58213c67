import { bodyExtension, readBody, readGltf, writeSkinnedGlb } from '@pelt/io';
import type { Rig } from '@pelt/model';

const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
const skin = { slots: 1, bones: new Uint16Array(4), weights: new Float32Array(4).fill(1) };
const rig: Rig = {
  name: 'corner',
  mesh: { name: 'corner', positions, triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3) },
  bones: [{ name: 'root', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }],
  weights: skin,
};
const corners = Uint32Array.of(0, 1, 2, 3);
const body = { name: 'corner', positions, tetrahedra: corners, surface: corners };
const extension = bodyExtension({ body, skin, fixed: Uint32Array.of(0), yielding: true, settings: { bending: 2 } });
const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions: [extension] });

const saved = readBody(await readGltf(bytes, { name: 'corner.glb' }), 1);
if (saved?.body.tetrahedra.length !== 4 || saved.settings.bending !== 2)
  throw new Error('the solid travels in the file');
