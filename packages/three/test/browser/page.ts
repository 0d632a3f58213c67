/** Builds a page from a module of the tests, as an application would, and opens it in the browser. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { launchBrowser, openPage } from '../../../../scripts/browser/launch.mjs';
import { serve } from '../../../../scripts/browser/serve.mjs';
import { SOURCE_CONDITION } from '../../../../scripts/packages/public-packages.mjs';

export interface TestPage {
  readonly errors: string[];
  readonly warnings: string[];
  /** Calls a function of the page's `lab`. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  readonly origin: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Paths and contents of a built module and its workers. */
export async function bundle(entry: string, minify = false): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    resolve: { conditions: [SOURCE_CONDITION, ...defaultClientConditions] },
    worker: { format: 'es' },
    build: {
      write: false,
      minify,
      target: 'esnext',
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: { input: { main: entry }, output: { entryFileNames: '[name].js' } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('the bundler watches instead of building');
  return new Map(
    output.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source] as const),
  );
}

const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

/**
 * @param entry   a module that sets `lab`
 * @param opened  a browser that is already there, and stays
 */
export async function openLab(
  files: ReadonlyMap<string, Uint8Array>,
  entry = fileURLToPath(new URL('lab/lab.ts', import.meta.url)),
  opened?: Browser,
): Promise<TestPage> {
  const [bundled, browser] = await Promise.all([
    bundle(entry),
    opened ?? launchBrowser(['--js-flags=--expose-gc', '--enable-precise-memory-info']),
  ]);
  const bodies = new Map<string, string | Uint8Array>([...bundled, ['/lab.html', HTML]]);
  for (const [name, bytes] of files) bodies.set(`/${name}`, bytes);
  const server = await serve({ bodies });
  const { page, errors } = await openPage(browser, { viewport: { width: 320, height: 240 } });
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.goto(`${server.origin}/lab.html`);
  await page.waitForFunction('globalThis.lab !== undefined');
  return {
    errors,
    warnings,
    origin: server.origin,
    browser,
    call: (name, ...args) =>
      page.evaluate(
        ([fn, list]) =>
          (globalThis as never as { lab: Record<string, (...a: unknown[]) => never> }).lab[fn as string](
            ...(list as unknown[]),
          ),
        [name, args] as const,
      ),
    async close() {
      if (!opened) await browser.close();
      await server.close();
    },
  };
}

export function floatsOf(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

export function read(path: URL): Uint8Array {
  return new Uint8Array(readFileSync(path));
}
