import { packArrays } from '@pelt/pack';

// An array of an extension of your own, as whole numbers of steps of 0.01.
const values = Float64Array.from({ length: 900 }, (_, k) => 0.01 * Math.round(100 * Math.sin(k / 50)));
const numbers = Int16Array.from(values, (value) => Math.round(value / 0.01));
const plain = { name: 'ACME_curve', json: { version: 1 }, buffers: { values } };

const packed = await packArrays({ ...plain, stored: { values: { numbers, steps: [0.01], columns: 1 } } });
const bytes = packed.stored?.values.meshopt?.bytes.length ?? values.byteLength;
if (bytes > values.byteLength / 6) throw new Error('packed numbers take less room');
