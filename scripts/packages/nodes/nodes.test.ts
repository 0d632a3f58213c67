/**
 * The packed command line under every supported Node: the commands of the README and of the guide, one after the other,
 * must write the same bytes. `npm run test:nodes`; it installs those Nodes and takes minutes.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writePageFiles } from '../../../packages/cli/test/page-files.ts';
import { commandsOf, pages } from '../../../packages/cli/test/pages.ts';
import { installPacked, packAll } from '../install.mjs';
import { ROOT } from '../public-packages.mjs';

const VERSIONS = [20, 22, 24];
const run = promisify(execFile);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-nodes-')));
const consumer = join(scratch, 'consumer');
const files = join(scratch, 'files');
const commands = pages.flatMap((page) => commandsOf(page, true)).map(([, ...args]) => args);

beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build'], { cwd: ROOT });
  await installPacked(consumer, await packAll(join(scratch, 'tarballs')));
  mkdirSync(files);
  await writePageFiles(files);
}, 600_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** npm's package `node` carries the binaries of Node. */
async function installNode(version: number): Promise<string> {
  const folder = join(scratch, `node-${version}`);
  await run('npm', ['install', `node@${version}`, '--prefix', folder, '--no-audit', '--no-fund']);
  const node = join(folder, 'node_modules/node/bin/node');
  const { stdout } = await run(node, ['--version']);
  expect(stdout).toMatch(new RegExp(`^v${version}\\.`));
  console.log(`Node ${stdout.trim()}`);
  return node;
}

/** A hash of each file; reports are compared without the times and the memory that they tell. */
function hashes(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    names.sort().map((name) => {
      const bytes = readFileSync(join(folder, name));
      const steady = name.endsWith('.json')
        ? JSON.stringify(JSON.parse(bytes.toString()), (key, value) =>
            /seconds|megabytes/i.test(key) ? undefined : value,
          )
        : bytes;
      return [name, createHash('sha256').update(steady).digest('hex')];
    }),
  );
}

it('writes the same bytes under every Node', { timeout: 3_600_000 }, async () => {
  expect(commands.length).toBeGreaterThan(10);
  const results: Record<string, Record<string, string>>[] = [];
  for (const version of VERSIONS) {
    const node = await installNode(version);
    const folder = join(scratch, `run-${version}`);
    cpSync(files, folder, { recursive: true });
    results.push(
      Object.fromEntries(
        commands.map((args) => {
          const program = join(consumer, 'node_modules/pelt/bin/pelt.mjs');
          const { status, stderr } = spawnSync(node, [program, ...args], { cwd: folder, encoding: 'utf8' });
          expect(status, `Node ${version}: pelt ${args.join(' ')}\n${stderr}`).toBe(0);
          return [args.join(' '), hashes(folder)];
        }),
      ),
    );
  }
  for (const result of results) expect(result).toEqual(results[0]);
  const written = new Set(Object.values(results[0]).flatMap((after) => Object.values(after)));
  console.log(
    `${commands.length} commands, ${written.size} distinct files, the same under Node ${VERSIONS.join(', ')}`,
  );
});
