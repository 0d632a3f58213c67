/**
 * The layer gate: imports point down only, and no result depends on the engine that computed it.
 *
 *   math ← { kernels, model } ← { io ← pack, skin ← three } ← jobs ← farm ← cli;  testkit may use math and model (and is used by tests alone)
 *
 * Inside `skin` there is one folder per method over `shared`, and methods import each other only where the table says
 * so. Run-time code never imports training code, so that a page that only plays a model carries no trainer. Packages are
 * imported by name, never by a path into their sources. No file of the workspace has more than 400 lines.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What each package may import from the workspace. */
const ALLOWED = {
  math: [],
  kernels: ['math'],
  model: ['math'],
  io: ['math', 'model'],
  pack: ['math', 'model', 'io'],
  skin: ['math', 'kernels', 'model'],
  baselines: ['math', 'kernels', 'model', 'skin'],
  three: ['math', 'model', 'skin'],
  testkit: ['math', 'model'],
  jobs: ['math', 'model', 'io', 'pack', 'skin', 'baselines'],
  viewer: ['jobs'],
  farm: ['model', 'jobs'],
  tracker: [],
  babylon: ['math', 'model', 'skin'],
  cli: ['farm', 'io', 'math', 'model', 'jobs'],
  studio: ['math', 'model', 'io', 'skin', 'jobs', 'three'],
};

/** Packages that run in Node alone; all others run in browsers too. */
const FOR_NODE = ['farm', 'cli', 'tracker'];

/** Packages whose results are the same bits on every engine, and the functions of `Math` that are not. */
const PORTABLE = ['math', 'kernels', 'model', 'io', 'pack', 'skin', 'baselines', 'jobs'];
const ENGINE_MATHS = /\bMath\.(?:a?(?:sin|cos|tan)h?|atan2|exp|expm1|log|log1p|log2|log10|cbrt|pow|random)\b/g;

/** What `three` may import of `skin`: run time alone. */
const SKIN_FOR_THREE = /^@pelt\/skin\/(?:blending|[a-z]+\/runtime)$/;

/** What each method of `skin` may import from its siblings; the index of the package is free. */
const SKIN_FOLDERS = {
  shared: [],
  decompose: ['shared'],
  skeleton: ['shared', 'decompose'],
  embed: ['shared', 'skeleton'],
  sliders: ['shared', 'decompose'],
  reduce: ['shared'],
  envelope: ['shared', 'decompose'],
  capsules: ['shared'],
  dynamics: ['shared', 'capsules', 'decompose', 'envelope'],
  pose: ['shared'],
  volume: ['shared'],
  teach: ['shared', 'envelope'],
  tetrahedra: ['shared'],
  puppet: ['shared', 'capsules'],
  play: ['shared', 'capsules', 'decompose', 'reduce', 'dynamics', 'envelope'],
};

/** What run-time code (a `runtime` folder of a method, and skinning itself) may import inside `skin`. */
const RUNTIME = /^(?:[a-z]+\/(?:runtime\/.+|options\.ts)|shared\/(?:blending|mesh|gradients)\/.+)$/;
const IN_RUNTIME = /^(?:[a-z]+\/runtime|shared\/blending)\//;

/** What each folder of `jobs` may import from the others: commands, over what they share. */
const JOB_SHARED = ['request', 'files', 'memory', 'input', 'outputs'];
const JOB_FOLDERS = {
  request: [],
  files: [],
  memory: ['request'],
  input: ['request', 'files', 'memory'],
  outputs: ['request', 'files', 'memory', 'input'],
  compare: JOB_SHARED,
  convert: JOB_SHARED,
  envelope: JOB_SHARED,
  fit: JOB_SHARED,
  info: JOB_SHARED,
  pose: JOB_SHARED,
  puppet: JOB_SHARED,
  clean: JOB_SHARED,
  reduce: [...JOB_SHARED, 'fit'],
  skeleton: [...JOB_SHARED, 'fit'],
  sliders: JOB_SHARED,
  study: [...JOB_SHARED, 'envelope', 'puppet'],
  view: JOB_SHARED,
  volume: JOB_SHARED,
};

/** What each folder of the studio may import from the others: the store knows neither workers nor pictures. */
const STUDIO_FOLDERS = {
  store: [],
  jobs: ['store'],
  viewport: ['store', 'jobs'],
  panels: ['store', 'jobs', 'viewport'],
};

/** More than anybody reads at once. */
const MOST_LINES = 400;
/** Folders with sources, and what is not ours to read: generated and built files. */
const SOURCES = ['packages', 'apps', 'benchmarks', 'docs', 'integrations', 'scripts'];
const NOT_WRITTEN = /^(?:node_modules|dist|generated|bundle|results|public|studio-dist|__pycache__)$/;

const problems = [];

for (const folder of SOURCES) for (const file of filesIn(join(root, folder))) checkLength(file);

for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    // What is left of a package that was removed: built files, which git ignores.
    if (!existsSync(join(root, group, name, 'package.json'))) continue;
    const source = join(root, group, name, 'src');
    if (!(name in ALLOWED)) problems.push(`${group}/${name}: not in the layer table of scripts/check-layers.mjs`);
    else for (const file of sourcesIn(source)) checkFile(name, source, file);
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('layers hold');

function checkFile(name, source, file) {
  // Examples in comments import what they like.
  const text = readFileSync(file, 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '');
  const where = relative(root, file);
  for (const [call] of PORTABLE.includes(name) ? text.matchAll(ENGINE_MATHS) : []) {
    problems.push(`${where}: ${call} differs between engines; take it from @pelt/math`);
  }
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
    const specifier = match[1];
    const workspace = /^(?:@pelt\/([a-z]+)|(pelt))(\/.*)?$/.exec(specifier);
    if (workspace) {
      const target = workspace[1] ?? 'cli';
      if (!ALLOWED[name].includes(target)) problems.push(`${where}: ${name} may not import ${target}`);
      if (name === 'three' && target === 'skin' && !SKIN_FOR_THREE.test(specifier)) {
        problems.push(`${where}: three imports run time alone, such as '@pelt/skin/pose/runtime', not '${specifier}'`);
      }
      continue;
    }
    if (specifier.startsWith('node:') && !FOR_NODE.includes(name)) {
      problems.push(`${where}: only ${FOR_NODE.join(' and ')} may import ${specifier}`);
    }
    if (!specifier.startsWith('.')) continue;
    const target = resolve(dirname(file), specifier);
    if (!target.startsWith(source + sep)) problems.push(`${where}: ${specifier} leaves the package's sources`);
    const [from, to] = [relative(source, file), relative(source, target)];
    if (name === 'studio') checkStudioFolder(where, from, to);
    if (name === 'jobs') checkFolder(name, JOB_FOLDERS, where, from, to);
    if (name !== 'skin') continue;
    checkFolder(name, SKIN_FOLDERS, where, from, to);
    // Types are erased: they bring no training code along.
    if (!isTypeOnly(text, match.index)) checkRuntime(where, from, to);
  }
}

/** Whether the import or export that ends at `end` is of types alone. */
function isTypeOnly(text, end) {
  const start = Math.max(text.lastIndexOf('import ', end), text.lastIndexOf('export ', end));
  return /^(?:import|export)\s+type\s/.test(text.slice(start));
}

/** Files beside the folders, such as an index, are free. */
function checkFolder(name, table, where, from, to) {
  const [fromFolder, toFolder] = [from.split(sep), to.split(sep)].map((path) => (path.length > 1 ? path[0] : ''));
  if (fromFolder === '' || fromFolder === toFolder) return;
  const allowed = table[fromFolder];
  if (!allowed) problems.push(`${where}: ${name}/${fromFolder} is not in the folder table of scripts/check-layers.mjs`);
  else if (toFolder !== '' && !allowed.includes(toFolder)) {
    problems.push(`${where}: ${name}/${fromFolder} may not import ${name}/${toFolder}`);
  }
}

function checkStudioFolder(where, from, to) {
  const [fromFolder, toFolder] = [from, to].map((path) => path.split(sep)[0]);
  const allowed = STUDIO_FOLDERS[fromFolder];
  // Files beside the folders put them together.
  if (!allowed || fromFolder === toFolder || !(toFolder in STUDIO_FOLDERS)) return;
  if (!allowed.includes(toFolder)) problems.push(`${where}: studio/${fromFolder} may not import studio/${toFolder}`);
}

function checkRuntime(where, from, to) {
  const paths = [from, to].map((path) => path.split(sep).join('/'));
  if (IN_RUNTIME.test(paths[0]) && !RUNTIME.test(paths[1])) {
    problems.push(`${where}: run-time code may not import '${paths[1]}', which is training code`);
  }
}

function checkLength(file) {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1;
  if (lines > MOST_LINES)
    problems.push(`${relative(root, file)}: ${lines} lines are more than ${MOST_LINES}; split it`);
}

function sourcesIn(folder) {
  return [...filesIn(folder)].filter((file) => /\.tsx?$/.test(file));
}

function* filesIn(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) {
      if (!NOT_WRITTEN.test(entry)) yield* filesIn(path);
    } else if (/\.(?:tsx?|mjs)$/.test(path)) yield path;
  }
}
