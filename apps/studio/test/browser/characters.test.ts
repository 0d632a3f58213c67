/** Modes × characters: whatever skin a file has, hands, bodies and performances play that skin. */
import { readCharacter, readGltf } from '@pelt/io';
import { type Character, IDENTITY_TRANSFORM, TRANSFORM_SIZE } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matrixFiles } from '../../../../packages/jobs/test/matrix/characters.ts';
import type { Workspace } from '../../../../packages/jobs/test/workspace.ts';
import { downloaded, drop, startStudio, type TestStudio } from './studio-page.ts';

/** Skins that linear blending does not show, as commands write them and as the studio itself makes them. */
const OWN_SKINS = ['envelope.glb', 'psd.glb', 'layers.glb', 'dual.glb'];
/** Of the size of the character: what an OBJ rounds, and what single precision leaves. */
const EXACT = 2e-4;
const DEGREES = 35;

let studio: TestStudio;
let space: Workspace;

beforeAll(async () => {
  [studio, space] = await Promise.all([startStudio(), matrixFiles()]);
}, 240_000);
afterAll(() => studio?.close());

const mode = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

/** Transforms of all joints where one is turned about its own x axis. */
function turned({ joints }: Character, joint: number): Float64Array {
  const [c, s] = [Math.cos((DEGREES * Math.PI) / 180), Math.sin((DEGREES * Math.PI) / 180)];
  const turn = product(product(joints[joint].rest, [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0]), inverse(joints[joint].rest));
  const out = new Float64Array(TRANSFORM_SIZE * joints.length);
  joints.forEach((_, j) => {
    let above = j;
    while (above > joint) above = joints[above].parent;
    out.set(above === joint ? turn : IDENTITY_TRANSFORM, TRANSFORM_SIZE * j);
  });
  return out;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return Array.from({ length: 12 }, (_, k) => {
    const [r, c] = [4 * Math.floor(k / 4), k % 4];
    return a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c] + (c === 3 ? a[r + 3] : 0);
  });
}

/** Of a rotation and a translation. */
function inverse(m: ArrayLike<number>): number[] {
  const [x, y, z] = [m[3], m[7], m[11]];
  return [0, 1, 2].flatMap((c) => [m[c], m[4 + c], m[8 + c], -(m[c] * x + m[4 + c] * y + m[8 + c] * z)]);
}

function positionsOf(obj: Buffer): number[] {
  return obj
    .toString()
    .split('\n')
    .flatMap((line) => (line.startsWith('v ') ? line.split(/\s+/).slice(1, 4).map(Number) : []));
}

describe.each(OWN_SKINS)('%s', (name) => {
  it('is pulled, turned and performed with its own skin', async () => {
    const character = readCharacter(await readGltf(space.read(name)));
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await drop(page, { [name]: space.read(name) });
    await expect
      .poll(() => page.locator('.top .file').textContent(), { timeout: 60_000 })
      .toContain(name.split('.')[0]);

    // Posing prepares itself, for the run that is shown.
    await mode(page, 'Pose');
    await page.getByText('Press on the skin').waitFor();

    await mode(page, 'Volume');
    await page.getByRole('button', { name: 'Fill the body' }).click();
    // The rig plays its clip; here it is turned from rest.
    const below = page.getByLabel('Keys lie over');
    await expect.poll(() => below.inputValue(), { timeout: 30_000 }).toMatch(/^own /);
    await below.selectOption('');
    await page.getByLabel('Joint', { exact: true }).selectOption('1');
    await page.getByLabel('Deformed by').getByText('own skin').click();
    await page.getByLabel('About X, °, as a number').fill(String(DEGREES));
    await page.getByLabel('About X, °, as a number').press('Enter');
    const { bytes: obj } = await downloaded(page, () => page.getByRole('button', { name: 'Save OBJ' }).click());
    const wanted = playerOf(character).positions(
      turned(character, 1),
      undefined,
      new Float32Array(character.mesh.positions.length),
    );
    const shown = positionsOf(obj);
    expect(shown).toHaveLength(wanted.length);
    const farthest = wanted.reduce((most, value, k) => Math.max(most, Math.abs(value - shown[k])), 0);
    expect(farthest / 12).toBeLessThan(EXACT);

    await drop(page, { 'me.bvh': space.read('me.bvh'), 'pairs.json': pairsFor(character) });
    await page.getByRole('button', { name: 'Perform', exact: true }).click();
    const made = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
    const performed = readCharacter(await readGltf(Uint8Array.from(made.bytes)));
    expect(performed.skin.kind).toBe(character.skin.kind);
    expect(errors).toEqual([]);
    await page.context().close();
  }, 120_000);
});

/** Linear skins with all that files have beside them. */
const DECORATED = ['morphs.glb', 'mixamo.glb', 'vrm1.glb'];

it.each(DECORATED)(
  '%s is pulled and performed, and keeps what it has',
  async (name) => {
    const given = await readGltf(space.read(name));
    const character = readCharacter(given);
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await drop(page, { [name]: space.read(name) });
    await expect
      .poll(() => page.locator('.top .file').textContent(), { timeout: 60_000 })
      .toContain(name.split('.')[0]);
    await mode(page, 'Pose');
    await page.getByText('Press on the skin').waitFor();
    await drop(page, { 'me.bvh': space.read('me.bvh'), 'pairs.json': pairsFor(character) });
    await page.getByRole('button', { name: 'Perform', exact: true }).click();
    const made = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
    const bytes = Uint8Array.from(made.bytes);
    const performed = readCharacter(await readGltf(bytes));
    expect(performed.skin.kind).toBe(character.skin.kind);
    expect(performed.mesh.positions).toHaveLength(character.mesh.positions.length);
    expect(performed.morphs.map((morph) => morph.name)).toEqual(character.morphs.map((morph) => morph.name));
    expect(performed.mesh.objects?.length).toBe(character.mesh.objects?.length);
    expect(performed.humanBones).toEqual(character.humanBones);
    expect(performed.clips.map((clip) => clip.name)).toEqual([
      'performance',
      ...character.clips.map((clip) => clip.name),
    ]);
    for (const extension of extensionsOf(space.read(name))) expect(extensionsOf(bytes)).toContain(extension);
    expect(errors).toEqual([]);
    await page.context().close();
  },
  120_000,
);

it('a pose that was dragged becomes a pair of a motion, and an example', async () => {
  const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
  await drop(page, { 'plain.glb': space.read('plain.glb') });
  await mode(page, 'Pose');
  await page.getByText('Press on the skin').waitFor();
  await dragSkin(page);
  await page.getByRole('button', { name: 'Save pose' }).click();
  // It opens again for so short a time that only the page itself is sure to see it.
  const reopened = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const isOpening = () => document.body.textContent?.includes('Opening the character');
        new MutationObserver(() => isOpening() && resolve()).observe(document.body, { childList: true, subtree: true });
      }),
  );
  await page.getByRole('button', { name: 'Add the pose as an example' }).click();
  await reopened;
  await page.getByText('Press on the skin').waitFor();
  await drop(page, { 'me.bvh': space.read('me.bvh') });
  await page.getByRole('button', { name: 'Add as a pair' }).click();
  await page.getByText('pairs.json', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Perform', exact: true }).click();
  const made = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
  const { clips } = readCharacter(await readGltf(Uint8Array.from(made.bytes)));
  expect(clips[0].name).toBe('performance');
  expect(errors).toEqual([]);
  await page.context().close();
}, 120_000);

it('bones without a hierarchy are pulled, with their EigenSkin; what needs joints offers to find them', async () => {
  const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
  await drop(page, { 'eigenskin.glb': space.read('eigenskin.glb') });
  await expect.poll(() => page.locator('.top .file').textContent(), { timeout: 60_000 }).toContain('eigenskin');
  await mode(page, 'Pose');
  await page.getByText('Press on the skin').waitFor();
  await mode(page, 'Volume');
  expect(await page.getByRole('button', { name: 'Fill the body' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Place joints' }).waitFor();
  await mode(page, 'Puppet');
  await page.getByRole('button', { name: 'Find the skeleton now' }).waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
}, 120_000);

/** Pulls what is in the middle of the picture. */
async function dragSkin(page: Page): Promise<void> {
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) throw new Error('there is no picture');
  const save = page.getByRole('button', { name: 'Save pose' });
  // Where the skin is depends on the character: down the middle until a press has taken hold of it.
  for (let k = 3; k < 8 && (await save.isDisabled()); k++) {
    const [x, y] = [box.x + box.width / 2, box.y + (k / 10) * box.height];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y - 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(200);
  }
}

/** Names of the extensions that a GLB uses. */
function extensionsOf(bytes: Uint8Array): string[] {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  const { extensionsUsed = [] } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  return extensionsUsed;
}

/** The pairs of the matrix, on a joint that this character has. */
function pairsFor({ joints }: Character): Uint8Array {
  const text = new TextDecoder().decode(space.read('pairs.json'));
  return new TextEncoder().encode(text.replace('BONE', joints[1].name));
}
