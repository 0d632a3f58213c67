/**
 * Most memory that reading an FBX takes, in a process of its own: node --expose-gc fbx-memory.mjs SMALL.fbx LARGE.fbx. The
 * small file loads the code, so that what counts is the large one. Prints by how much the process grew at most, by the
 * kernel's high-water mark, and the bytes of the arrays in the file, unpacked.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readBinaryFbx } from '../../../../packages/io/dist/fbx/read-binary.js';
import { readFbxScene } from '../../../../packages/io/dist/fbx/read-fbx.js';
import { WarningTally } from '../../../../packages/io/dist/warning-tally.js';

const ITEM_BYTES = { Float64Array: 8, Float32Array: 4, Int32Array: 4, Uint8Array: 1 };

const [small, large] = process.argv.slice(2).map((path) => readFileSync(path));
const read = (bytes) =>
  readFbxScene(bytes, { name: '', label: 'FBX', resolve: undefined, warnings: new WarningTally('FBX', undefined) });
read(small);
globalThis.gc();
// Sets the mark to what is in use now.
writeFileSync('/proc/self/clear_refs', '5');
const before = kilobytes('VmRSS');
const scene = read(large);
const grown = 1024 * (kilobytes('VmHWM') - before);
if (scene.meshes.length === 0) throw new Error('nothing was read');

let arrays = 0;
const count = (nodes) => {
  for (const { values, children } of nodes) {
    for (const value of values) {
      if (typeof value !== 'object' || typeof value.numbers !== 'function') continue;
      const numbers = value.numbers();
      arrays += numbers.length * ITEM_BYTES[numbers.constructor.name];
    }
    count(children);
  }
};
count(readBinaryFbx(large).nodes);
console.log(JSON.stringify({ grown, arrays }));

function kilobytes(key) {
  return Number(new RegExp(`${key}:\\s*(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
