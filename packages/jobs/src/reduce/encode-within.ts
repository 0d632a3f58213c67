/** A rig as a file within an error: fewer keys where there is a limit and they pay, then as few bits as it allows. */
import type { RunContext } from '@pelt/model';
import { BIT_LADDER, type EncodedRig, encodeRig } from './encode-rig.ts';
import { type SmallerRig, withFewerKeys } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';
import type { ReduceMethod } from './table.ts';

/** A rig and its bytes. */
export interface RigFile {
  readonly smaller: SmallerRig;
  readonly file: EncodedRig;
}

/** Growth of the error that compression may cost where no limit is given. */
const FREE_GROWTH = 1.01;
/** A thousandth of what can be seen: E_RMS below which growth does not count. */
const UNSEEN = 0.02;

/** @param limit  most E_RMS; absent: every key stays, and bits cost a per cent at most */
export async function encodeWithin(
  source: ReductionSource,
  method: ReduceMethod,
  rig: SmallerRig,
  limit: number | undefined,
  compress: 'none' | 'meshopt',
  warn: (message: string) => void,
  context: RunContext,
): Promise<RigFile> {
  const encode = (of: SmallerRig, how: 'none' | 'meshopt', bits = {}) =>
    encodeRig(of.model, source.truths, of.periods, how, bits, warn);
  const plain = await encode(rig, 'none');
  const allowed = limit ?? Math.max(FREE_GROWTH * plain.error.eRms, UNSEEN);
  const encoded = async (smaller: SmallerRig): Promise<RigFile> => {
    if (compress === 'none') return { smaller, file: smaller === rig ? plain : await encode(smaller, 'none') };
    let file = plain;
    for (const bits of BIT_LADDER) {
      if (method === 'two-layer' && (bits.weightBits ?? 0) <= 8) continue;
      file = await encode(smaller, 'meshopt', bits);
      if (file.error.eRms <= allowed) break;
    }
    return { smaller, file };
  };
  const whole = await encoded(rig);
  if (limit === undefined) return whole;
  // Curves with times of their own need more JSON, which in a short clip can outweigh the keys that are spared.
  const fewer = await encoded(withFewerKeys(source, rig, limit, context));
  const fits = whole.file.error.eRms <= limit || fewer.file.error.eRms > limit;
  return fits && whole.file.bytes.length <= fewer.file.bytes.length ? whole : fewer;
}
