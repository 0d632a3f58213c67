import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasUnreleased, notesOf, released } from '../changelog.mjs';
import { ROOT } from '../public-packages.mjs';

const text = `# Changes

## Unreleased

### Added

- new

### Fixed

- a bug
  of two lines

## 0.1.0 – 2026-01-01

### Added

- old

## 0.0.1 – 2025-01-01

### Added

- first
`;

describe('the changelog', () => {
  it('gives unreleased changes the heading of a new version', () => {
    const next = released(text, '0.2.0', '2026-02-02');
    expect(notesOf(next, '0.2.0')).toBe('### Added\n\n- new\n\n### Fixed\n\n- a bug\n  of two lines\n');
    expect(notesOf(next, '0.1.0')).toBe('### Added\n\n- old\n');
    expect(hasUnreleased(next)).toBe(false);
  });

  it('joins them with a version that was written down before, list by list', () => {
    const same = released(text, '0.1.0', '2026-02-02');
    expect(notesOf(same, '0.1.0')).toBe('### Added\n\n- old\n- new\n\n### Fixed\n\n- a bug\n  of two lines\n');
    expect(same).toContain('## 0.1.0 – 2026-02-02\n');
    expect(notesOf(same, '0.0.1')).toBe('### Added\n\n- first\n');
    expect(hasUnreleased(same)).toBe(false);
  });

  it('refuses where nothing is new, or a version has no section', () => {
    expect(() => released(released(text, '0.1.0', '2026-02-02'), '0.1.0', '2026-02-03')).toThrow(
      'nothing is unreleased',
    );
    expect(() => notesOf(text, '9.9.9')).toThrow('npm run bump -- 9.9.9');
    expect(() => released('# Changes\n', '1.0.0', '2026-02-02')).toThrow('no section called Unreleased');
  });

  it('of this repository loses no entry by that', () => {
    const own = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const entries = (whole: string) => whole.match(/^- .*$/gm)?.sort();
    if (hasUnreleased(own)) expect(entries(released(own, version, '2026-11-18'))).toEqual(entries(own));
    else expect(notesOf(own, version)).toMatch(/^- /m);
  });
});
