/**
 * Which bytes belong to a block, for the build that checks every access: a shadow of the memory with one byte for every
 * eight, which has the number of them that may be touched. Blocks begin at multiples of eight; TypeScript keeps the shadow
 * (test/checked/allocator.ts). Static data, in the first page, is always there.
 *
 * Reference: Serebryany, Bruening, Potapenko, Vyukov. AddressSanitizer: a fast address sanity checker. 2012 (section 3.1).
 */

/** One page of static data, then the shadow; as in test/checked/allocator.ts. */
const SHADOW: usize = 65536;
const SHADOW_BYTES: usize = 32 << 20;

/** What was touched when a check failed, for whoever looks into it. */
export let failedAddress: usize = 0;
export let failedBytes: usize = 0;

export function checkAccess(address: usize, bytes: usize, offset: usize): usize {
  const begin = address + offset;
  const end = begin + bytes;
  if (bytes == 0) return address;
  if (end < begin) fail(begin, bytes);
  if (end <= SHADOW) return address;
  if (begin < SHADOW + SHADOW_BYTES || end > SHADOW_BYTES << 3) fail(begin, bytes);
  const first = begin >> 3;
  const last = (end - 1) >> 3;
  for (let k = first; k < last; k++) if (load<u8>(SHADOW + k) != 8) fail(begin, bytes);
  if (<usize>load<u8>(SHADOW + last) <= ((end - 1) & 7)) fail(begin, bytes);
  return address;
}

function fail(address: usize, bytes: usize): void {
  failedAddress = address;
  failedBytes = bytes;
  unreachable();
}
