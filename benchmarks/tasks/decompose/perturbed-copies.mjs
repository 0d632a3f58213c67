/**
 * The same animation four times: as it is, with its vertices in another order, turned and shifted, and with one vertex
 * duplicated, as at a seam. None of this changes what there is to fit, so a result that changes with it depends on chance.
 */
import { writeObj, writePc2 } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';

/** Angles (radians) and shift (radii of the box) of the turned copy. */
const TURNS = [0.7, 0.4];
const SHIFT = [0.31, -0.17, 0.43];

export const COPIES = [
  ['as it is', (sequence) => sequence],
  ['vertices permuted', permuted],
  ['turned and shifted', turned],
  ['one vertex duplicated', duplicated],
];

/**
 * Runs `pelt fit` on every copy, as a user would.
 *
 * @returns the reports, in the order of the copies
 */
export async function fitCopies(sequence, options, threads) {
  const done = await runOnCopies('fit', sequence, options, threads);
  return done.map(({ report }) => report);
}

/**
 * Runs a command on every copy, as a user would.
 *
 * @returns the reports and the bytes of the GLBs, in the order of the copies
 */
export async function runOnCopies(command, sequence, options, threads) {
  const done = [];
  for (const [, change] of COPIES) done.push(await runOnFiles(command, change(sequence), options, threads));
  return done;
}

async function runOnFiles(command, sequence, options, threads) {
  const [obj] = writeObj(sequence.rest, { name: 'rest.obj' });
  const files = new MemoryFiles({ 'rest.obj': obj.bytes, 'clip.pc2': writePc2(sequence) });
  const outputs = new MemoryOutputs();
  const request = { command, inputs: ['rest.obj', 'clip.pc2'], output: 'fitted.glb', options };
  const report = await runJob(request, { files, outputs, threads });
  return { report, glb: outputs.files.get('fitted.glb') };
}

/** Median of the values, and their range relative to it. */
export function medianAndSpread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.floor(middle - 0.5)] + sorted[Math.floor(middle)]) / 2;
  return { median, spread: (sorted[sorted.length - 1] - sorted[0]) / median };
}

function permuted(sequence) {
  const n = sequence.rest.positions.length / 3;
  const order = shuffled(n);
  const place = new Uint32Array(n);
  order.forEach((i, k) => {
    place[i] = k;
  });
  return changed(
    sequence,
    n,
    (k) => order[k],
    sequence.rest.triangles.map((i) => place[i]),
  );
}

function duplicated(sequence) {
  const n = sequence.rest.positions.length / 3;
  const triangles = Uint32Array.from(sequence.rest.triangles);
  const twin = triangles[0];
  triangles[0] = n;
  return changed(sequence, n + 1, (k) => (k < n ? k : twin), triangles);
}

/** The sequence with vertex k from vertex `from(k)`, and other triangles. */
function changed({ rest, frames, ...other }, count, from, triangles) {
  const size = rest.positions.length;
  const gather = (values) => {
    const out = new Float32Array((values.length / size) * 3 * count);
    for (let k = 0; k < out.length / 3; k++) {
      const at = Math.floor(k / count) * size + 3 * from(k % count);
      out.set(values.subarray(at, at + 3), 3 * k);
    }
    return out;
  };
  return { ...other, rest: { positions: gather(rest.positions), triangles }, frames: gather(frames) };
}

function turned({ rest, frames, ...other }) {
  const [a, b] = TURNS;
  const turn = (values) => {
    const out = new Float32Array(values.length);
    for (let k = 0; k < values.length; k += 3) {
      const x = Math.cos(a) * values[k] - Math.sin(a) * values[k + 1];
      const y = Math.sin(a) * values[k] + Math.cos(a) * values[k + 1];
      const z = values[k + 2];
      const turnedTwice = [x, Math.cos(b) * y - Math.sin(b) * z, Math.sin(b) * y + Math.cos(b) * z];
      turnedTwice.forEach((value, d) => {
        out[k + d] = value + SHIFT[d];
      });
    }
    return out;
  };
  return { ...other, rest: { positions: turn(rest.positions), triangles: rest.triangles }, frames: turn(frames) };
}

/** The numbers below n in an order without pattern (Fisher–Yates with a linear congruential generator). */
function shuffled(n) {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  let state = 12345;
  for (let i = n - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
