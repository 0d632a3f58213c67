// @ts-check
/**
 * The two pages of `pelt view`, each one HTML text with its script and styles inside: the player, which is written to
 * people's files, and the one that makes pictures and films in a browser without a window. Where the scene goes is
 * marked.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licenceTexts } from '../../../scripts/packages/licences.mjs';
import { writeBuilt } from '../../../scripts/packages/write-built.mjs';

const PACKAGE = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const OUT = resolve(PACKAGE, '../cli/viewer');

/** Where the scene's element is put in. */
const MARK = '<!--scene-->';

export async function buildPages() {
  /** @type {string[]} */
  const modules = [];
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const page of ['player', 'capture']) {
    const source = join(PACKAGE, 'src', page);
    const { code, moduleIds } = await bundle(join(source, 'main.ts'));
    modules.push(...moduleIds);
    const styles = page === 'player' ? `<style>${readFileSync(join(source, 'player.css'), 'utf8')}</style>` : '';
    const script = `<script type="module">${code.replaceAll('</script', '<\\/script')}</script>`;
    const html = readFileSync(join(source, 'index.html'), 'utf8')
      .replace('</head>', () => `${styles}</head>`)
      .replace('</body>', () => `${MARK}${script}</body>`);
    files.set(`${page}.html`, html);
  }
  files.set('LICENSES.txt', licenceTexts(modules));
  writeBuilt(OUT, files);
}

/** @param {string} entry */
async function bundle(entry) {
  const made = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['@pelt/source', 'browser', 'import', 'module', 'default'] },
  });
  const { output } = await made.generate({ format: 'esm', minify: true, codeSplitting: false });
  await made.close();
  return output[0];
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await buildPages();
