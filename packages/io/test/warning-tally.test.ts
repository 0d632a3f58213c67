import { expect, it } from 'vitest';
import { WarningTally } from '../src/warning-tally.ts';

it('tells equal warnings once, with their number, in the order of the first', () => {
  const told: string[] = [];
  const tally = new WarningTally("OBJ 'a.obj'", (message) => told.push(message));
  for (const message of ['one', 'two', 'one']) tally.add(message);
  expect(told).toEqual([]);
  tally.flush();
  expect(told).toEqual(["OBJ 'a.obj': one (2 times)", "OBJ 'a.obj': two"]);
  tally.flush();
  expect(told).toHaveLength(2);
});

it('stops at a limit of different ones and says how many are left out', () => {
  const told: string[] = [];
  const tally = new WarningTally('PLY', (message) => told.push(message));
  for (let k = 0; k < 1000; k++) tally.add(`warning ${k}`);
  tally.flush();
  expect(told).toHaveLength(WarningTally.MAX_MESSAGES + 1);
  expect(told.at(-1)).toBe('PLY: 980 further warnings are left out');
});

it('needs nobody to listen', () => {
  const tally = new WarningTally('PLY', undefined);
  tally.add('nothing');
  expect(() => tally.flush()).not.toThrow();
});
