import { describe, expect, it } from 'vitest';
import { FIT } from '../../src/fit/table.ts';
import { POSE } from '../../src/pose/table.ts';
import { PUPPET } from '../../src/puppet/table.ts';
import { REDUCE } from '../../src/reduce/table.ts';
import {
  choice,
  frames,
  type Kind,
  names,
  nonNegative,
  outputFile,
  positive,
  text,
  whole,
} from '../../src/request/kinds.ts';
import { PARTS } from '../../src/request/schema-parts.ts';
import { SKELETON } from '../../src/skeleton/table.ts';
import { VOLUME } from '../../src/volume/table.ts';

interface Case {
  readonly kind: Kind<never>;
  /** Word on a command line → value. */
  readonly reads: Readonly<Record<string, unknown>>;
  readonly refuses: readonly string[];
}

function words<T>(kind: Kind<T>, reads: Case['reads'], refuses: readonly string[]): Case {
  return { kind: kind as unknown as Kind<never>, reads, refuses };
}

const soft = { vertex: 1, target: [0, 0, 0], softness: 2 };
const CASES: Readonly<Record<string, Case>> = {
  whole: words(whole(1, 16), { 1: 1, 16: 16 }, ['0', '17', '1.5', 'x', '', 'Infinity', '0x10']),
  positive: words(positive, { '0.5': 0.5, '1e-3': 1e-3, '.5': 0.5 }, ['0', '-1', 'NaN', '1,5']),
  nonNegative: words(nonNegative, { 0: 0, 2: 2 }, ['-0.1', '']),
  choice: words(choice(['a', 'b']), { a: 'a' }, ['c', 'A', '']),
  text: words(text, { 'a b': 'a b' }, ['']),
  outputFile: words(outputFile('glb', 'bvh'), { 'a.glb': 'a.glb', 'A.BVH': 'A.BVH' }, ['a.glb.obj', 'glb', '']),
  frames: words(frames, { '1,12': [1, 12], 3: [3], all: 'all' }, ['0', '1,x', '1.5', '']),
  names: words(names, { 'a, b ': ['a', 'b'] }, []),
  '--bones': words(FIT.options.bones.kind, { auto: 'auto', 7: 7 }, ['none', '0']),
  'fit --max-error': words(FIT.options.maxError.kind, { 6: 6, '2mm': '2mm', '2 cm': '2 cm', '1e-3m': '1e-3m' }, [
    '5%',
    '0mm',
    '-1',
    '5 apples',
    '2MM',
    '',
  ]),
  'reduce --max-error': words(REDUCE.options.maxError.kind, { '5%': '5%', '.5 %': '.5 %', 6: 6 }, ['%', '0%', '']),
  '--root': words(SKELETON.options.root.kind, { 17: 17, '0,1.2,0': [0, 1.2, 0] }, ['1,2', '-1', '1.5', 'a,b,c']),
  '--handle': words(
    POSE.options.handle.kind,
    { '120=0.5,1,-0.25': { vertex: 120, target: [0.5, 1, -0.25] }, '1=0,0,0~2': soft },
    ['5', 'x=1,2,3', '5=1,2', '5=1,2,x', '1=0,0,0~-1', '1=0,0,0~'],
  ),
  '--soft': words(POSE.options.soft.kind, { '1=0,0,0~2': soft }, ['1=0,0,0']),
  '--clip': words(
    FIT.options.clip.kind,
    { Walk: 'Walk', 'walk=a.pc2,b.obj': { name: 'walk', files: ['a.pc2', 'b.obj'] } },
    ['=a.pc2', 'walk='],
  ),
  '--contacts': words(PUPPET.options.contacts.kind, { auto: 'auto', none: 'none', 'L, R': ['L', 'R'] }, []),
};

describe('kinds', () => {
  it.each(Object.entries(CASES))('%s reads words of a command line', (_, { kind, reads, refuses }) => {
    const accepted = (word: string) => {
      const value = kind.read ? kind.read(word) : word;
      const { success } = kind.schema(PARTS).safeParse(kind.many === 'flags' ? [value] : value);
      return { value, success };
    };
    for (const [word, value] of Object.entries(reads)) expect(accepted(word), word).toEqual({ value, success: true });
    for (const word of refuses) expect(accepted(word).success, `'${word}'`).toBe(false);
  });

  it('tell which files they name', () => {
    expect(FIT.options.clip.kind.reads?.(['Walk', { name: 'a', files: ['b', 'c'] }])).toEqual(['b', 'c']);
    expect(FIT.options.clip.kind.reads?.('Walk')).toEqual([]);
    expect(VOLUME.options.constraints.kind.reads?.('auto')).toEqual([]);
    expect(VOLUME.options.constraints.kind.reads?.('list.txt')).toEqual(['list.txt']);
    expect(VOLUME.options.examples.kind.reads?.(['a', 'b'])).toEqual(['a', 'b']);
    expect(POSE.options.save.kind.writes?.('a.glb')).toEqual(['a.glb']);
  });
});
