import { describe, expect, it } from 'vitest';
import {
  exchangedPoses,
  freePairName,
  NO_PAIRS,
  renamedPair,
  spokenPose,
  withoutPair,
  withPair,
  withSuggested,
} from '../../src/store/registration.ts';

const pair = (name: string, time: number, bone: string) => ({
  name,
  performer: { time },
  character: { bones: { [bone]: {} } },
});
const two = withPair(withPair(NO_PAIRS, pair('neutral', 0, 'hip')), pair('wave', 1, 'arm'));

describe('a document of pairs', () => {
  it('begins with the neutral pair, and names what is added', () => {
    expect(freePairName(NO_PAIRS)).toBe('neutral');
    expect(freePairName(two)).toBe('pose 2');
    expect(withPair(NO_PAIRS, pair('first', 0, 'hip')).neutral).toBe('first');
    expect(two.pairs.map(({ name }) => name)).toEqual(['neutral', 'wave']);
  });

  it('has a pair once: posed again, it stays in its place', () => {
    const again = withPair(two, pair('neutral', 2, 'knee'));
    expect(again.pairs.map(({ name }) => name)).toEqual(['neutral', 'wave']);
    expect(again.pairs[0].performer).toEqual({ time: 2 });
  });

  it('stays neutral under another name, and finds another neutral pair where that goes', () => {
    expect(renamedPair(two, 'neutral', ' stand ').neutral).toBe('stand');
    expect(renamedPair(two, 'wave', 'neutral')).toBe(two);
    expect(renamedPair(two, 'wave', '')).toBe(two);
    expect(withoutPair(two, 'neutral')?.neutral).toBe('wave');
    const one = withoutPair(two, 'wave');
    expect(one && withoutPair(one, 'neutral')).toBeUndefined();
  });

  it('exchanges the poses of the character, and twice is as before', () => {
    const once = exchangedPoses(two, 'neutral', 'wave');
    expect(once.pairs.map(({ performer, character }) => [performer, character])).toEqual([
      [{ time: 0 }, { bones: { arm: {} } }],
      [{ time: 1 }, { bones: { hip: {} } }],
    ]);
    expect(exchangedPoses(once, 'wave', 'neutral')).toEqual(two);
    expect(exchangedPoses(two, 'wave', 'gone')).toBe(two);
  });

  it('takes suggestions in, but none beside a pair that is there', () => {
    const suggested = { ...NO_PAIRS, pairs: [pair('neutral', 0.05, 'x'), pair('pose 1', 3, 'x')] };
    const now = withSuggested(two, suggested, 0.1);
    expect(now.pairs.map(({ name }) => name)).toEqual(['neutral', 'wave', 'pose 2']);
    expect(withSuggested(now, suggested, 0.1)).toEqual(now);
  });
});

it('spokenPose tells where a pose comes from', () => {
  expect(spokenPose({ name: '', performer: { time: 0 }, character: { clip: 'walk', time: 0.5 } })).toBe('walk, 0.50 s');
  expect(spokenPose({ name: '', performer: { time: 0 }, character: { bones: {} } })).toBe('rest pose');
  expect(spokenPose({ name: '', performer: { time: 0 }, character: { transforms: {} } })).toBe('posed here');
});
