import { expect, it } from 'vitest';
import { describeFile } from '../../src/summaries/describe-file.ts';

const info = {
  file: 'a.glb',
  format: 'glb',
  bytes: 1000,
  frames: 1,
  bounds: { min: [0, 0, 0], max: [1, 1, 1] },
  warnings: [],
} as const;

const rowOf = (name: string, lines: readonly string[]) => lines.find((line) => line.trim().startsWith(name))?.trim();

it('says names that follow each other once', () => {
  const parts = ['Foot', 'Torso', 'Torso', 'Torso', '', '', 'Torso'];
  expect(rowOf('parts', describeFile({ ...info, parts }))).toMatch(
    /^parts +7: Foot, Torso \(3\), \(no name\) \(2\), Torso$/,
  );
});

it('counts names that it leaves out', () => {
  const materials = Array.from({ length: 12 }, (_, k) => `m${Math.min(k, 10)}`);
  expect(rowOf('materials', describeFile({ ...info, materials }))).toMatch(/^materials +12: m0, .*m7 and 4 more$/);
});
