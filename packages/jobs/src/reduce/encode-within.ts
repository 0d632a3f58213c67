/** A rig as a file within an error: as few keys and bits as the error of the whole leaves to them. */
import { type Transport, UNSEEN_ERROR } from '@pelt/pack';
import { transportOf } from '../input/pack-character.ts';
import { type EncodedRig, encodeRig } from './encode-rig.ts';
import type { SmallerRig } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

/** A rig and its bytes. */
export interface RigFile {
  readonly smaller: SmallerRig;
  readonly file: EncodedRig;
}

/** How a file is packed, and for which way. */
export interface PackedAs {
  readonly compress: 'none' | 'meshopt';
  readonly transport: Transport | undefined;
}

/** Share of a rig's own error that packing may add, squared with it: one per cent of the sum. */
const FREE_SHARE = 0.14;
/** What is left of a limit where the rig's own error takes all of it. */
const LEAST_SHARE = 0.1;

/** @param limit  most rms distance, as a share of the diagonal; absent: what cannot be seen beside the rig's own error */
export async function encodeWithin(
  source: ReductionSource,
  smaller: SmallerRig,
  limit: number | undefined,
  { compress, transport }: PackedAs,
  warn: (message: string) => void,
): Promise<RigFile> {
  const packed = compress === 'none' ? undefined : compress;
  const coding = { compress: packed, ...transportOf(transport) };
  // A rig that is as it was has no error of its own.
  const own = smaller.changed
    ? (await encodeRig(source, smaller, { compress: undefined, maxError: undefined }, warn)).error.rmsePercent / 100
    : 0;
  if (limit === undefined) {
    const maxError = packed && Math.max(UNSEEN_ERROR, FREE_SHARE * own);
    return { smaller, file: await encodeRig(source, smaller, { ...coding, maxError }, warn) };
  }
  const left = Math.max(Math.sqrt(Math.max(limit * limit - own * own, 0)), LEAST_SHARE * limit);
  let file = await encodeRig(source, smaller, { ...coding, maxError: left }, warn);
  // The errors of rig and file are not quite independent, and the sampled frames not all of them.
  const over = file.error.rmsePercent / 100 / limit;
  if (over > 1 && own < limit) {
    const maxError = Math.max(left / over / over, LEAST_SHARE * left);
    file = await encodeRig(source, smaller, { ...coding, maxError }, warn);
  }
  return { smaller, file };
}
