// @ts-check
/**
 * Finds the Chromium or Chrome of this machine. Plain JavaScript, because the scripts that build and test this package
 * use it too, before anything is compiled.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

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

export const BROWSER_ADVICE =
  'install Chromium or Chrome (Debian, Ubuntu: apt-get install chromium), or set PELT_BROWSER to the path of one';

/**
 * The browser that the environment names, or one that the system has; undefined where there is none.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @throws Error for a PELT_BROWSER that cannot be run: that is no reason to take another one
 */
export function systemBrowser(environment) {
  const { PELT_BROWSER: named, PATH: path = '' } = environment;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`PELT_BROWSER: '${named}' is not a program that can be run; ${BROWSER_ADVICE}`);
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => COMMANDS.map((command) => join(folder, command + suffix)));
  return [...onPath, ...(PLACES[process.platform] ?? [])].find(isExecutable);
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
