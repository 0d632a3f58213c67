import { describe, expect, it } from 'vitest';
import { printable, printableJson } from '../../src/terminal/printable.ts';

describe('printable', () => {
  it('leaves text alone, accents, arrows and emoji too', () => {
    const text = "error: 'Größe → 3.7 MB' 🐎 e\u0301";
    expect(printable(text)).toBe(text);
  });

  it('shows what could move the cursor or hide text', () => {
    expect(printable('a\nb')).toBe('a\\nb');
    expect(printable('\u001b[2Jgone\u0007')).toBe('\\u{1b}[2Jgone\\u{7}');
    expect(printable('\u009b31m\u007f')).toBe('\\u{9b}31m\\u{7f}');
    expect(printable('evil\u202egnp.exe\u2066')).toBe('evil\\u{202e}gnp.exe\\u{2066}');
    expect(printable('a\tb\r')).toBe('a b\\u{d}');
  });
});

describe('printableJson', () => {
  it('parses to the same value and has nothing raw in it', () => {
    const value = { name: 'a\u001b[2J\u009b\u007f\u202e\n', list: [1, null, 'ü'] };
    for (const indent of [undefined, 2]) {
      const text = printableJson(value, indent);
      expect(JSON.parse(text)).toEqual(value);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(printableJson(value)).not.toContain('\n');
  });
});
