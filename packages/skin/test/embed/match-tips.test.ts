import { expect, it } from 'vitest';
import { type MeasuredTips, matchTips } from '../../src/embed/match-tips.ts';

type Point = readonly [number, number, number];
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function measured(places: readonly Point[], prominences = places.map(() => 1)): MeasuredTips {
  return {
    places,
    apart: places.map((a) => places.map((b) => Math.hypot(...a.map((value, k) => value - b[k])))),
    profiles: places.map(() => [0]),
    prominences,
  };
}

const PLACES: readonly Point[] = [
  [0, 2, 0],
  [1, 0, 0],
  [-1, 0, 0],
];
const ROLES = [
  { missing: 6, twin: 0 },
  { missing: 6, twin: 2 },
  { missing: 6, twin: 1 },
];

it('finds itself', () => {
  expect(matchTips(measured(PLACES), measured(PLACES), ROLES, IDENTITY)).toEqual({ extremity: [0, 1, 2], cost: 0 });
});

it('finds itself in another order, turned half about the upright', () => {
  const body = measured([PLACES[2], PLACES[0], PLACES[1]]);
  expect(matchTips(measured(PLACES), body, ROLES, IDENTITY).extremity).toEqual([1, 2, 0]);
  const half = [-1, 0, 0, 0, 1, 0, 0, 0, -1];
  expect(matchTips(measured(PLACES), body, ROLES, half).extremity).toEqual([1, 0, 2]);
});

it('leaves out what a body has not, and bumps', () => {
  const body = measured([...PLACES, [0.9, 0.1, 0]], [1, 1, 1, 0.05]);
  expect(matchTips(measured(PLACES), body, ROLES, IDENTITY).extremity).toEqual([0, 1, 2]);
  const tailed = measured([...PLACES, [0, -1, -2]]);
  const roles = [...ROLES, { missing: 1, twin: 3 }];
  expect(matchTips(tailed, measured(PLACES), roles, IDENTITY).extremity).toEqual([0, 1, 2, -1]);
});
