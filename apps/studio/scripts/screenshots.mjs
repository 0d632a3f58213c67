// @ts-check
/** `npm run screenshots`: every panel of the built studio in both themes, for the guide. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';
import { shrink } from '../../../scripts/figures/shrink.mjs';
import { fakePerformer } from './fake-performer.mjs';

const BUILT = fileURLToPath(new URL('../../../packages/cli/studio/', import.meta.url));
const OUT = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** @typedef {import('playwright-core').Page} Page */

/**
 * What is done before each picture, one after the other in one page.
 *
 * @type {Record<string, (page: Page) => Promise<void>>}
 */
const STEPS = {
  fit: async (page) => {
    await number(page, 'Bones', 6);
    await page.getByRole('button', { name: 'Fit again' }).click();
    await runs(page, 2);
    await number(page, 'Bones', 20);
    await page.getByRole('button', { name: 'Fit again' }).click();
    await runs(page, 3);
    await page.getByRole('button', { name: /^12 bones/ }).click();
    await number(page, 'Frame', 17);
  },
  skeleton: async (page) => {
    await mode(page, 'Skeleton');
    await page.getByRole('button', { name: 'Find skeleton' }).click();
    await runs(page, 4);
    await page.keyboard.press('4');
    await page.getByRole('button', { name: 'Result', exact: true }).click();
  },
  reduce: async (page) => {
    await mode(page, 'Reduce');
    await page.locator('aside .button.primary').click();
    await runs(page, 5);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.keyboard.press('2');
  },
  export: async (page) => {
    await page.keyboard.press('e');
  },
  pose: async (page) => {
    await page.getByRole('button', { name: 'Close' }).click();
    await mode(page, 'Pose');
    await page.getByText('Press on the skin').waitFor();
    const box = await page.locator('canvas').first().boundingBox();
    if (!box) throw new Error('there is no picture');
    await page.keyboard.down('Shift');
    await page.mouse.click(box.x + 0.463 * box.width, box.y + 0.813 * box.height);
    await page.keyboard.up('Shift');
    const [x, y] = [box.x + 0.675 * box.width, box.y + 0.245 * box.height];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y - 70, { steps: 6 });
    await page.waitForTimeout(2000);
    await page.mouse.up();
    for (const [frame, dx] of [
      [1, 0],
      [24, 110],
      [60, 0],
    ]) {
      await number(page, 'Frame', frame);
      if (dx !== 0) {
        const [tipX, tipY] = [x - 60, y - 70];
        await page.mouse.move(tipX, tipY);
        await page.mouse.down();
        await page.mouse.move(tipX + dx, tipY + 60, { steps: 6 });
        await page.waitForTimeout(1500);
        await page.mouse.up();
      } else if (frame > 1) await page.getByRole('button', { name: 'Pose 1', exact: true }).click();
      await page.waitForTimeout(500);
      await page.keyboard.press('k');
    }
    await number(page, 'Frame', 40);
    await page.getByLabel('Pose key at frame 24').click();
    await page.keyboard.press('o');
  },
  skin: async (page) => {
    await example(page, 'Shoulder');
    await number(page, 'Proxy bones', 24);
    await page.getByRole('button', { name: 'Compare all methods' }).click();
    await runs(page, 4);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await number(page, 'Frame', 12);
  },
  volume: async (page) => {
    await example(page, 'Creature with its joints');
    await page.getByRole('button', { name: 'Fill the body' }).click();
    await page.getByLabel('Joint', { exact: true }).selectOption('2');
    await number(page, 'Frame', 8);
    await number(page, 'About X, °', -70);
    await page.keyboard.press('k');
    await page.getByLabel('Side by side').check();
  },
  pairs: async (page) => {
    await example(page, 'Dog and its player');
    await page.getByRole('button', { name: 'Edit pairs' }).click();
    await page.getByLabel('Weights').waitFor();
    await page.locator('summary', { hasText: 'Tuning' }).click();
    await page.getByLabel('Projection').selectOption('linear');
    await page.getByTitle('Go to paw').click();
    await page.waitForTimeout(2500);
    await page.locator('.pair[data-here=true]').scrollIntoViewIfNeeded();
  },
  face: async (page) => {
    await example(page, 'Face with sliders');
    await page.getByRole('button', { name: 'Fit sliders' }).waitFor();
    await number(page, 'Bones', 16);
    await page.getByRole('button', { name: 'Fit sliders' }).click();
    await page.getByLabel('Expression').waitFor();
    for (const [name, value] of Object.entries({ jawOpen: '0.6', mouthSmile_L: '0.9', browUp_R: '0.8' })) {
      await page.getByLabel(name, { exact: true }).fill(value);
    }
    await page.getByLabel('Expression').scrollIntoViewIfNeeded();
  },
  puppet: async (page) => {
    await example(page, 'Dog and its player');
    await page.getByText('camera', { exact: true }).click();
    await page.getByRole('button', { name: 'Start the camera' }).click();
    await page.getByText('The character follows you').waitFor();
    await page.waitForTimeout(4000);
  },
};

/** @param {Page} page @param {string} name @param {number} value */
async function number(page, name, value) {
  const field = name === 'Frame' ? page.getByLabel(name, { exact: true }) : page.getByLabel(`${name}, as a number`);
  await field.fill(String(value));
  await field.press('Enter');
}

/** @param {Page} page @param {string} name */
async function mode(page, name) {
  await page.getByRole('button', { name, exact: true }).first().click();
}

/** @param {Page} page @param {string} title */
async function example(page, title) {
  await page.getByRole('button', { name: 'Examples', exact: true }).click();
  await page.locator('.gallery button', { hasText: title }).click();
}

/** @param {Page} page @param {number} count */
async function runs(page, count) {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('section[aria-label=Runs] li').length === wanted,
    count,
  );
}

mkdirSync(OUT, { recursive: true });
const server = await serve({ folders: { '/': BUILT }, isolated: true });
const folder = mkdtempSync(join(tmpdir(), 'pelt-film-'));
const film = join(folder, 'film.y4m');
const browser = await launchBrowser([
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]);
const drawing = await browser.newPage();
writeFileSync(film, await fakePerformer(drawing, [{ left: 80, right: 125, seconds: 2 }]));
await drawing.close();
for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    colorScheme,
    // Pictures that stand still are the same every time.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(`${server.origin}/index.html`);
  await page.locator('.tag.result').waitFor();
  for (const [name, act] of Object.entries(STEPS)) {
    console.error(`${name}, ${colorScheme}`);
    await act(page);
    await page.mouse.move(0, 0);
    // The last change is drawn, and the line about saving says that it is done.
    await page.waitForTimeout(2500);
    writeFileSync(`${OUT}${name}-${colorScheme}.png`, shrink(await page.screenshot()));
  }
  await context.close();
}
await browser.close();
await server.close();
rmSync(folder, { recursive: true });
