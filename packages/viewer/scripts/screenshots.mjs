// @ts-check
/** The pictures of the guide's page on `pelt view`, made by the built command itself from a scene of the testkit. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { creatureScene } from '@pelt/testkit';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { shrink } from '../../../scripts/figures/shrink.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const OUT = resolve(import.meta.dirname, '../screenshots');
const PELT = join(ROOT, 'packages/cli/bin/pelt.mjs');
const folder = mkdtempSync(join(tmpdir(), 'pelt-view-pictures-'));

/** @param {string} line */
function pelt(line) {
  const { status, stderr } = spawnSync(process.execPath, [PELT, ...line.split(' ')], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`pelt ${line}: ${stderr}`);
}

try {
  const { sequence, rig, clip } = creatureScene({ frames: 24, detail: 0.05 });
  writeFileSync(join(folder, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'clip.pc2'), writePc2(sequence));
  writeFileSync(join(folder, 'character.glb'), (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
  pelt('fit rest.obj clip.pc2 --bones 8 -o fitted.glb');
  pelt('view fitted.glb --original rest.obj clip.pc2 --width 360 --height 300 -o error.png');
  pelt('view character.glb --frame rest --bones --weights --width 420 --height 320 -o rig.png');
  pelt('view fitted.glb --original rest.obj clip.pc2 -o compare.html');
  for (const name of ['error', 'rig']) {
    writeFileSync(join(OUT, `${name}.png`), shrink(readFileSync(join(folder, `${name}.png`))));
  }
  const browser = await launchBrowser();
  const { page } = await openPage(browser, { viewport: { width: 960, height: 560 } });
  await page.goto(pathToFileURL(join(folder, 'compare.html')).href);
  await page.waitForSelector('#look-edges');
  for (let k = 0; k < 9; k++) await page.keyboard.press('ArrowRight');
  await page.mouse.click(590, 275);
  await page.waitForTimeout(500);
  writeFileSync(join(OUT, 'player.png'), shrink(await page.screenshot()));
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
