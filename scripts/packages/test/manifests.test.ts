/** What npm shows of each package and what it needs to resolve it. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicPackages, ROOT, readManifest, SOURCE_CONDITION } from '../public-packages.mjs';

const packages = publicPackages();
const root = readManifest(ROOT);

it('there are packages', () => {
  const names = packages.map(({ manifest }) => manifest.name);
  expect(names).toEqual(
    expect.arrayContaining(['pelt', '@pelt/io', '@pelt/kernels', '@pelt/math', '@pelt/model', '@pelt/skin']),
  );
  expect(names).not.toContain('@pelt/testkit');
});

describe.each(packages)('$manifest.name', ({ folder, manifest }) => {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');

  it('says what it is, who may use it and where it comes from', () => {
    expect(manifest).toMatchObject({
      version: root.version,
      description: expect.stringMatching(/\w{3}/),
      license: 'MIT',
      type: 'module',
      engines: root.engines,
      sideEffects: false,
      repository: { type: 'git', url: 'git+https://github.com/pelt-dev/pelt.git', directory: relative(ROOT, folder) },
      homepage: expect.stringMatching(/^https:\/\/.*#readme$/),
      bugs: { url: expect.stringMatching(/^https:\/\/.*\/issues$/) },
      // Where to is the user's npm's business; with whose hands it was built is said by the provenance.
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.keywords?.length).toBeGreaterThan(2);
    expect(text('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  it('has a README that shows how to install and how to use it', () => {
    const readme = text('README.md');
    expect(readme).toContain(`# ${manifest.name}\n`);
    expect(readme).toMatch(manifest.bin ? /^npx pelt /m : new RegExp(`^npm install .*${manifest.name}`, 'm'));
    expect(readme).toMatch(/docs\/guide\//);
    if (!manifest.bin) expect(readme).toMatch(/^```(js|ts)( page)?\n/m);
  });

  it('exports modules by their sources, types and code, in this order', () => {
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue;
      // Whoever reads the conditions takes the first that holds.
      expect(Object.keys(target), subpath).toEqual([SOURCE_CONDITION, 'types', 'default']);
      expect(existsSync(join(folder, target[SOURCE_CONDITION])), subpath).toBe(true);
      const module = target[SOURCE_CONDITION].replace('./src/', './dist/').replace(/\.ts$/, '');
      expect(target).toMatchObject({ types: `${module}.d.ts`, default: `${module}.js` });
    }
  });

  it('depends on its siblings at its own version', () => {
    const siblings = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(([name]) =>
      name.startsWith('@pelt/'),
    );
    expect(siblings.filter(([, version]) => version !== manifest.version)).toEqual([]);
  });
});
