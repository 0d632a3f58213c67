/** Draws the scenes of `pelt view`: puts them into the pages that come with the command, and opens one in a browser. */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { type DrawnScene, encodeScene, type SceneDrawer, type ViewScene } from '@pelt/jobs/view';
import { checkCancelled, UnsupportedError, UsageError } from '@pelt/model';
import { HeadlessPage } from './headless-page.ts';
import { BROWSER_ADVICE, systemBrowser } from './system-browser.mjs';

/** Beside the bundle, in the package. */
const PAGES = new URL('../viewer/', import.meta.url);
/** Where a page takes its scene. */
const MARK = '<!--scene-->';

interface Finished {
  readonly length: number;
  readonly part: number;
  readonly codec?: string;
}

/** @param pages  folder of the built pages */
export function sceneDrawer(pages: URL = PAGES): SceneDrawer {
  return {
    requireFormat: async (format) => {
      if (format !== 'html') requireBrowser();
    },
    draw: async (scene, format, context) => {
      if (format === 'html') return { bytes: new TextEncoder().encode(pageWith(scene, 'player', pages)) };
      const page = await HeadlessPage.open(requireBrowser(), pageWith(scene, 'capture', pages));
      try {
        const steps = await page.evaluate<number>(`capture.then((own) => own.begin('${format}'))`);
        for (let k = 0; k < steps; k++) {
          checkCancelled(context);
          await page.evaluate(`capture.then((own) => own.step(${k}))`);
          context.onProgress?.({ stage: 'drawing', fraction: (k + 1) / steps });
        }
        return await taken(page);
      } finally {
        await page.close();
      }
    },
  };
}

/** What the page has made; in parts, for messages have a limit. */
async function taken(page: HeadlessPage): Promise<DrawnScene> {
  const { length, part, codec } = await page.evaluate<Finished>('capture.then((own) => own.finish())');
  let text = '';
  for (let from = 0; from < length; from += part) {
    text += await page.evaluate<string>(`capture.then((own) => own.part(${from}))`);
  }
  return { bytes: new Uint8Array(Buffer.from(text, 'base64')), ...(codec !== undefined && { codec }) };
}

function pageWith(scene: ViewScene, page: 'player' | 'capture', pages: URL): string {
  const html = readPage(new URL(`${page}.html`, pages));
  const bytes = deflateRawSync(encodeScene(scene)).toString('base64');
  return html.replace(MARK, () => `<script id="scene" type="text/plain">${bytes}</script>`);
}

function readPage(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError('the pages of pelt view are not built; run npm run build');
  }
}

function requireBrowser(): string {
  let found: string | undefined;
  try {
    found = systemBrowser(process.env);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (found) return found;
  throw new UnsupportedError(`pictures are drawn by a browser, and none is found; ${BROWSER_ADVICE}; .html needs none`);
}
