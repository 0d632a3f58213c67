/**
 * The layer gate: imports point down only.
 *
 *   math ← model ← { io, skin, three } ← { cli, studio };  testkit may use math and model (and is used by tests alone)
 *
 * Inside `skin`, stages never import each other: deform and solve are shared, fit, reduce, drive stand beside each
 * other. Packages are imported by name, never by a path into their sources.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What each package may import from the workspace. */
const ALLOWED = {
  math: [],
  model: ['math'],
  io: ['math', 'model'],
  skin: ['math', 'model'],
  three: ['math', 'model'],
  testkit: ['math', 'model'],
  cli: ['math', 'model', 'io', 'skin', 'testkit'],
};

/** What each folder of `skin` may import from its siblings. */
const SKIN_FOLDERS = {
  deform: [],
  mesh: [],
  solve: ['deform', 'mesh'],
  fit: ['deform', 'mesh', 'solve'],
  reduce: ['deform', 'mesh', 'solve'],
  drive: ['deform', 'mesh', 'solve'],
};

const problems = [];

for (const name of readdirSync(join(root, 'packages'))) {
  const source = join(root, 'packages', name, 'src');
  if (!(name in ALLOWED)) problems.push(`packages/${name}: not in the layer table of scripts/check-layers.mjs`);
  else for (const file of sourcesIn(source)) checkFile(name, source, file);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('layers hold');

function checkFile(name, source, file) {
  const text = readFileSync(file, 'utf8');
  const where = relative(root, file);
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
    const specifier = match[1];
    const workspace = /^(?:@pelt\/([a-z]+)|(pelt))(\/.*)?$/.exec(specifier);
    if (workspace) {
      const target = workspace[1] ?? 'cli';
      if (!ALLOWED[name].includes(target)) problems.push(`${where}: ${name} may not import ${target}`);
      continue;
    }
    if (specifier.startsWith('node:') && name !== 'cli') problems.push(`${where}: only cli may import ${specifier}`);
    if (!specifier.startsWith('.')) continue;
    const target = resolve(dirname(file), specifier);
    if (!target.startsWith(source + sep)) problems.push(`${where}: ${specifier} leaves the package's sources`);
    if (name === 'skin') checkSkinFolder(where, relative(source, file), relative(source, target));
  }
}

function checkSkinFolder(where, from, to) {
  const [fromFolder, toFolder] = [from.split(sep), to.split(sep)].map((path) => (path.length > 1 ? path[0] : ''));
  if (fromFolder === '' || fromFolder === toFolder) return;
  const allowed = SKIN_FOLDERS[fromFolder];
  if (!allowed) problems.push(`${where}: skin/${fromFolder} is not in the folder table of scripts/check-layers.mjs`);
  else if (toFolder !== '' && !allowed.includes(toFolder)) {
    problems.push(`${where}: skin/${fromFolder} may not import skin/${toFolder}`);
  }
}

function* sourcesIn(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) yield* sourcesIn(path);
    else if (path.endsWith('.ts')) yield path;
  }
}
