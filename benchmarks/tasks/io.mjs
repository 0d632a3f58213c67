/**
 * Readers: frames of vertices from OBJ files beside splitting their text, a large Alembic archive beside reading its
 * bytes, and files made to take long, whose time must grow with their size and not with its square.
 */
import { readFileSync } from 'node:fs';
import { readObj, sequenceFromFrames } from '@pelt/io';
import { alembicRows } from './io/alembic.mjs';

const FRAME = 'horse-poses/pose-01.obj';
const FRAMES = 48;
/** Four times the size may take so many times as long: 4 where time grows linearly, 16 where it grows with the square. */
const MOST_GROWTH = 8;

export default {
  name: 'io',
  needs: [FRAME],
  async run(context) {
    return [...frames(context), ...alembicRows(context), ...hostileFiles(context)];
  },
};

function frames(context) {
  const name = `${FRAMES} OBJ frames of 8431 vertices`;
  if (!context.wants(name)) return [];
  context.log(name);
  const bytes = readFileSync(context.data(FRAME));
  const rest = readObj(bytes);
  const files = Array.from({ length: FRAMES }, (_, t) => ({ name: `pose-${t + 1}.obj`, bytes }));
  const { value, reference } = context.compareTimes(
    () => sequenceFromFrames(files, { rest }),
    () => files.map((file) => splitPositions(file.bytes)),
  );
  const seconds = { value: value / 1000, unit: 's' };
  return [
    { case: name, metric: 'time', ...seconds, target: 'value <= 2' },
    {
      case: name,
      metric: 'time beside splitting the text',
      ...seconds,
      reference: reference / 1000,
      referenceName: 'lines, words, Number()',
      target: 'ratio <= 0.5',
    },
  ];
}

/** The plain way: a text, its lines, their words. */
function splitPositions(bytes) {
  const numbers = [];
  for (const line of bytes.toString('latin1').split('\n')) {
    if (line.startsWith('v ')) numbers.push(...line.trim().split(/\s+/).slice(1, 4).map(Number));
  }
  return Float32Array.from(numbers);
}

/** Name, and the text of a size; the same cases are read by a test that looks at what comes out. */
const HOSTILE = [
  ['a face of many corners', (n) => `v 0 0 0\nv 1 0 0\nv 1 1 0\nf${' 1 2 3'.repeat(4 * n)}\n`],
  ['many objects', (n) => `v 0 0 0\n${'o a\nf 1 1 1\n'.repeat(n)}`],
  ['many materials', (n) => `v 0 0 0\n${Array.from({ length: n }, (_, k) => `usemtl m${k}\nf 1 1 1\n`).join('')}`],
  ['many flaws', (n) => `v 0 0 0\n${'vn nan nan nan\nf 1\n'.repeat(n)}`],
  ['many backslashes', (n) => `v 0 0 0\n${'\\'.repeat(200 * n)}\n`],
  ['many joined lines', (n) => `v 0 0 0\nf${' 1 \\\n'.repeat(4 * n)}`],
  ['one long word', (n) => `v 0 0 0\n${'x'.repeat(200 * n)}`],
];
const HOSTILE_SIZE = 50_000;

function hostileFiles(context) {
  return HOSTILE.flatMap(([name, text]) => {
    const place = `OBJ with ${name}`;
    if (!context.wants(place)) return [];
    context.log(place);
    const [whole, quarter] = [HOSTILE_SIZE, HOSTILE_SIZE / 4].map((n) => Buffer.from(text(n), 'latin1'));
    const times = context.compareTimes(
      () => tryRead(whole),
      () => tryRead(quarter),
    );
    return {
      case: place,
      metric: 'time',
      ...times,
      unit: 'ms',
      referenceName: 'a quarter of the size',
      target: `ratio <= ${MOST_GROWTH}`,
    };
  });
}

/** Refusing is an answer, too. */
function tryRead(bytes) {
  try {
    return readObj(bytes, { name: 'hostile.obj' });
  } catch (error) {
    if (!/^OBJ /.test(error.message)) throw error;
    return undefined;
  }
}
