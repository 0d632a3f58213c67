import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { realData, realDataFolder } from '../src/real-data.ts';

afterEach(() => vi.unstubAllEnvs());

describe('realData', () => {
  it('looks in the folder of PELT_DATA, and says undefined for what is not there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pelt-data-'));
    writeFileSync(join(folder, 'a.obj'), '');
    vi.stubEnv('PELT_DATA', folder);
    expect(realData('a.obj')).toBe(join(folder, 'a.obj'));
    expect(realData('b.obj')).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  it('looks beside the checkout otherwise', () => {
    vi.stubEnv('PELT_DATA', undefined);
    expect(isAbsolute(realDataFolder())).toBe(true);
    expect(realDataFolder()).toBe(resolve(import.meta.dirname, '../../../../shared/data'));
  });
});
