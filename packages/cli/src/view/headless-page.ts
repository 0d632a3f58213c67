/**
 * One page in a browser without a window. Its HTML is handed to the browser when it asks for the only address that
 * there is: nothing is served, no file is written, and no name resolves, so nothing leaves the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { UnsupportedError } from '@pelt/model';
import { DevtoolsPipe } from './devtools-pipe.ts';
import { BROWSER_ADVICE } from './system-browser.mjs';

/** Video encoders work on secure pages alone; the name is one that never exists. */
const ADDRESS = 'https://view.pelt.invalid/';

/** WebGL in software: the same picture with and without a graphics card. */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--hide-scrollbars',
  '--mute-audio',
  '--host-resolver-rules=MAP * ~NOTFOUND',
];
/** Chromium's sandbox refuses to run as root, and the page is our own. */
const UNSANDBOXED = ['--no-sandbox', '--disable-setuid-sandbox'];
const START_MS = 60_000;
/** How long a browser may take to end by itself. */
const CLOSE_MS = 5000;

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

export class HeadlessPage {
  readonly #browser: ChildProcess;
  readonly #pipe: DevtoolsPipe;
  readonly #profile: string;
  #session = '';
  #closed = false;

  private constructor(browser: ChildProcess, pipe: DevtoolsPipe, profile: string) {
    this.#browser = browser;
    this.#pipe = pipe;
    this.#profile = profile;
    browser.once('close', () => {
      this.#closed = true;
    });
  }

  /** @param program  path of Chromium or Chrome */
  static async open(program: string, html: string): Promise<HeadlessPage> {
    const root = process.getuid?.() === 0;
    try {
      return await HeadlessPage.#start(program, html, root ? UNSANDBOXED : []);
    } catch (error) {
      // Containers often forbid what the sandbox needs.
      if (root || !(error instanceof Error) || !/sandbox/i.test(error.message)) throw error;
      return await HeadlessPage.#start(program, html, UNSANDBOXED);
    }
  }

  static async #start(program: string, html: string, flags: readonly string[]): Promise<HeadlessPage> {
    const profile = mkdtempSync(join(tmpdir(), 'pelt-view-'));
    const browser = spawn(program, [...FLAGS, ...flags, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [, , complaints, to, from] = browser.stdio as [null, null, Readable, Writable, Readable];
    const pipe = new DevtoolsPipe(to, from);
    let said = '';
    complaints.on('data', (chunk) => {
      said = (said + chunk).slice(-4000);
    });
    const fail = (what: string) => {
      const [last = ''] = said
        .split('\n')
        .filter((line) => /error|sandbox|cannot|fail/i.test(line))
        .slice(-1);
      pipe.end(
        new UnsupportedError(`the browser '${program}' ${what}${last && `: ${last.trim()}`}; ${BROWSER_ADVICE}`),
      );
    };
    browser.on('error', () => fail('does not start'));
    browser.on('exit', () => fail('ended'));
    const page = new HeadlessPage(browser, pipe, profile);
    const late = setTimeout(() => fail('does not answer'), START_MS);
    try {
      await page.#load(html);
      return page;
    } catch (error) {
      await page.close();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  async #load(html: string): Promise<void> {
    const pipe = this.#pipe;
    const { targetId } = await pipe.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const attached = await pipe.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    this.#session = attached.sessionId;
    const body = Buffer.from(html).toString('base64');
    pipe.on('Fetch.requestPaused', ({ requestId, request }: { requestId: string; request: { url: string } }) => {
      const found = request.url === ADDRESS;
      const answer = found
        ? { responseCode: 200, responseHeaders: [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }], body }
        : { responseCode: 404 };
      void this.#send('Fetch.fulfillRequest', { requestId, ...answer }).catch(() => {});
    });
    await this.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await this.#send('Page.enable');
    const loaded = new Promise<void>((resolve) => pipe.on('Page.loadEventFired', () => resolve()));
    await this.#send('Page.navigate', { url: ADDRESS });
    await loaded;
  }

  #send<T>(method: string, params: object = {}): Promise<T> {
    return this.#pipe.send<T>(method, params, this.#session);
  }

  /** The value of an expression, or of what it promises. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<Evaluated>('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (!exceptionDetails) return result.value as T;
    const [line] = (exceptionDetails.exception?.description ?? exceptionDetails.text).split('\n');
    throw new UnsupportedError(`the browser could not draw this: ${line.replace(/^Error: /, '')}`);
  }

  async close(): Promise<void> {
    // Its helpers hold its pipes: when those have closed, all of them have ended.
    const gone = new Promise((resolve) => this.#browser.once('close', resolve));
    const patience = setTimeout(() => this.#browser.kill('SIGKILL'), CLOSE_MS);
    void this.#pipe.send('Browser.close').catch(() => this.#browser.kill('SIGKILL'));
    if (!this.#closed) await gone;
    clearTimeout(patience);
    try {
      rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // A folder of temporary files is no reason to lose a picture.
    }
  }
}
