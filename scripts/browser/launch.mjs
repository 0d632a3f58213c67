// @ts-check
/** Starts a headless Chromium that renders in software, so that figures and tests need neither a screen nor a GPU. */
import { requireBrowser } from './find.mjs';

/** WebGL 2 and WebGPU through SwiftShader; no name resolves but the loopback, so nothing leaves the machine. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/**
 * @param {readonly string[]} [extraFlags]
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function launchBrowser(extraFlags = []) {
  const executablePath = requireBrowser();
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...extraFlags] });
}

/**
 * A page whose errors are not lost: what it throws or logs as an error is gathered and can be asked for.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openPage(browser, options = {}) {
  const page = await browser.newPage(options);
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, errors };
}
