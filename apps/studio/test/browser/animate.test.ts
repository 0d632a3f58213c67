/** What is animated by hand: poses, joints of a solid body and pairs of a puppet, on one timeline. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { downloaded, drop, startStudio, type TestStudio } from './studio-page.ts';

let studio: TestStudio;

beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio?.close());

const eventually = <T>(value: () => T) => expect.poll(value, { timeout: 60_000 });
const mode = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

async function example(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.locator('.gallery button', { hasText: title }).click();
}

async function goTo(page: Page, frame: number): Promise<void> {
  await page.getByLabel('Frame', { exact: true }).fill(String(frame));
  await page.getByLabel('Frame', { exact: true }).press('Enter');
}

async function setNumber(page: Page, label: string, value: number): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(String(value));
  await page.getByLabel(label, { exact: true }).press('Enter');
}

/** Frames of the keys of a track, as they are read out. */
const keysOf = (page: Page, track: string) =>
  page
    .getByLabel(`Keys: ${track}`)
    .getByRole('button')
    .evaluateAll((keys) => keys.map((key) => Number(/\d+$/.exec(key.getAttribute('aria-label') ?? '')?.[0])));

/** A bar of squares along y, bent by an angle at its middle. */
function bar(bend: number): string {
  const rows = 9;
  const vertices = Array.from({ length: rows }, (_, r) => {
    const y = r / 2 - 2;
    const [c, s] = y > 0 ? [Math.cos(bend), Math.sin(bend)] : [1, 0];
    return [
      [-0.4, -0.4],
      [0.4, -0.4],
      [0.4, 0.4],
      [-0.4, 0.4],
    ].map(([x, z]) => `v ${x} ${y * c - z * s} ${y * s + z * c}`);
  });
  const faces = Array.from({ length: 4 * (rows - 1) }, (_, k) => {
    const [r, q] = [Math.floor(k / 4), k % 4];
    const at = (row: number, corner: number) => 4 * row + (corner % 4) + 1;
    return `f ${at(r, q)} ${at(r, q + 1)} ${at(r + 1, q + 1)} ${at(r + 1, q)}`;
  });
  return [...vertices.flat(), 'f 4 3 2 1', `f ${[1, 2, 3, 4].map((q) => 4 * (rows - 1) + q).join(' ')}`, ...faces].join(
    '\n',
  );
}

it('poses: keys move, copy, ease and scale together, clips have names and lengths, and examples are blended', async () => {
  const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
  const shapes = Object.fromEntries(
    [0, 0.4, 0.8, 1.2].map((bend, k) => [`bend-${k}.obj`, new TextEncoder().encode(bar(bend))]),
  );
  await drop(page, shapes);
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await mode(page, 'Pose');
  await page.getByText('Press on the skin').waitFor();

  // Learnt from the shapes: each has a slider, and what they make is a pose that can be keyed.
  await page.locator('summary', { hasText: 'Examples' }).click();
  const last = page.getByLabel('bend-3', { exact: true });
  await last.fill('1');
  const keyButton = page.getByRole('button', { name: '◆ Key' });
  await eventually(() => page.getByRole('button', { name: 'Save pose' }).isEnabled()).toBe(true);
  await keyButton.click();
  await goTo(page, 21);
  await page.getByRole('button', { name: 'bend-1', exact: true }).click();
  await eventually(() => page.getByLabel('bend-1', { exact: true }).inputValue()).toBe('1');
  await keyButton.click();
  await eventually(() => keysOf(page, 'pose')).toEqual([1, 21]);

  // Both keys: moved by the arrow, scaled by the handle, copied behind themselves.
  const keys = page.getByLabel('Keys: pose').getByRole('button');
  await keys.first().click();
  await keys.last().click({ modifiers: ['Shift'] });
  await keys.last().press('ArrowRight');
  expect(await keysOf(page, 'pose')).toEqual([2, 22]);
  await page.getByLabel('Ease after the chosen keys').selectOption('linear');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await goTo(page, 51);
  await page.getByRole('button', { name: 'Paste' }).click();
  expect(await keysOf(page, 'pose')).toEqual([2, 22, 51, 71]);
  const handle = await page.getByLabel('Scale the chosen keys').boundingBox();
  const place = await page.locator('.track-place').boundingBox();
  if (!handle || !place) throw new Error('there is no handle');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(place.x + (60 / 89) * place.width, handle.y + 2, { steps: 5 });
  await page.mouse.up();
  expect(await keysOf(page, 'pose')).toEqual([2, 22, 51, 61]);
  await undo(page).click();
  expect(await keysOf(page, 'pose')).toEqual([2, 22, 51, 71]);
  await setNumber(page, 'Frames of the clip', 80);
  await page.getByRole('button', { name: /onion skin/ }).click();

  const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: 'Export clip' }).click());
  expect(name).toBe('bend-0-posed.glb');
  expect(bytes.subarray(0, 4).toString()).toBe('glTF');

  // Another clip has keys of its own, and undo takes it away.
  await page.getByRole('button', { name: 'New', exact: true }).click();
  expect(await keysOf(page, 'pose')).toEqual([]);
  await undo(page).click();
  expect(await keysOf(page, 'pose')).toEqual([2, 22, 51, 71]);

  // A region that is painted stays.
  await page.locator('summary', { hasText: 'Regions' }).click();
  await page.getByLabel('Controls and proxies').check();
  await page.getByLabel('Pressing').getByText('pins', { exact: true }).click();
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) throw new Error('there is no picture');
  const stay = page.getByText(/[1-9]\d* stay/);
  for (let k = 3; k < 8 && (await stay.count()) === 0; k++) {
    await page.mouse.move(box.x + box.width / 2, box.y + (k / 10) * box.height);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForTimeout(200);
  }
  await stay.waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
}, 120_000);

it('joints of a solid body: keyed over its clip, held by a limb, compared by figures, and taken along', async () => {
  const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
  await example(page, 'Creature with its joints');
  await page.getByRole('button', { name: 'Fill the body' }).click();
  const below = page.getByLabel('Keys lie over');
  await eventually(() => below.inputValue()).toBe('own walk');
  await page.getByLabel('Joint', { exact: true }).selectOption({ label: 'head' });
  await setNumber(page, 'About X, °, as a number', 40);
  await page.keyboard.press('k');
  await eventually(() => keysOf(page, 'joints')).toEqual([1]);

  // The key is taken back, then the turn of the hand before it, in one history.
  await undo(page).click();
  expect(await keysOf(page, 'joints')).toEqual([]);
  expect(await undo(page).getAttribute('title')).toContain('Turn a joint');
  await page.getByRole('button', { name: 'Redo' }).click();

  await page.getByLabel('Joint', { exact: true }).selectOption({ label: 'left hind shin' });
  await page.locator('summary', { hasText: 'Hold limbs' }).click();
  await page.getByRole('button', { name: 'Hold left hind shin' }).click();
  await goTo(page, 10);
  await page.keyboard.press('k');
  await eventually(() => keysOf(page, 'joints')).toEqual([1, 10]);
  await page.getByLabel('Side by side').check();
  await eventually(() => page.locator('.view .tag').allTextContents()).toEqual(['volume', 'linear', 'dual quat.']);
  const figures = page.getByLabel('Shape').locator('tbody tr');
  await eventually(() => figures.allTextContents()).toHaveLength(3);
  const volumes = (await figures.locator('td:nth-child(2)').allTextContents()).map(Number.parseFloat);
  expect(Math.abs(volumes[0] - 100)).toBeLessThan(3);

  const glb = await downloaded(page, () => page.getByRole('button', { name: 'Save clip' }).click());
  expect(glb.bytes.subarray(0, 4).toString()).toBe('glTF');
  await page.getByLabel('Take along').selectOption('bvh');
  const bvh = await downloaded(page, () => page.getByRole('button', { name: 'Save clip' }).click());
  expect(bvh.bytes.toString()).toContain('Frames: 24');
  expect(errors).toEqual([]);
  await page.context().close();
}, 120_000);

it('a puppet: pairs are picked by scrubbing, renamed, exchanged and taken back, and weights follow at once', async () => {
  const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
  await example(page, 'Dog and its player');
  await page.getByRole('button', { name: 'Edit pairs' }).click();
  await page.getByLabel('Weights').waitFor();
  const cards = page.locator('.pair');
  const before = await cards.count();
  const drawn = () => page.locator('.weight-plot title').textContent();
  expect(await drawn()).toContain('from 0.00');

  // Least squares takes away where it extrapolates: that is drawn below the line.
  await page.locator('summary', { hasText: 'Tuning' }).click();
  await page.getByLabel('Projection').selectOption('linear');
  await eventually(drawn).toMatch(/from -0\.\d+/);

  await goTo(page, 40);
  await page.getByRole('button', { name: /^Pair this pose/ }).click();
  await eventually(() => cards.count()).toBe(before + 1);
  await page.getByRole('button', { name: /^Update / }).waitFor();
  const name = page.locator('.pair[data-here=true] input');
  await name.fill('bow');
  await name.press('Enter');
  await page.getByLabel('Name of bow').waitFor();
  expect(await undo(page).getAttribute('title')).toContain('Rename');
  await undo(page).click();
  await undo(page).click();
  await eventually(() => cards.count()).toBe(before);
  expect(errors).toEqual([]);
  await page.context().close();
}, 120_000);
