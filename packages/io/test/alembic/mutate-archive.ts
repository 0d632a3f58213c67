/**
 * Archives that are wrong in the places that matter: positions, counts, sizes, headers, samples. Changes of random bytes
 * mostly hit samples, which are what an archive consists of.
 */
import type { Random } from '@pelt/math';
import {
  acyclic,
  buildArchive,
  cyclic,
  faceSetObject,
  geomParam,
  instanceObject,
  meshObject,
  OP,
  TRIANGLE,
  uniform,
  visibleProperty,
  xformObject,
} from './scene.ts';

/** An archive with one of everything. */
export function richArchive(): Uint8Array<ArrayBuffer> {
  const quads = {
    points: [0, 1, 2, 1].map((z) => [0, 0, z, 0, 1, 0, 1, 1, 0, 1, 0, 0, 2, 0, 0, 2, 1, z]),
    counts: [[4, 4]],
    indices: [[0, 1, 2, 3, 3, 2, 5, 4]],
    children: [faceSetObject('front', [0]), faceSetObject('back', [1])],
    properties: [
      geomParam('uv', 'fvr', [0, 0, 1, 0, 1, 1, 0, 1], [0, 1, 2, 3, 0, 1, 2, 3]),
      geomParam('N', 'vtx', new Array(18).fill(0.5)),
    ],
  };
  const turn = { ops: [OP.translate, OP.rotateZ, OP.rotate, OP.scale], sampling: 2 };
  const values = [0, 30, 60].map((angle) => [1, 2, 3, angle, 0, 1, 0, angle, 1, 1, 2]);
  return buildArchive(
    [
      xformObject('group', { ...turn, values, inherits: [true, false, true] }, [
        meshObject('quads', quads),
        meshObject('hull', { ...TRIANGLE, kind: 'SubD', objectProperties: [visibleProperty(1, 0, 1, 1)] }),
      ]),
      xformObject('copy', { ops: [OP.matrix], values: [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 5, 5, 1]] }, [
        instanceObject('again', '/group/quads'),
      ]),
    ],
    [uniform(24, 1 / 24), acyclic(0, 0.05, 0.2), cyclic(1, 0, 0.5)],
  );
}

interface Fields {
  /** Positions of 64-bit fields: children, counts, sizes. */
  readonly words: readonly number[];
  /** Runs of bytes: headers, tables and samples. */
  readonly runs: readonly { readonly from: number; readonly count: number }[];
}

/** Walks a good archive and notes where its structure lies. */
function fieldsOf(bytes: Uint8Array<ArrayBuffer>): Fields {
  const view = new DataView(bytes.buffer);
  const words = [8];
  const runs: { from: number; count: number }[] = [{ from: 0, count: 8 }];
  const seen = new Set<bigint>();
  const pending = [view.getBigUint64(8, true)];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const position = Number(BigInt.asUintN(63, entry));
    if (position === 0 || seen.has(entry)) continue;
    seen.add(entry);
    words.push(position);
    const count = Number(view.getBigUint64(position, true));
    if (entry >> 63n) runs.push({ from: position + 8, count });
    else {
      for (let k = 1; k <= count; k++) {
        words.push(position + 8 * k);
        pending.push(view.getBigUint64(position + 8 * k, true));
      }
    }
  }
  return { words, runs };
}

const NUMBERS = [0n, 1n, 2n, 3n, 255n, 65536n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];
const FLOATS = [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -0, 1e-310];

/** Up to four changes, each of a field that means something. */
function change(good: Uint8Array<ArrayBuffer>, { words, runs }: Fields, random: Random): Uint8Array {
  const bytes = good.slice();
  const view = new DataView(bytes.buffer);
  const pick = <T>(values: readonly T[]) => values[random.integer(values.length)];
  const changes = 1 + random.integer(4);
  for (let k = 0; k < changes; k++) {
    const { from, count } = pick(runs);
    const at = from + random.integer(Math.max(count, 1));
    switch (random.integer(8)) {
      case 0:
        view.setBigUint64(pick(words), pick(NUMBERS), true);
        break;
      case 1:
        // A child that is another one's.
        view.setBigUint64(pick(words), view.getBigUint64(pick(words), true), true);
        break;
      case 2:
        view.setBigUint64(pick(words), BigInt(random.integer(bytes.length)) | (BigInt(random.integer(2)) << 63n), true);
        break;
      case 3:
        bytes[at] = random.integer(256);
        break;
      case 4:
        bytes[at] ^= 1 << random.integer(8);
        break;
      case 5:
        if (at + 4 <= bytes.length) view.setUint32(at, Number(BigInt.asUintN(32, pick(NUMBERS))), true);
        break;
      case 6:
        if (at + 8 <= bytes.length) view.setFloat64(at, pick(FLOATS), true);
        break;
      default:
        return bytes.slice(0, random.integer(bytes.length));
    }
  }
  return bytes;
}

/** Mutants of a good archive, whose structure is found once. */
export function mutateArchive(good: Uint8Array<ArrayBuffer>): (random: Random) => Uint8Array {
  const fields = fieldsOf(good);
  return (random) => change(good, fields, random);
}
