// @ts-check
/**
 * Finds the Chromium that renders figures and runs the browser tests: the one the user names, one that the system has,
 * or one that was downloaded for this checkout before. Finding never installs; `install.mjs` does.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where a download goes: inside the checkout, so that removing the checkout removes it. */
export const DOWNLOAD_FOLDER = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(root, '.pelt-browser');

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];

/**
 * Where the installers of other systems put it, outside the path.
 *
 * @type {Partial<Record<NodeJS.Platform, string[]>>}
 */
const PLACES = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((folder) =>
    folder
      ? [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Chromium/Application/chrome.exe')]
      : [],
  ),
};

export const ADVICE =
  'install Chromium or Chrome (Debian, Ubuntu: apt-get install chromium), or set PELT_BROWSER to the path of one';

/**
 * The browser's path, or undefined where there is none. A PELT_BROWSER that cannot be run is an error, not a reason to
 * take another one.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string | undefined}
 */
export function findBrowser(environment = process.env) {
  const named = environment.PELT_BROWSER;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`PELT_BROWSER: '${named}' is not a program that can be run; ${ADVICE}`);
  }
  return systemBrowser(environment.PATH ?? '') ?? downloadedBrowser();
}

/** The browser's path, or an error with the cure. */
export function requireBrowser() {
  const browser = findBrowser();
  if (!browser) throw new Error(`no browser found; run \`node scripts/browser/install.mjs\`, or ${ADVICE}`);
  return browser;
}

/** @param {string} path */
function systemBrowser(path) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => COMMANDS.map((command) => join(folder, command + suffix)));
  return [...onPath, ...(PLACES[process.platform] ?? [])].find(isExecutable);
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

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
