import { UsageError } from '@pelt/model';
import { expect, it } from 'vitest';
import { requireFewBones } from '../../src/input/bone-limit.ts';

it('refuses bones that are more numbers than the vertices, with the most that are not', () => {
  expect(() => requireFewBones(5000, () => 8431)).toThrow(UsageError);
  expect(() => requireFewBones(5000, () => 8431)).toThrow('use 3613 at most');
  for (const bones of [3613, 1, 'auto', undefined] as const) requireFewBones(bones, () => 8431);
  requireFewBones(1, () => 1);
});
