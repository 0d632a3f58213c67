/** How many bytes of a fit differ between two threads and one. */
import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin';
import { loadAnimation } from './load-animation.mjs';

const CASES = [
  { data: 'horse-gallop', bones: 20, method: 'ssdr' },
  { data: 'lion-poses', bones: 21, method: 'affine' },
  { data: 'lion-poses', bones: 21, method: 'sma' },
  { data: 'lion-poses', bones: 21, method: 'lssp' },
];

export async function sameBytes(context, numerics) {
  const rows = [];
  const alone = await openNumerics({ threads: 1 });
  try {
    for (const { data, bones, method } of CASES) {
      const place = `${data} ${bones}, ${method}, one thread and two`;
      if (!context.wants(place)) continue;
      context.log(place);
      const sequence = loadAnimation(context, data);
      const [one, two] = [alone, numerics].map((kernels) =>
        bytesOf(decompose(sequence, { bones, method }, { numerics: kernels })),
      );
      const value = one.reduce((sum, byte, k) => sum + Number(byte !== two[k]), Math.abs(one.length - two.length));
      rows.push({ case: place, metric: 'bytes that differ', value, unit: '', target: 'value <= 0' });
    }
  } finally {
    alone.close();
  }
  return rows;
}

function bytesOf({ rig, clip }) {
  const parts = [rig.mesh.positions, rig.weights.bones, rig.weights.weights, clip.transforms];
  return Buffer.concat(parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)));
}
