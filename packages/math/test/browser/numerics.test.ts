/** Numerics in a real browser: bundled as an application would, with threads on an isolated page and without. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../../../scripts/browser/launch.mjs';
import { serve } from '../../../../scripts/browser/serve.mjs';
import { computeSample, type Sample } from './sample.ts';

interface Answer {
  readonly threads: number;
  readonly isolated: boolean;
  /** Bytes of each result, in base64. */
  readonly bytes: Readonly<Record<string, string>>;
}

/** What the page runs: `answer(threads)` asks a new worker. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
window.answer = (threads) => new Promise((resolve, reject) => {
  const worker = new Worker('/worker.mjs', { type: 'module' });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data: { sample, isolated, error } }) => {
    worker.terminate();
    if (error) return reject(new Error(error));
    const bytes = Object.entries(sample.results).map(([name, values]) => {
      const letters = Array.from(new Uint8Array(values.buffer), (byte) => String.fromCharCode(byte));
      return [name, btoa(letters.join(''))];
    });
    resolve({ threads: sample.threads, isolated, bytes: Object.fromEntries(bytes) });
  };
  worker.postMessage(threads);
});
</script>`;

async function bundleWorker(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: fileURLToPath(new URL('worker.ts', import.meta.url)), formats: ['es'], fileName: 'worker' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('the bundler watches instead of building');
  expect(output.output).toHaveLength(1);
  return output.output[0].code;
}

describe('numerics in a browser', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let expected: Sample;
  let bodies: Map<string, string>;

  beforeAll(async () => {
    const worker = await bundleWorker();
    bodies = new Map([
      ['/page.html', PAGE],
      ['/worker.mjs', worker],
    ]);
    browser = await launchBrowser();
    expected = await computeSample(1);
  });
  afterAll(() => browser?.close());

  it.each([
    ['an isolated page', { isolated: true, asked: 2, threads: 2 }],
    ['a plain page, where memory cannot be shared', { isolated: false, asked: 2, threads: 1 }],
  ])('gives the bits of Node on %s', async (_, { isolated, asked, threads }) => {
    const server = await serve({ bodies, isolated });
    const { page, errors } = await openPage(browser);
    try {
      await page.goto(`${server.origin}/page.html`);
      const answer: Answer = await page.evaluate(`answer(${asked})`);
      expect(errors).toEqual([]);
      expect(answer.isolated).toBe(isolated);
      expect(answer.threads).toBe(threads);
      expect(Object.keys(answer.bytes)).toEqual(Object.keys(expected.results));
      for (const [name, values] of Object.entries(expected.results)) {
        const here = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
        expect(Buffer.from(answer.bytes[name], 'base64').equals(here), name).toBe(true);
      }
    } finally {
      await page.close();
      await server.close();
    }
  });

  it('has numbers to compare, and Node gives them with two threads too', async () => {
    const again = await computeSample(2);
    expect(again.threads).toBe(2);
    expect(again.results).toEqual(expected.results);
    for (const values of Object.values(expected.results)) {
      expect(values.every(Number.isFinite)).toBe(true);
      expect(new Set(values).size).toBeGreaterThan(30);
    }
  });
});
