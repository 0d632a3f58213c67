// @ts-check
/** Runs commands on files made for them and hashes what they read, write and report. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from '../packages/public-packages.mjs';

const PELT = join(ROOT, 'packages/cli/bin/pelt.mjs');

/** What the tests of the command line make, from the sources; Node does not load TypeScript. */
const MAKERS = {
  chain: ['packages/cli/test/fixtures.ts', 'writeChainFiles'],
  creature: ['packages/cli/test/page-files.ts', 'writePageFiles'],
  body: ['packages/cli/test/fixtures.ts', 'writeBodyFiles'],
  face: ['packages/cli/test/fixtures.ts', 'writeFaceFiles'],
};

/** Commands without numerics do not know the option. */
const WITHOUT_THREADS = ['info', 'convert', 'puppet', 'clean', 'compare', 'view'];

/**
 * @param {readonly import('./commands.mjs').Command[]} commands
 * @param {{ threads?: number, onCommand?: (command: string) => void }} [options]
 * @returns {Promise<Record<string, string>>} a SHA-256 per line: `folder/file` of an input, `folder: command > file` of an
 *   output and `folder: command > report`
 */
export async function hashOutputs(commands, { threads = 1, onCommand = () => {} } = {}) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-outputs-')));
  try {
    /** @type {Record<string, string>} */
    const hashes = {};
    /** @type {Map<string, Map<string, string>>} */
    const known = new Map();
    for (const { folder, args } of commands) {
      const at = join(scratch, folder);
      if (!known.has(folder)) {
        mkdirSync(at);
        await makeFiles(folder, at, scratch);
        known.set(folder, hashFolder(at));
        for (const [name, hash] of known.get(folder) ?? []) hashes[`${folder}/${name}`] = hash;
      }
      onCommand(args);
      const report = runPelt(args, at, threads);
      const after = hashFolder(at);
      for (const [name, hash] of after) {
        if (known.get(folder)?.get(name) !== hash) hashes[`${folder}: ${args} > ${name}`] = hash;
      }
      hashes[`${folder}: ${args} > report`] = hashOf(steadyReport(report));
      known.set(folder, after);
    }
    return hashes;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * @param {string} args
 * @param {string} cwd
 * @param {number} threads
 */
function runPelt(args, cwd, threads) {
  const words = [...args.split(' '), '--json'];
  if (!WITHOUT_THREADS.includes(words[0])) words.push('--threads', `${threads}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [PELT, ...words], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`pelt ${args} ended with ${status}: ${stderr}`);
  return stdout;
}

/**
 * The report without what a run takes, which is never the same twice.
 *
 * @param {string} text
 */
export function steadyReport(text) {
  return JSON.stringify(JSON.parse(text), (key, value) =>
    /seconds|milliseconds|megabytes|^threads$|perFrame/i.test(key) ? undefined : value,
  );
}

/**
 * @param {string} folder
 * @returns {Map<string, string>} a hash per file
 */
function hashFolder(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, hashOf(readFileSync(join(folder, name)))]));
}

/** @param {string | Uint8Array} data */
function hashOf(data) {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * @param {import('./commands.mjs').Command['folder']} kind
 * @param {string} folder
 * @param {string} scratch
 */
async function makeFiles(kind, folder, scratch) {
  const [source, name] = MAKERS[kind];
  const bundle = await rolldown({
    input: join(ROOT, source),
    platform: 'node',
    resolve: { conditionNames: ['@pelt/source', 'node', 'import', 'module', 'default'] },
  });
  const made = join(scratch, `${kind}-files`);
  await bundle.write({ dir: made, format: 'esm', entryFileNames: 'make.mjs' });
  await bundle.close();
  const module = await import(pathToFileURL(join(made, 'make.mjs')).href);
  await module[name](folder);
}
