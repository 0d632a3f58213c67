import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readNumberTable, requireEvenRows } from '../../src/motion/number-table.ts';

const read = (text: string) => readNumberTable(new TextEncoder().encode(text), 'table');

describe('readNumberTable', () => {
  it('reads commas, semicolons, tabs and blanks, with a separator too many', () => {
    for (const text of ['1,2,3\n4,5,6', '1, 2, 3,\r\n4, 5, 6,', '1;2;3\r4;5;6', '  1\t2   3\n\n# note\n 4 5 6 \n']) {
      expect(read(text).rows.map((row) => [...row])).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ]);
    }
  });

  it('takes a first line of names for the header, and missing values for NaN', () => {
    const table = read('frame,x\n0,1e-3\n1,\n2,NaN\n');
    expect(table.header).toEqual(['frame', 'x']);
    expect(table.rows.map((row) => row.length)).toEqual([2, 1, 2]);
    expect(table.rows[0][1]).toBe(0.001);
    expect(table.rows[2][1]).toBeNaN();
    expect(() => requireEvenRows(table, 'table')).toThrow('row 2 has 1 numbers, the first has 2');
  });

  it('refuses words between numbers, and nothing at all', () => {
    expect(() => read('1,2\n3,four')).toThrow(InputError);
    expect(() => read('1,2\n3,four')).toThrow("table, line 2: 'four' is not a number");
    expect(() => read('a,b\nc,d')).toThrow('line 2');
    expect(() => read('')).toThrow('table: no rows of numbers');
    expect(() => read('x,y\n')).toThrow('no rows of numbers');
  });
});
