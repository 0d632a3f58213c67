// @ts-check
/**
 * Makes sure that there is a browser before the step that needs one: found, else Playwright's download into the
 * checkout, else, where this is root on a system with apt-get, Debian's package. Otherwise it ends with advice.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADVICE, DOWNLOAD_FOLDER, findBrowser } from './find.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Long enough for a slow line, short enough not to look like a hang. */
const DOWNLOAD_MINUTES = 10;

/** @returns {string} the browser's path */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  for (const [name, install] of /** @type {const} */ ([
    ['Playwright’s Chromium', download],
    ['Debian’s chromium', installPackage],
  ])) {
    console.error(`no browser found; installing ${name}`);
    install();
    const browser = findBrowser();
    if (browser) return browser;
    console.error('that did not work');
  }
  throw new Error(`no browser found, and none could be installed; ${ADVICE}`);
}

function download() {
  const cli = join(root, 'node_modules/playwright-core/cli.js');
  spawnSync(process.execPath, [cli, 'install', '--no-shell', 'chromium'], {
    cwd: root,
    env: {
      ...process.env,
      PLAYWRIGHT_BROWSERS_PATH: DOWNLOAD_FOLDER,
      PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '20000',
    },
    stdio: 'ignore',
    timeout: DOWNLOAD_MINUTES * 60_000,
  });
}

function installPackage() {
  if (process.getuid?.() !== 0) return;
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation']]) {
    spawnSync('apt-get', ['--quiet', ...args], { env: environment, stdio: ['ignore', 2, 2] });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.error(`browser: ${ensureBrowser()}`);
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
