/** README, guide and the rest of the documentation, and the commands in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

interface Block {
  readonly language: string;
  /** After the language: `parse` for commands on files that are not there, which are only understood. */
  readonly note: string;
  readonly text: string;
}

export interface Page {
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

const guide = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !/(^|[/\\])(node_modules|dist)[/\\]/.test(name),
);
/** Of the packages: what npm shows. */
const readmes = readdirSync(join(root, 'packages'))
  .map((name) => `packages/${name}/README.md`)
  .filter((name) => existsSync(join(root, name)));
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...guide.map((name) => `docs/${name}`),
  ...readmes,
].map(readPage);

/** The lines of a page's shell blocks that call pelt, each as its words. */
export function commandsOf({ blocks }: Page, runnable: boolean): string[][] {
  return blocks
    .filter(({ language, note }) => language === 'sh' && (note !== 'parse') === runnable)
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2')))
    .map((words) => (words[0] === 'npx' ? words.slice(1) : words))
    .filter(([program]) => program === 'pelt');
}
