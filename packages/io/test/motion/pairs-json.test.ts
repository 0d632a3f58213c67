import { InputError, type PairsDocument, UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readPairs, writePairs } from '../../src/motion/pairs-json.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const DOCUMENT: PairsDocument = {
  name: 'dog',
  neutral: 'stand',
  motions: { me: 'me.bvh' },
  pairs: [
    { name: 'stand', performer: { time: 0 }, character: { bones: {} } },
    { name: 'run', performer: { motion: 'me', time: 1.5 }, character: { clip: 'Run', time: 0.25, keepTravel: true } },
    {
      name: 'tail',
      performer: { joints: { leftWrist: [1, 2, 3] } },
      character: {
        bones: {
          tail: { degrees: [0, 90, 0], translation: [0, 0.5, 0], scale: [1, 2, 1] },
          ear: { quaternion: [0, 0, 0, 1] },
        },
      },
    },
    {
      name: 'full',
      performer: { time: 2 },
      character: { transforms: { tail: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.25] } },
    },
    { name: 'sculpt', performer: { time: 3 }, character: { example: 'jump' } },
    { name: 'half', performer: { time: 3 }, character: { blend: { jump: 0.5, bow: 0.25 } } },
    { name: 'dragged', performer: { time: 3 }, character: { handles: { 12: [0, 1, 2] } } },
  ],
};

/** The document as JSON has it, with the place at a path replaced. */
function broken(path: readonly (string | number)[], value: unknown): Uint8Array {
  const copy = JSON.parse(new TextDecoder().decode(writePairs(DOCUMENT)));
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key];
  at[path[path.length - 1]] = value;
  return bytesOf(copy);
}

describe('readPairs and writePairs', () => {
  it('give a document back', () => {
    expect(readPairs(writePairs(DOCUMENT))).toEqual(DOCUMENT);
  });

  it('write lists of numbers on one line', () => {
    const text = new TextDecoder().decode(writePairs(DOCUMENT));
    expect(text).toContain('"leftWrist": [1, 2, 3]');
    expect(text.startsWith('{\n  "format": "pelt-pairs",\n  "version": 1,\n')).toBe(true);
  });

  it('take the first pair for the neutral one where none is named', () => {
    const { neutral, motions, name } = readPairs(
      bytesOf({
        format: 'pelt-pairs',
        version: 1,
        pairs: [{ name: 'a', performer: { time: 0 }, character: { bones: {} } }],
      }),
    );
    expect([neutral, motions, name]).toEqual(['a', {}, '']);
  });

  it('refuse what is not as it should be, with the place', () => {
    // path, value, message
    const cases: [(string | number)[], unknown, string][] = [
      [['format'], 'other', '"format" is "other", expected "pelt-pairs"'],
      [['pairs'], [], '"pairs" is no list of pairs'],
      [['pairs'], 'none', '"pairs" is no list of pairs'],
      [['pairs', 0], 7, 'pairs[0] is 7, expected an object'],
      [['pairs', 1, 'name'], '', 'pairs[1].name is "", expected a name'],
      [['pairs', 1, 'performer', 'time'], 'now', 'pairs[1].performer.time is "now", expected a number'],
      [['pairs', 1, 'performer', 'speed'], 2, 'unknown key "speed"; it takes motion, time'],
      [
        ['pairs', 2, 'performer', 'joints', 'leftWrist'],
        [1, 2],
        'joints.leftWrist is [1,2], expected a list of 3 numbers',
      ],
      [['pairs', 1, 'character', 'clip'], 3, 'character.clip is 3, expected a name'],
      [['pairs', 1, 'character', 'keepTravel'], 1, 'expected true or false'],
      [['pairs', 2, 'character', 'bones', 'tail', 'quaternion'], [0, 0, 0, 1], 'say the same; leave one out'],
      [['pairs', 2, 'character', 'bones', 'ear', 'quaternion'], [0, 0, 0, 0], 'expected a rotation'],
      [['pairs', 2, 'character', 'bones', 'tail', 'scale'], [1, null, 1], 'expected a list of 3 numbers'],
      [['pairs', 3, 'character', 'transforms', 'tail'], [1], 'expected a list of 12 numbers'],
      [['pairs', 4, 'character', 'example'], 3, 'character.example is 3, expected a name'],
      [['pairs', 4, 'character', 'blend'], {}, 'unknown key "blend"; it takes example'],
      [['pairs', 5, 'character', 'blend', 'jump'], 'x', 'blend.jump is "x", expected a number'],
      [['pairs', 6, 'character', 'handles'], {}, 'expected a place for at least one vertex'],
      [['pairs', 6, 'character', 'handles', 'nose'], [0, 0, 0], "'nose' is not the number of a vertex"],
      [['pairs', 6, 'character', 'handles', '12'], [0, 0], 'expected a list of 3 numbers'],
      [['motions'], { me: 4 }, 'motions.me is 4, expected a name'],
      [['sparkle'], true, 'unknown key "sparkle"'],
    ];
    for (const [path, value, message] of cases) {
      expect(() => readPairs(broken(path, value)), message).toThrow(InputError);
      expect(() => readPairs(broken(path, value))).toThrow(message);
    }
    expect(() => readPairs(broken(['version'], 2))).toThrow(UnsupportedError);
    expect(() => readPairs(new TextEncoder().encode('{'), { name: 'p.json' })).toThrow(
      "pairs 'p.json': not valid JSON",
    );
  });
});
