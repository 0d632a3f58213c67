import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextScanner } from '../src/text-scanner.ts';
import { bytesOf } from './meshes.ts';

const numberOf = (text: string) => new TextScanner(bytesOf(text)).number();

describe('TextScanner.number', () => {
  it.each([
    ['0', 0],
    ['-0', -0],
    ['+7', 7],
    ['1.', 1],
    ['.5', 0.5],
    ['-1.5e3', -1500],
    ['1E-2', 0.01],
    ['0e999999999999', 0],
    ['1e400', Number.POSITIVE_INFINITY],
    ['-1e400', Number.NEGATIVE_INFINITY],
    ['1e-400', 0],
    ['123456789012345678901234567890', 123456789012345680000000000000],
    ['16777217.0000001', 16777218],
  ])('reads %s', (text, expected) => {
    expect(Math.fround(numberOf(text))).toBe(Math.fround(expected));
  });

  it.each(['', '-', '.', 'e5', '1e', '1e+', '1.5.2', '0x10', 'nan', 'inf', '-1.#IND', '1,5', '--1', '1f'])(
    'is NaN for %j',
    (text) => {
      expect(numberOf(text)).toBeNaN();
    },
  );

  it('rounds any decimal to the same float32 as the platform does', () => {
    const decimal = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.stringMatching(/^[0-9]{1,25}$/),
        fc.stringMatching(/^[0-9]{0,25}$/),
        fc.integer({ min: -50, max: 45 }),
      )
      .map(([sign, whole, fraction, power]) => `${sign}${whole}.${fraction}e${power}`);
    fc.assert(
      fc.property(decimal, (text) => {
        expect(Math.fround(numberOf(text))).toBe(Math.fround(Number(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('looks at digits behind the fifteenth where they decide', () => {
    // 1 + 2^-24 is half way between two float32; the neighbouring doubles are not.
    expect(Math.fround(numberOf('1.000000059604644775390625'))).toBe(1);
    expect(Math.fround(numberOf('1.00000005960464499743523'))).toBe(Math.fround(1.0000001));
    expect(Math.fround(numberOf('1.00000005960464455334602'))).toBe(1);
  });

  it('takes a word of a million digits', () => {
    expect(numberOf(`0.${'3'.repeat(1e6)}`)).toBeCloseTo(1 / 3, 7);
    expect(numberOf('9'.repeat(1e6))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('TextScanner', () => {
  it('walks over words and lines of all line ends', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const scanner = new TextScanner(bytesOf(['a  1 2', '', '# all comment', 'b 3 # rest', 'c'].join(end)));
      const seen: (string | number)[] = [];
      for (; !scanner.atEnd; scanner.nextLine()) {
        if (!scanner.moreOnLine()) continue;
        seen.push(scanner.word());
        while (scanner.moreOnLine()) seen.push(scanner.number());
      }
      expect(seen).toEqual(['a', 1, 2, 'b', 3, 'c']);
    }
  });

  it('joins lines at a backslash, but not in comments or within a word', () => {
    const scanner = new TextScanner(bytesOf('a 1 \\\n 2\\\r\n 3\n# path C:\\\nb x\\y \\\n z\nc'));
    scanner.word();
    const numbers = [];
    while (scanner.moreOnLine()) numbers.push(scanner.number());
    expect(numbers).toEqual([1, 2, 3]);
    scanner.nextLine();
    expect(scanner.moreOnLine()).toBe(false);
    scanner.nextLine();
    expect(scanner.word()).toBe('b');
    expect(scanner.restOfLine()).toBe('x\\y   z');
    scanner.nextLine();
    expect(scanner.word()).toBe('c');
  });

  it('counts lines when asked', () => {
    const scanner = new TextScanner(bytesOf('a\nb\r\nc\rd'));
    const lines = [0, 2, 5, 7].map((position) => scanner.lineNumber(position));
    expect(lines).toEqual([1, 2, 3, 4]);
  });

  it('walks over a million joined lines in linear time', () => {
    const scanner = new TextScanner(bytesOf(`x${' 1\\\n'.repeat(1e6)} 2\nend`));
    scanner.nextLine();
    expect(scanner.word()).toBe('end');
  });
});
