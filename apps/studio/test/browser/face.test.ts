/** A face and what else came with the second round: sliders, the camera, files that are what they are. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloaded, drop, startStudio, type TestStudio } from './studio-page.ts';

let studio: TestStudio;

beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio?.close());

const eventually = <T>(value: () => T) => expect.poll(value, { timeout: 60_000 });

const example = async (page: Page, title: string) => {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.locator('.gallery button', { hasText: title }).click();
};

describe('a face', () => {
  it('is fitted, moved by its sliders, keyed, saved as a recording, and played from it', async () => {
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await example(page, 'Face with sliders');
    await page.getByRole('button', { name: 'Fit sliders' }).waitFor();
    await page.getByLabel('Bones, as a number').fill('8');
    await page.getByLabel('Bones, as a number').press('Enter');
    await page.getByRole('button', { name: 'Fit sliders' }).click();
    const jaw = page.getByLabel('jawOpen', { exact: true });
    await jaw.waitFor();
    expect(await page.locator('.tag.given').textContent()).toBe('Blend shapes');
    expect(await page.locator('.tag.result').textContent()).toContain('15 sliders');

    // A search leaves the sliders that are meant; what one side does is mirrored.
    await page.getByLabel('Search').fill('smile');
    await eventually(() => page.locator('.face-slider').count()).toBe(2);
    await page.getByLabel('mouthSmile_L', { exact: true }).fill('0.8');
    await page.getByRole('button', { name: 'Mirror' }).click();
    await eventually(() => page.getByLabel('mouthSmile_R', { exact: true }).inputValue()).toBe('0.8');
    expect(await page.getByLabel('mouthSmile_L', { exact: true }).inputValue()).toBe('0');
    await page.getByLabel('Search').fill('');

    // Two keys make a clip; between them the jaw is half open.
    await page.getByRole('button', { name: 'Neutral' }).click();
    await page.getByRole('button', { name: 'Key at frame 1', exact: true }).click();
    await jaw.fill('1');
    const frame = page.getByLabel('Frame', { exact: true });
    await frame.fill('21');
    await frame.press('Enter');
    await page.getByRole('button', { name: 'Key at frame 21' }).click();
    await frame.fill('11');
    await frame.press('Enter');
    await eventually(() => jaw.inputValue()).toBe('0.5');
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: 'Save CSV' }).click());
    expect(name).toBe('face.csv');
    expect(bytes.toString().split('\n')[0]).toContain('jawOpen');

    // The recording plays in place of the keys.
    await drop(page, { 'take.csv': Uint8Array.from(bytes) });
    await page.getByRole('button', { name: 'Recording: take.csv' }).waitFor();
    await frame.fill('21');
    await frame.press('Enter');
    await eventually(() => jaw.inputValue()).not.toBe('0');
    const glb = await downloaded(page, () => page.getByRole('button', { name: /Save GLB/ }).click());
    expect(glb.name).toBe('face-sliders.glb');
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('a newcomer', () => {
  it('is told that a text is no motion, and keeps what was there', async () => {
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    // What stands there first was asked for by nobody.
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await drop(page, { 'notes.txt': new TextEncoder().encode('milk, bread and 3 eggs\n') });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('notes.txt');
    expect(await page.locator('.rail [aria-current]').textContent()).toContain('Fit');
    // Notices are about the mode they came in; modes are no steps.
    await page.getByRole('button', { name: 'Reduce', exact: true }).click();
    await eventually(() => page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('turns the view with the right button while the skin is pulled with the left, and frames by keys', async () => {
    const { page, errors } = await studio.open('?renderer=webgl', { reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Pose', exact: true }).click();
    await page.getByText('Press on the skin').waitFor();
    const canvas = page.locator('canvas').first();
    const box = await canvas.boundingBox();
    if (!box) throw new Error('there is no picture');
    const drag = async (button: 'left' | 'right') => {
      // Above the creature, where there is no skin.
      await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
      await page.mouse.down({ button });
      await page.mouse.move(box.x + 0.7 * box.width, box.y + 30, { steps: 4 });
      await page.mouse.up({ button });
      await page.mouse.move(box.x + 2, box.y + 2);
      await page.waitForTimeout(1200);
      return canvas.screenshot();
    };
    await page.mouse.move(box.x + 2, box.y + 2);
    await page.waitForTimeout(1200);
    const before = await canvas.screenshot();
    expect((await drag('left')).equals(before)).toBe(true);
    let last = await drag('right');
    expect(last.equals(before)).toBe(false);
    for (const key of ['0', 'g', '5', '6', '8', 'f']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(700);
      const next = await canvas.screenshot();
      expect(next.equals(last), key).toBe(false);
      last = next;
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
