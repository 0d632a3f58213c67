/** Checks the sizes of all blocks that kernels are called with, against their descriptions. */
import { Numerics } from '@pelt/math';
import { SIZES as METHOD_SIZES } from '../../../kernels/test/generated/sizes.ts';
import { SIZES } from '../generated/sizes.ts';

const sizes = { ...SIZES, ...METHOD_SIZES };

Numerics.prototype.checkCall = (kernel, items, fields) => {
  if (items <= 0) return;
  const given = fields as Readonly<Record<string, number | { readonly length: number } | undefined>>;
  const chunks = Math.ceil(items / Number(given.grain));
  const numbers = { chunks, ...given, items } as Readonly<Record<string, number>>;
  for (const [name, needed] of Object.entries(sizes[kernel]?.(numbers) ?? {})) {
    const block = given[name];
    if (typeof block === 'object' && block.length < needed) {
      throw new Error(`${kernel}: '${name}' has ${block.length} numbers, expected ${needed} at least`);
    }
  }
};
