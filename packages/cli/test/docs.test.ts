/** Nothing that README and guide say may rot: their commands and code run, their options, scripts and links exist. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FrameMeshes, writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { frameCount } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePuppetFixtures } from './puppet-fixtures.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const pelt = join(root, 'packages/cli/bin/pelt.mjs');

interface Block {
  readonly language: string;
  /** After the language: `parse` for commands on files that are not there, which are only understood. */
  readonly note: string;
  readonly text: string;
}

interface Page {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

function readPage(name: string): Page {
  const text = readFileSync(join(root, name), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language, note, body]) => ({
    language,
    note,
    text: body,
  }));
  return { name, text, blocks };
}

const guide = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...guide.map((name) => `docs/${name}`)].map(readPage);

/** The lines of a page's shell blocks that call pelt, each as its words. */
function commandsOf({ blocks }: Page, runnable: boolean): string[][] {
  return blocks
    .filter(({ language, note }) => language === 'sh' && (note !== 'parse') === runnable)
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2')))
    .map((words) => (words[0] === 'npx' ? words.slice(1) : words))
    .filter(([program]) => program === 'pelt');
}

/** What the pages work on: a mesh, its cache, the same as a folder of frames, a skinned character, a dog and a performance. */
async function makeFiles(folder: string): Promise<void> {
  const { sequence, rig, clip } = creatureScene({ frames: 6, detail: 0.11 });
  const meshes = new FrameMeshes(sequence);
  mkdirSync(join(folder, 'frames'));
  writeFileSync(join(folder, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'clip.pc2'), writePc2(sequence));
  for (let t = 0; t < frameCount(sequence); t++) {
    writeFileSync(join(folder, 'frames', `frame-${t + 1}.obj`), writeObj(meshes.at(t))[0].bytes);
  }
  writeFileSync(join(folder, 'character.glb'), (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
  await writePuppetFixtures(folder);
}

function run(args: readonly string[], cwd: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('pages', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-docs-'));
  beforeAll(() => makeFiles(scratch));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it.each(pages.filter((page) => commandsOf(page, true).length > 0))(
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

  it('the code of getting started runs', () => {
    const page = pages.find(({ name }) => name === 'docs/guide/getting-started.md');
    const [block] = page?.blocks.filter(({ language }) => language === 'js') ?? [];
    const files = ['rest.obj', 'clip.pc2'].map((name) => `readFileSync('${name}')`);
    const around = `import { readFileSync } from 'node:fs';\nconst [restBytes, clipBytes] = [${files}];\n`;
    const use = "console.log(error.eRms < 20, bytes.length > 1000, 'done');";
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
    writeFileSync(join(scratch, 'example.mjs'), around + block.text + use);
    expect(run(['example.mjs'], scratch)).toEqual({ status: 0, output: 'true true done\n' });
  });

  it('the options exist', () => {
    const commands = run([pelt, '--help'], root).output.matchAll(/^ {2}(\w+) .*$/gm);
    const helps = [...commands].map(([, command]) => run([pelt, command, '--help'], root).output);
    for (const script of ['scripts/figures/view.mjs', 'benchmarks/run.mjs']) {
      helps.push(run([join(root, script), '--help'], root).output);
    }
    const known = new Set(helps.join('\n').match(/--[a-z][a-z-]*/g));
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
    const contents = readFileSync(join(root, 'docs/guide/README.md'), 'utf8');
    for (const name of readdirSync(join(root, 'docs/guide')).filter((file) => file !== 'README.md')) {
      expect(contents).toContain(`](${name})`);
    }
  });
});
