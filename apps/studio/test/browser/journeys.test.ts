/** Whole journeys through the studio, as a newcomer takes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeObj } from '@pelt/io';
import { frameAt } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPelt, pelt } from '../../../../packages/cli/test/built-pelt.ts';
import { scratchFolder } from '../../../../packages/cli/test/scratch-folder.ts';
import { serve } from '../../../../scripts/browser/serve.mjs';
import { downloaded, drop, runCount, startStudio, type TestStudio, watched } from './studio-page.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let studio: TestStudio;

beforeAll(async () => {
  buildPelt();
  studio = await startStudio();
});
afterAll(() => studio?.close());

/** A chain of joints, one OBJ per frame. */
function frames(): Record<string, Uint8Array> {
  const { sequence } = chainScene({ joints: ['hinge', 'ball'], frames: 12 });
  return Object.fromEntries(
    Array.from(sequence.times, (_, t) => {
      const mesh = { ...sequence.rest, positions: frameAt(sequence, t) };
      return [`chain-${t + 1}.obj`, writeObj(mesh)[0].bytes];
    }),
  );
}

/** What becomes true while a browser that draws in software works. */
const eventually = <T>(value: () => T) => expect.poll(value, { timeout: 60_000 });

const frameNumber = async (page: Page) => Number(await page.getByLabel('Frame', { exact: true }).inputValue());

describe('a newcomer', () => {
  it('sees a fitted example move, drops frames, fits, cancels, fits again, reduces, and gets the bytes of the command', async () => {
    const { page, errors, requests } = await studio.open('?renderer=webgpu');
    const before = await frameNumber(page);
    await eventually(() => frameNumber(page)).not.toBe(before);
    expect(await page.locator('.tag.given').textContent()).toBe('Original');
    const surface = page.getByRole('button', { name: 'Surface' });
    await eventually(async () => {
      await page.keyboard.press('1');
      return surface.getAttribute('aria-pressed');
    }).toBe('true');
    await page.keyboard.press(' ');

    // A fit of the example, cancelled: it leaves no run behind.
    await page.getByLabel('Bones, as a number').fill('180');
    await page.getByRole('button', { name: 'Fit again' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Fit again' }).waitFor();
    await runCount(page, 1);

    const given = frames();
    await drop(page, given);
    await page.getByRole('dialog').getByLabel('Frames per second').fill('25');
    // Saving forgets what the document does not name; the files that wait for the answer must stay.
    await eventually(() => page.locator('.top .state').textContent()).toBe('Saved in this browser');
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
    await eventually(() => page.locator('.top .file').textContent()).toContain('12 frames');
    await page.getByLabel('Bones, as a number').fill('3');
    await page.getByRole('button', { name: 'Fit', exact: true }).last().click();
    await runCount(page, 1);
    await page.keyboard.press('2');
    await page.locator('.legend').waitFor();

    await page.getByRole('button', { name: 'Reduce' }).first().click();
    await page.locator('aside .button.primary').click();
    await runCount(page, 2);
    expect(await page.locator('.tag.given').textContent()).toContain('3 bones');

    // The file that is saved here, and the one that the command line shown here makes.
    await page.keyboard.press('e');
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
    const lines = ((await page.locator('pre.command').textContent()) ?? '').split('\n');
    expect(lines).toHaveLength(2);
    const folder = scratchFolder();
    for (const [path, content] of Object.entries(given)) writeFileSync(join(folder, path), content);
    for (const line of lines) {
      const { code, stderr } = await pelt(line.split(' ').slice(1), folder);
      expect(code, `${line}\n${stderr}`).toBe(0);
    }
    expect(bytes.equals(readFileSync(join(folder, name)))).toBe(true);
    await page.getByRole('button', { name: 'Close' }).click();

    // Undo takes the reduction back, redo brings it again; a reload finds all of it.
    await page.keyboard.press('Control+z');
    await runCount(page, 1);
    await page.keyboard.press('Control+Shift+z');
    await runCount(page, 2);
    await eventually(() => page.locator('.top .state').textContent()).toBe('Saved in this browser');
    await page.reload();
    await page.locator('.tag.result').waitFor();
    await runCount(page, 2);
    expect(await page.locator('.top .file').textContent()).toContain('12 frames');

    expect(errors).toEqual([]);
    const own = new URL(page.url()).origin;
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('blob:'))).toEqual([]);
    await page.context().close();
  });

  it('pulls the example by its skin, saves and keys poses, and exports the clip, on WebGL 2', async () => {
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').textContent()).toContain('Drawn with WebGL 2');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Pose' }).click();
    await page.getByText('Press on the skin').waitFor();
    const box = await page.locator('canvas').first().boundingBox();
    if (!box) throw new Error('there is no picture');
    // The middle of the picture is the creature's flank.
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const save = page.getByRole('button', { name: 'Save pose' });
    for (const [k, key] of ['1', '12'].entries()) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 20 - 10 * k, { steps: 4 });
      await page.mouse.up();
      await eventually(() => save.isEnabled()).toBe(true);
      await save.click();
      await page.getByLabel('Frame', { exact: true }).fill(key);
      await page.getByLabel('Frame', { exact: true }).press('Enter');
      await page
        .getByRole('button', { name: `Key at frame ${key}` })
        .nth(k)
        .click();
    }
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: 'Export clip' }).click());
    expect(name).toBe('creature-fitted-posed.glb');
    expect(bytes.subarray(0, 4).toString()).toBe('glTF');

    // The pose space goes onto another character, and undo comes back.
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: /Move onto another/ }).click(),
    ]);
    await chooser.setFiles(join(studio.folder, 'examples/dog.glb'));
    await page.getByText('is moved onto dog.glb').waitFor();
    await page.getByText('Press on the skin').waitFor();
    await page.keyboard.press('Control+z');
    await eventually(() => page.getByText('is moved onto dog.glb').count()).toBe(0);

    // Weights of several bones are gathered by dragging over them.
    await page.getByRole('button', { name: 'Fit', exact: true }).first().click();
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Result', exact: true }).click();
    await page.getByText('Press on the skin').waitFor({ state: 'detached' });
    const gathered = async () => {
      await page.keyboard.down('Shift');
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 0.2 * box.width, y - 0.1 * box.height, { steps: 6 });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      return page.locator('.legend').textContent();
    };
    await eventually(gathered).toMatch(/weights of \d+ bones/);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('opens every other mode: learns a skin, turns joints of a solid body, plays a dog, and survives a lost context', async () => {
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    const example = async (title: string) => {
      await page.getByRole('button', { name: 'Examples' }).click();
      await page.locator('.gallery button', { hasText: title }).click();
    };
    await example('Shoulder');
    await page.getByLabel('Every n-th frame trains, as a number').fill('8');
    await page.getByLabel('Proxy bones, as a number').fill('6');
    await page.getByRole('button', { name: 'Learn', exact: true }).click();
    await runCount(page, 2);
    expect(await page.getByLabel('Enveloping error').textContent()).toMatch(/35 frames left out/);

    await example('Creature with its joints');
    await page.getByRole('button', { name: 'Fill the body' }).click();
    await page.getByLabel('Joint', { exact: true }).selectOption('1');
    await page.getByLabel('About X, °, as a number').fill('60');
    await page.getByLabel('About X, °, as a number').press('Enter');
    const volume = page.getByLabel('Shape').locator('[data-shown=true] td').first();
    await eventually(() => volume.textContent()).not.toBe('100.0 %');
    const kept = Number.parseFloat((await volume.textContent()) ?? '');
    expect(Math.abs(kept - 100)).toBeLessThan(3);

    // The context goes: another one is opened, and the hand is on the model again.
    const lose = () => {
      const context = document.querySelector('canvas')?.getContext('webgl2');
      context?.getExtension('WEBGL_lose_context')?.loseContext();
    };
    await page.evaluate(lose);
    await page.getByText('opened again').waitFor();
    await page.getByText('Click a joint').waitFor();

    await example('Dog and its player');
    await page.getByRole('button', { name: 'Perform', exact: true }).click();
    await eventually(() => page.locator('.timeline .summary').textContent()).toContain('4.5 s');
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
    expect(name).toBe('dog-performed.glb');
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(errors.filter((text) => !/context lost/i.test(text))).toEqual([]);
    await page.context().close();
  });

  it('places joints in a body on both sides at once, paints what holds to them, and turns it', async () => {
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Volume' }).click();
    await page.getByRole('button', { name: 'Place joints' }).click();
    const box = await page.locator('canvas').first().boundingBox();
    if (!box) throw new Error('there is no picture');
    const skeleton = page.getByLabel('Skeleton', { exact: true });
    await skeleton.waitFor();
    // Along the back, and down a fore leg, which has a twin.
    for (const [x, y, count] of [
      [0.6, 0.43, 1],
      [0.44, 0.43, 2],
      [0.46, 0.65, 4],
    ]) {
      await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
      await eventually(() => skeleton.textContent()).toContain(`${count} joints`);
    }
    await page.getByRole('button', { name: 'Use this skeleton' }).click();
    await runCount(page, 2);

    await page.getByRole('button', { name: 'Paint constraints' }).click();
    await page.getByLabel('Constraints').waitFor();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.43 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.45 * box.width, box.y + 0.43 * box.height, { steps: 4 });
    await page.mouse.up();
    await eventually(() => page.getByLabel('Constraints').textContent()).toMatch(/[1-9]\d* vertices/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Fill the body' }).click();
    await page.getByLabel('Joint', { exact: true }).selectOption('1');
    await page.getByLabel('About Y, °, as a number').fill('30');
    await page.getByLabel('About Y, °, as a number').press('Enter');
    await eventually(() => page.getByLabel('Shape').locator('[data-shown=true] td').first().textContent()).not.toBe(
      '100.0 %',
    );
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: 'Save OBJ' }).click());
    expect(name).toBe('creature-placed-turned.obj');
    expect(bytes.subarray(0, 2000).toString()).toMatch(/^v /m);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('plays a dog before the camera: live, a pair, a take that the command performs alike, and lost', async () => {
    await studio.performing([
      { left: 10, right: 10, seconds: 6 },
      { left: 10, right: 10, seconds: 6, gone: true },
    ]);
    const { page, errors, requests } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator('.gallery button', { hasText: 'Dog' }).click();
    await page.getByText('camera', { exact: true }).click();
    await page.getByRole('button', { name: 'Start the camera' }).click();
    const live = page.getByLabel('Live', { exact: true });
    await eventually(() => live.textContent()).toContain('The character follows you');
    expect(await live.getByRole('progressbar').count()).toBe(7);
    await eventually(() => page.locator('.mirror').textContent()).toContain('Nobody is seen');
    await eventually(() => live.textContent()).toContain('At rest');

    // A pair of one's own takes the place of the file's.
    await page.getByRole('button', { name: 'Stop the camera' }).click();
    await studio.performing([
      { left: 10, right: 10, seconds: 3 },
      { left: 90, right: 10, seconds: 3 },
    ]);
    await page.getByText('Fingers', { exact: true }).click();
    await page.getByRole('button', { name: 'Start the camera' }).click();
    await eventually(() => live.textContent()).toContain('The character follows you');
    await page.getByRole('button', { name: 'Make a pair' }).click();
    await page.getByRole('button', { name: 'Keep pair' }).click();
    await eventually(() => page.getByLabel('Pairs', { exact: true }).textContent()).toContain('neutral');

    await eventually(() => live.textContent()).toContain('The character follows you');
    await page.getByRole('button', { name: 'Record' }).click();
    await eventually(() => page.getByRole('button', { name: /^Stop ·/ }).textContent()).toMatch(/[4-9]\.\d s/);
    await page.getByRole('button', { name: /^Stop ·/ }).click();
    const last = page.getByLabel('Last frame, as a number');
    const frames = Number(await last.inputValue());
    if (frames > 2) {
      await last.fill(String(frames - 1));
      await last.press('Enter');
    }
    await page.getByRole('button', { name: 'Perform the take' }).click();
    await eventually(() => page.getByLabel('Quality').textContent()).toContain('Jitter');
    const made = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
    const motion = await downloaded(page, () => page.getByRole('button', { name: 'Save motion' }).click());
    const pairs = await downloaded(page, () => page.getByRole('button', { name: 'Save pairs' }).click());
    const folder = scratchFolder();
    for (const { name, bytes } of [motion, pairs]) writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'dog.glb'), readFileSync(join(studio.folder, 'examples/dog.glb')));
    const line = (await page.locator('pre.command').textContent()) ?? '';
    const { code, stderr } = await pelt(line.split(' ').slice(1), folder);
    expect(code, `${line}\n${stderr}`).toBe(0);
    expect(made.bytes.equals(readFileSync(join(folder, made.name)))).toBe(true);
    expect(errors).toEqual([]);
    const own = new URL(page.url()).origin;
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('blob:'))).toEqual([]);
    await page.context().close();
  });

  it('is told in words what is wrong with a file, whatever its name is', async () => {
    const { page, errors } = await studio.open('', { reducedMotion: 'reduce' });
    const name = '<img src=x onerror=alert(1)>.obj';
    await drop(page, { [name]: new TextEncoder().encode('v 1 2\nf 1 2 3\n') });
    const notice = page.getByRole('alert');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('<img src=x');
    expect(await page.locator('.view img').count()).toBe(0);
    expect(await page.locator('.tag.result').count()).toBe(1);

    // A second tab of the same profile leaves saving to the first.
    const second = await watched(await page.context().newPage(), page.url());
    await eventually(() => second.page.locator('.top .state').textContent()).toContain('another tab');
    expect([...errors, ...second.errors]).toEqual([]);
    await page.context().close();
  });

  it('works on a host without isolation, in one thread, and is told so', async () => {
    const server = await serve({ folders: { '/': studio.folder } });
    const context = await studio.browser.newContext({ viewport: { width: 900, height: 560 } });
    const { page, errors } = await watched(await context.newPage(), `${server.origin}/index.html`);
    // Drawn in software, what moves takes the time of what is tested.
    await page.keyboard.press(' ');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').textContent()).toContain('one thread');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Bones, as a number').fill('2');
    await page.getByRole('button', { name: 'Fit again' }).click();
    await runCount(page, 2);
    expect(errors).toEqual([]);
    await context.close();
    await server.close();
  });
});

describe('accessibility', () => {
  it.each(['dark', 'light'] as const)('axe finds nothing serious in any panel or dialog, %s', async (colorScheme) => {
    const { page } = await studio.open('', { colorScheme, reducedMotion: 'reduce' });
    // Whoever wants no motion starts with a still picture.
    expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(1);
    // The policy of the page allows no script of others: the test's own goes in by the debugger.
    await page.evaluate(readFileSync(axe, 'utf8'));
    const serious = async () => {
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: Axe }).axe.run({
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
          resultTypes: ['violations'],
        }),
      );
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    };
    for (const mode of ['Skeleton', 'Reduce', 'Pose', 'Skin', 'Volume', 'Puppet', 'Fit']) {
      await page.getByRole('button', { name: mode, exact: true }).first().click();
      expect(await serious(), mode).toEqual([]);
    }
    for (const key of ['?', 'e']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await serious(), key).toEqual([]);
      await page.getByRole('button', { name: 'Close' }).click();
    }
    await page.context().close();
  });
});

interface Axe {
  run(options: object): Promise<{ violations: Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
