/** Nothing that README and guide say may rot: their commands run, their options, scripts and links exist. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPelt } from './built-pelt.ts';
import { writePageFiles } from './page-files.ts';
import { commandsOf, pages, root } from './pages.ts';

const pelt = join(root, 'packages/cli/bin/pelt.mjs');
/** Options that pages name of other programs, and of scripts without help. */
const OTHER_OPTIONS = [
  '--addons',
  '--dry-run',
  '--global',
  '--job-key',
  '--project',
  '--python-expr',
  '--serve',
  '--without-times',
  '--write',
];
/** Recipes have files and a test of their own. */
const isRecipe = ({ name }: { name: string }) => name.startsWith('docs/guide/recipes/');

function run(args: readonly string[], cwd: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('pages', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-docs-'));
  beforeAll(() => {
    buildPelt();
    return writePageFiles(scratch);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it.each(pages.filter((page) => !isRecipe(page) && commandsOf(page, true).length > 0))(
    'the commands of $name run',
    (page) => {
      for (const [, ...args] of commandsOf(page, true)) {
        const { status, output } = run([pelt, ...args], scratch);
        expect(status, `pelt ${args.join(' ')}\n${output}`).toBe(0);
      }
    },
    300_000,
  );

  it('the commands on other files are understood', () => {
    for (const [, ...args] of pages.flatMap((page) => commandsOf(page, false))) {
      const { status, output } = run([pelt, ...args], scratch);
      // 1 is a usage error; a file that is not there is another one.
      expect(status, `pelt ${args.join(' ')}\n${output}`).not.toBe(1);
    }
  });

  it('the options exist', () => {
    const commands = run([pelt, '--help'], root).output.matchAll(/^ {2}(\w+) .*$/gm);
    const helps = [...commands].map(([, command]) => run([pelt, command, '--help'], root).output);
    for (const script of ['scripts/figures/view.mjs', 'benchmarks/run.mjs', 'scripts/start.mjs']) {
      helps.push(run([join(root, script), '--help'], root).output);
    }
    const known = new Set([...(helps.join('\n').match(/--[a-z][a-z-]*/g) ?? []), ...OTHER_OPTIONS]);
    expect(known).toContain('--bones');
    for (const { name, text } of pages) {
      for (const [option] of text.matchAll(/--[a-z][a-z-]*/g)) expect(known, `${option} in ${name}`).toContain(option);
    }
  });

  it('the npm scripts exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    for (const { name, text } of pages) {
      for (const [, script] of text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)) {
        expect(Object.keys(scripts), `npm run ${script} in ${name}`).toContain(script);
      }
    }
  });

  it('the links and pictures lead somewhere', () => {
    for (const { name, text } of pages) {
      for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
        const path = join(root, dirname(name), target);
        expect(existsSync(path), `${target} in ${name}`).toBe(true);
        expect(relative(root, path).startsWith('..'), `${target} in ${name}`).toBe(false);
      }
    }
  });

  it('every page of the guide is in its table of contents', () => {
    const lists = ['', 'recipes/'].map((folder) => ({
      contents: readFileSync(join(root, 'docs/guide', folder, 'README.md'), 'utf8'),
      names: readdirSync(join(root, 'docs/guide', folder)).filter((file) => /(?<!README)\.md$/.test(file)),
    }));
    for (const { contents, names } of lists) for (const name of names) expect(contents).toContain(`](${name})`);
    expect(lists[0].contents).toContain('](recipes/README.md)');
  });
});
