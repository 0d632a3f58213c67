// @ts-check
/**
 * Finds the Chromium that renders figures and runs the browser tests: the one the user names, one that the system has,
 * or one that was downloaded for this checkout before. Finding never installs; `install.mjs` does.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSER_ADVICE, isExecutable, systemBrowser } from '../../packages/cli/src/view/system-browser.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where a download goes: inside the checkout, so that removing the checkout removes it. */
export const DOWNLOAD_FOLDER = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(root, '.pelt-browser');

export const ADVICE = BROWSER_ADVICE;

/**
 * The browser's path, or undefined where there is none. A PELT_BROWSER that cannot be run is an error, not a reason to
 * take another one.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string | undefined}
 */
export function findBrowser(environment = process.env) {
  return systemBrowser(environment) ?? downloadedBrowser();
}

/** The browser's path, or an error with the cure. */
export function requireBrowser() {
  const browser = findBrowser();
  if (!browser) throw new Error(`no browser found; run \`node scripts/browser/install.mjs\`, or ${ADVICE}`);
  return browser;
}

/** Playwright knows where its own download lies; it reads the folder from the environment once, hence the child. */
function downloadedBrowser() {
  if (!existsSync(DOWNLOAD_FOLDER)) return undefined;
  const script = "import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))";
  const path = execFileSync(process.execPath, ['-e', script], {
    cwd: root,
    env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: DOWNLOAD_FOLDER },
    encoding: 'utf8',
  }).trim();
  return isExecutable(path) ? path : undefined;
}
