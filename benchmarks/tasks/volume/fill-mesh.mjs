/** `node fill-mesh.mjs MESH.obj`: fills one mesh with tetrahedra and prints the report, seconds and peak megabytes. */
import { readFileSync } from 'node:fs';
import { readObj } from '@pelt/io';
import { tetrahedralize } from '@pelt/skin';

const mesh = readObj(readFileSync(process.argv[2]), { name: process.argv[2] });
const start = performance.now();
const { report } = tetrahedralize(mesh);
const seconds = (performance.now() - start) / 1000;
console.log(JSON.stringify({ ...report, seconds, megabytes: process.resourceUsage().maxRSS / 1024 }));
