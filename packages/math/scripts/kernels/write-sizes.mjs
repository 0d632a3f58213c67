// @ts-check
/** For tests: how long the blocks of a call must be at least. */
import { describe } from './describe.mjs';

/**
 * @param {readonly import('./describe.mjs').Description[]} descriptions
 * @param {string} source
 * @returns {string}
 */
export function writeSizes(descriptions, source) {
  const kernels = descriptions.flatMap((each) => describe(each).kernels);
  const entries = kernels.flatMap(({ name, structure: { fields } }) => {
    const sizes = fields
      .filter(({ elements, size }) => elements && size)
      .map(({ name: field, size }) => `    ${field}: ${(size ?? '').replace(/[A-Za-z]\w*/g, 'f.$&')},`);
    const parameter = sizes.some((size) => /\bf\./.test(size)) ? 'f' : '';
    return sizes.length > 0 ? [`  ${name}: (${parameter}) => ({`, ...sizes, '  }),'] : [];
  });
  return [
    `// Made from ${source}; not edited, not committed.`,
    '/** From the numbers among the arguments, and the number of items. */',
    'type Sizes = (f: Readonly<Record<string, number>>) => Readonly<Record<string, number>>;',
    '',
    'export const SIZES: Readonly<Record<string, Sizes>> = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}
