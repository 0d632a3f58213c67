/** The same fit in the page and by the command, with as many threads, in turn. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../harness/measure.mjs';

const PELT = fileURLToPath(new URL('../../../packages/cli/bin/pelt.mjs', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../../packages/cli/studio/examples/', import.meta.url));
const ROUNDS = 5;
const BONES = 30;

export async function fitTimes({ browser, address, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  for (const name of ['arm.obj', 'arm.pc2']) writeFileSync(join(folder, name), readFileSync(join(EXAMPLES, name)));
  const context = await browser.newContext({ reducedMotion: 'reduce', acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('.tag.result').waitFor();
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.locator('.gallery button', { hasText: 'Arm' }).click();
  await page.getByLabel('Bones, as a number').fill(String(BONES));
  const [own, reference] = [[], []];
  for (let k = 0; k < ROUNDS; k++) {
    log(`fit ${k + 1} of ${ROUNDS}`);
    await page
      .getByRole('button', { name: /^Fit( again)?$/ })
      .last()
      .click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('section[aria-label=Runs] li').length === count,
      k + 1,
    );
    const report = await reportOf(page);
    own.push(report.seconds.fit);
    const options = ['--fps', '30', '--bones', String(BONES), '--threads', String(report.threads), '--json'];
    const { stdout } = spawnSync(process.execPath, [PELT, 'fit', 'arm.obj', 'arm.pc2', ...options, '-o', 'out.glb'], {
      cwd: folder,
      encoding: 'utf8',
    });
    reference.push(JSON.parse(stdout).seconds.fit);
  }
  await context.close();
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      case: 'fit, arm, 30 bones',
      metric: 'solving',
      value: median(own),
      unit: 's',
      reference: median(reference),
      referenceName: 'pelt fit, as many threads',
      target: 'ratio <= 1.3',
    },
  ];
}

/** The report of the run that is shown, as it is saved. */
async function reportOf(page) {
  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save report' }).click(),
  ]);
  const parts = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  await page.getByRole('button', { name: 'Close' }).click();
  return JSON.parse(Buffer.concat(parts).toString());
}
