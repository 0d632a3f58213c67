/**
 * The studio in headless Chromium, served as `pelt studio` serves it: how soon there is a picture, what is loaded before it,
 * what the browser costs a fit, how quickly a dragged point is seen, and whether memory stays where it is. Rendering is in
 * software, so a time with a picture in it is an upper limit.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../scripts/browser/launch.mjs';
import { drag } from './studio/drag.mjs';
import { dropped } from './studio/dropped.mjs';
import { firstPicture } from './studio/first-picture.mjs';
import { fitTimes } from './studio/fit-times.mjs';
import { liveStep } from './studio/live-step.mjs';
import { memory } from './studio/memory.mjs';

const PELT = fileURLToPath(new URL('../../packages/cli/bin/pelt.mjs', import.meta.url));

/** Scripts are not compiled: the engine's code of them grows for hundreds of rounds, and is no memory of the studio's. */
const INTERPRETED = ['--js-flags=--no-sparkplug --no-maglev --no-turbofan'];

export default {
  name: 'studio',
  needs: [],
  async run(context) {
    const server = await serve();
    const browser = await launchBrowser(['--js-flags=--expose-gc']);
    try {
      const studio = { browser, address: server.address, log: context.log };
      const rows = [];
      if (context.wants('cold load')) rows.push(...(await firstPicture(studio)));
      if (context.wants('dropped')) rows.push(...(await dropped(studio)));
      if (context.wants('fit')) rows.push(...(await fitTimes(studio)));
      if (context.wants('drag')) rows.push(...(await drag(studio)));
      if (context.wants('live')) rows.push(...(await liveStep(studio)));
      if (context.wants('rounds'))
        rows.push(...(await withBrowser(INTERPRETED, (own) => memory({ ...studio, browser: own }))));
      return rows;
    } finally {
      await browser.close();
      server.close();
    }
  },
};

/** A browser of its own for a measurement. */
async function withBrowser(flags, measure) {
  const browser = await launchBrowser(flags);
  try {
    return await measure(browser);
  } finally {
    await browser.close();
  }
}

/** The command itself, in a process of its own. */
async function serve() {
  const child = spawn(process.execPath, [PELT, 'studio', '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const address = /http:\S+/.exec(String(line))?.[0];
  if (!address) throw new Error(`pelt studio said: ${line}`);
  return { address, close: () => child.kill() };
}
