import { readGltf, readObj, writeGlb } from '@pelt/io';
import { rewriteGltf, surfaceDistance } from '@pelt/pack';

// A bumpy sheet of 40 × 40 vertices.
const lines: string[] = [];
for (let k = 0; k < 1600; k++) lines.push(`v ${k % 40} ${Math.sin(k % 40)} ${Math.floor(k / 40)}`);
for (let k = 1; k < 1560; k++) if (k % 40) lines.push(`f ${k} ${k + 1} ${k + 41} ${k + 40}`);
const mesh = readObj(new TextEncoder().encode(lines.join('\n')));
const { bytes } = await writeGlb({ mesh });

const half = await rewriteGltf({ bytes, triangles: 0.5 }, { compress: 'meshopt' });
const [before, after] = [await readGltf(bytes), await readGltf(half.bytes)];
const { rms } = surfaceDistance(before, after);
if (after.mesh.triangles.length > 0.5 * before.mesh.triangles.length) throw new Error('too many triangles');
if (rms > 0.001) throw new Error('too far from the sheet');
