/**
 * Compiles the kernels with AssemblyScript into two wasm builds, one on shared memory (threads) and one on plain memory,
 * and embeds both as base64 in src/generated/kernels.ts, so that bundlers and Node need nothing special. Kernels of the
 * methods (@pelt/kernels) are in the same module: a thread has one instance, which is made before it starts to wait.
 *
 * Before that it writes both sides of the calls from the descriptions of the kernels: assembly/generated and
 * src/generated/calls.ts of each package. A third build checks every access to memory, for tests (`checked-source.mjs`).
 * Does nothing where the generated modules were made from the same sources by the same compiler.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { checkedSource } from './kernels/checked-source.mjs';
import { readDescriptions, writeGenerated } from './kernels/generate.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const packages = join(scripts, '../..');
const target = join(packages, 'math/src/generated/kernels.ts');
const checkedTarget = join(packages, 'math/test/generated/checked-kernels.ts');
/** The packages with kernels: those of numerics, and those of the methods over them. */
const FOLDERS = ['math', 'kernels'];
const ENTRIES = FOLDERS.map((folder) => `${folder}/assembly/index.ts`);

const COMMON = [
  '-O3 --noAssert --runtime stub --use abort= --enable simd',
  '--importMemory --initialMemory 16 --maximumMemory 65536',
].flatMap((line) => line.split(' '));
const BUILDS = { plain: [], shared: ['--enable', 'threads', '--sharedMemory'] };

const stamp = sourceStamp();
if (readIfThere(target).includes(stamp) && readIfThere(checkedTarget).includes(stamp)) process.exit(0);

writeGenerated(packages, await readDescriptions(packages, FOLDERS));
const encoded = {};
for (const [name, flags] of Object.entries(BUILDS)) encoded[name] = await compile(packages, flags);
writeModule(target, encoded);
writeModule(checkedTarget, await compileChecked());

/** @returns {Promise<string>} base64 */
async function compile(root, flags) {
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-wasm-'));
  const file = join(scratch, 'kernels.wasm');
  const { error, stderr } = await asc.main([...ENTRIES, ...COMMON, ...flags, '--baseDir', root, '-o', file]);
  if (error) {
    console.error(stderr.toString());
    process.exit(1);
  }
  const wasm = readFileSync(file).toString('base64');
  rmSync(scratch, { recursive: true });
  return wasm;
}

/** The same sources with a check at every access, in a folder of their own. */
async function compileChecked() {
  const copy = mkdtempSync(join(tmpdir(), 'pelt-checked-'));
  for (const file of assemblyFiles()) {
    const to = join(copy, file);
    mkdirSync(dirname(to), { recursive: true });
    const checker = relative(dirname(file), 'math/assembly/check-access').replace(/^(?!\.)/, './');
    writeFileSync(to, checkedSource(readFileSync(join(packages, file), 'utf8'), file, checker));
  }
  appendFileSync(
    join(copy, 'math/assembly/index.ts'),
    "export { failedAddress, failedBytes } from './check-access';\n",
  );
  const builds = {};
  for (const [name, flags] of Object.entries(BUILDS)) builds[name] = await compile(copy, flags);
  rmSync(copy, { recursive: true });
  return builds;
}

function writeModule(file, builds) {
  mkdirSync(dirname(file), { recursive: true });
  const exports = Object.entries(builds).map(
    ([name, base64]) => `export const ${name.toUpperCase()}_WASM: string =\n  '${base64}';\n`,
  );
  writeFileSync(file, `// Made by scripts/build-wasm.mjs; not edited, not committed. ${stamp}\n${exports.join('')}`);
}

/** Paths inside the folder of packages. */
function assemblyFiles() {
  return FOLDERS.flatMap((folder) =>
    filesIn(join(packages, folder, 'assembly')).map((file) => join(folder, 'assembly', file)),
  ).filter((file) => file.endsWith('.ts'));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).sort();
}

function sourceStamp() {
  const hash = createHash('sha256').update(asc.version).update(COMMON.join(' '));
  const sources = [
    ...assemblyFiles().filter((file) => !file.includes('generated')),
    ...FOLDERS.flatMap((folder) =>
      filesIn(join(packages, folder, 'descriptions')).map((file) => join(folder, 'descriptions', file)),
    ),
    ...filesIn(scripts)
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => join('math/scripts', file)),
  ];
  for (const file of sources) hash.update(file).update(readFileSync(join(packages, file)));
  return `sources ${hash.digest('hex').slice(0, 16)}`;
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
