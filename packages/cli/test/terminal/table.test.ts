import { expect, it } from 'vitest';
import { alignRows } from '../../src/terminal/table.ts';

it('puts the values of a table in one column', () => {
  expect(
    alignRows([
      ['a', '1'],
      ['long', '2'],
    ]),
  ).toEqual(['  a     1', '  long  2']);
  expect(alignRows([])).toEqual([]);
});
