/**
 * What people see: shaded pictures of every model against the same mesh posed by the CPU, and both eyes of a headset
 * against each eye alone. The pictures are made anew in every run; PELT_PICTURES names a folder to keep them in, to be
 * looked at.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FixtureName, Fixtures } from './fixtures.ts';
import type { Seen } from './lab/eyes.ts';
import type { Looks, LooksRequest } from './lab/looks.ts';
import type { TestPage } from './page.ts';

export interface Opened {
  readonly page: TestPage;
  readonly fixtures: Fixtures;
}

const EXACT = { normals: 'exact', enhance: { normals: 'exact' } } as const;
const BLENDED = { normals: 'blended', enhance: { normals: 'blended' } } as const;

const LOOKS: readonly ({ readonly name: FixtureName } & Pick<
  LooksRequest,
  'renderer' | 'normals' | 'enhance' | 'eight'
>)[] = [
  { name: 'plain', renderer: 'webgpu', ...EXACT },
  { name: 'plain', renderer: 'webgl2', normals: 'exact', enhance: { normals: 'exact', skinning: 'dual-quaternion' } },
  { name: 'eight', renderer: 'webgl2', ...EXACT },
  { name: 'eight', renderer: 'classic', normals: 'blended', eight: true },
  { name: 'envelope', renderer: 'webgpu', ...EXACT },
  { name: 'envelope', renderer: 'webgl2', ...EXACT },
  { name: 'envelope-plain', renderer: 'classic', normals: 'blended' },
  { name: 'two-layer', renderer: 'webgpu', ...BLENDED },
  { name: 'two-layer', renderer: 'classic', normals: 'blended' },
  { name: 'eigenskin', renderer: 'webgpu', ...EXACT },
  { name: 'poser', renderer: 'webgl2', ...EXACT },
];

export function pictureSuite(opened: () => Opened): void {
  describe('pictures', () => {
    it.each(LOOKS)('shows $name on $renderer as the mesh that the CPU poses, $enhance', async ({ name, ...rest }) => {
      const { page, fixtures } = opened();
      const { times } = fixtures.files.get(name) ?? { times: [0] };
      const time = times[Math.floor(times.length / 2)];
      const posed = name === 'poser' ? fixtures.posed : undefined;
      const seen: Looks = await page.call('looks', { file: `/${name}.glb`, time, ...rest, ...(posed && { posed }) });
      keep(`${name}-${rest.renderer}-${rest.enhance?.skinning ?? rest.normals}`, seen.png);
      expect(seen.covered).toBeGreaterThan(800);
      expect(seen.contrast).toBeGreaterThan(0.2);
      // Pixels on the silhouette may fall to either side.
      expect(seen.differing).toBeLessThanOrEqual(0.004 * seen.covered);
      expect(page.errors).toEqual([]);
    });

    it.each([
      { name: 'envelope', renderer: 'webgpu', away: false, enhance: { normals: 'exact' } },
      { name: 'envelope', renderer: 'webgl2', away: true, enhance: { normals: 'exact' } },
      { name: 'eight', renderer: 'webgl2', away: false, enhance: { normals: 'blended' } },
      { name: 'eight', renderer: 'webgpu', away: true, enhance: { normals: 'blended' } },
      { name: 'two-layer', renderer: 'classic', away: false },
      { name: 'eight', renderer: 'classic', away: true, eight: true },
    ] as const)('shows $name on $renderer to two eyes at once, one looking away: $away', async ({ name, ...rest }) => {
      const { page, fixtures } = opened();
      const { times } = fixtures.files.get(name) ?? { times: [0] };
      const seen: Seen = await page.call('eyes', { file: `/${name}.glb`, time: times[2], ...rest });
      expect(seen.poses).toBe(1);
      // Once before passes, once by the renderer: never per eye.
      expect(seen.updates).toBeLessThanOrEqual(2);
      expect(seen.covered[1]).toBeGreaterThan(100);
      if (rest.away) expect(seen.covered[0]).toBe(0);
      else expect(seen.covered[0]).toBeGreaterThan(100);
      for (const [k, differing] of seen.differing.entries()) {
        expect(differing).toBeLessThanOrEqual(0.01 * seen.covered[k]);
      }
      expect(page.errors).toEqual([]);
    });
  });
}

function keep(name: string, png: string): void {
  const folder = process.env.PELT_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), Buffer.from(png.slice(png.indexOf(',') + 1), 'base64'));
}
