/** The jobs in a worker of a real browser, bundled as an application would, write the bytes that the command line writes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeMdd, writeObj, writeSkinnedGlb } from '@pelt/io';
import { elbowScene } from '@pelt/testkit';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../../../scripts/browser/launch.mjs';
import { serve } from '../../../../scripts/browser/serve.mjs';
import { buildPelt, pelt } from '../../../cli/test/built-pelt.ts';
import { scratchFolder } from '../../../cli/test/scratch-folder.ts';
import { flagOf } from '../../src/commands.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { bodyFiles } from '../body-files.ts';
import { chainFiles } from '../chain-files.ts';
import { dogFiles } from '../dog-files.ts';
import type { TestFiles } from '../workspace.ts';
import type { WorkerOrder } from './worker.ts';

/** What the page runs: `run(order)` asks a new worker. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
window.run = (order) => new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data: { report, written, error } }) => {
    worker.terminate();
    if (error) return reject(new Error(error));
    const encode = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    resolve({ report, written: written.map(([path, bytes]) => [path, encode(bytes)]) });
  };
  worker.postMessage(order);
});
</script>`;

interface Answer {
  readonly report: { readonly warnings: readonly string[]; readonly threads?: number };
  /** Path and base64. */
  readonly written: readonly (readonly [string, string])[];
}

async function elbowFiles(): Promise<TestFiles> {
  const { rig, clip, sequence } = elbowScene({ frames: 5, rings: 9, sides: 6 });
  return {
    'rig.glb': (await writeSkinnedGlb({ rig, clips: [clip] })).bytes,
    'rest.obj': writeObj(sequence.rest)[0].bytes,
    'clip.mdd': writeMdd(sequence),
  };
}

const SETS = { chain: chainFiles, dog: dogFiles, body: bodyFiles, elbow: elbowFiles };

interface Case {
  readonly request: JobRequest;
  readonly set: keyof typeof SETS;
  readonly hold?: WorkerOrder['hold'];
  readonly threads?: number;
}

const CHAIN = ['rest.obj', 'clip.pc2'];
const CASES: Readonly<Record<string, Case>> = {
  fit: { set: 'chain', request: { command: 'fit', inputs: CHAIN, output: 'fit.glb', options: { bones: 3 } } },
  'fit with two threads': {
    set: 'chain',
    threads: 2,
    request: { command: 'fit', inputs: CHAIN, output: 'fit.glb', options: { bones: 3 } },
  },
  'fit of dropped files': {
    set: 'chain',
    hold: 'blobs',
    request: {
      command: 'fit',
      inputs: ['frames'],
      output: 'fit.glb',
      options: { bones: 2, method: 'affine', eigenskin: 1 },
    },
  },
  skeleton: {
    set: 'chain',
    request: { command: 'skeleton', inputs: ['frames'], output: 'jointed.glb', options: { bones: 3 } },
  },
  reduce: {
    set: 'chain',
    request: {
      command: 'reduce',
      inputs: ['character.glb', ...CHAIN],
      output: 'small.glb',
      options: { weights: 2, compress: 'meshopt' },
    },
  },
  pose: {
    set: 'chain',
    request: {
      command: 'pose',
      inputs: ['rest.obj'],
      output: 'posed.obj',
      options: {
        examples: ['frames'],
        controls: 3,
        handle: [{ vertex: 140, target: [1, 0.5, 0] }],
        save: 'poser.glb',
      },
    },
  },
  puppet: {
    set: 'dog',
    request: {
      command: 'puppet',
      inputs: ['dog.glb'],
      output: 'out.glb',
      options: { motion: 'me.bvh', pairs: 'dog.json', contacts: 'auto', loose: ['tail 1'] },
    },
  },
  volume: {
    set: 'body',
    request: {
      command: 'volume',
      inputs: ['body.obj'],
      output: 'moved.glb',
      options: { rig: 'character.glb', step: 4, bones: 3, tolerance: 0.01 },
    },
  },
  envelope: {
    set: 'elbow',
    request: {
      command: 'envelope',
      inputs: ['rig.glb', 'rest.obj', 'clip.mdd'],
      output: 'learnt.glb',
      options: { train: [1, 3, 5], proxies: 4 },
    },
  },
};

/** The same request for a shell. */
function argumentsOf({ command, inputs, output, options = {} }: JobRequest): string[] {
  const words = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const list = Array.isArray(value) ? (value as unknown[]) : [value];
    if (name === 'handle') {
      const handles = list as { vertex: number; target: number[] }[];
      return handles.flatMap(({ vertex, target }) => ['--handle', `${vertex}=${target.join(',')}`]);
    }
    return [flagOf(name), ...(name === 'train' ? [list.join(',')] : list.map(String))];
  });
  return [command, ...inputs, ...words, '-o', output ?? ''];
}

async function bundleWorker(): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@pelt/source'] },
    build: {
      write: false,
      minify: true,
      lib: {
        entry: fileURLToPath(new URL('worker.ts', import.meta.url)),
        formats: ['es'],
        fileName: () => 'worker.js',
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('the bundler watches instead of building');
  return new Map(output.output.map((part) => [`/${part.fileName}`, part.type === 'chunk' ? part.code : part.source]));
}

describe('jobs in a worker', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  const bodies = new Map<string, string | Uint8Array>([['/page.html', PAGE]]);
  const paths: Partial<Record<keyof typeof SETS, string[]>> = {};

  beforeAll(async () => {
    buildPelt();
    for (const [path, body] of await bundleWorker()) bodies.set(path, body);
    for (const [set, make] of Object.entries(SETS)) {
      const files = await make();
      paths[set as keyof typeof SETS] = Object.keys(files);
      for (const [path, bytes] of Object.entries(files)) bodies.set(`/files/${set}/${path}`, bytes);
    }
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(CASES))('%s', async (_, { request, set, hold = 'memory', threads = 1 }) => {
    const own = scratchFolder();
    for (const path of paths[set] ?? []) {
      mkdirSync(dirname(join(own, path)), { recursive: true });
      writeFileSync(join(own, path), bodies.get(`/files/${set}/${path}`) ?? '');
    }
    const shell = await pelt([...argumentsOf(request), '--json'], own);
    expect(shell.code, shell.stderr).toBe(0);

    const server = await serve({ bodies, isolated: threads > 1 });
    const { page, errors } = await openPage(browser);
    try {
      await page.goto(`${server.origin}/page.html`);
      const order = { request, folder: `/files/${set}`, paths: paths[set], hold, threads };
      const { report, written }: Answer = await page.evaluate(`run(${JSON.stringify(order)})`);
      expect(errors).toEqual([]);
      expect(written.length).toBeGreaterThan(0);
      for (const [path, base64] of written) {
        expect(Buffer.from(base64, 'base64').equals(readFileSync(join(own, path))), path).toBe(true);
      }
      expect(report.warnings).toEqual(JSON.parse(shell.stdout).warnings);
      if (report.threads !== undefined) expect(report.threads).toBe(threads);
    } finally {
      await page.close();
      await server.close();
    }
  });
});
