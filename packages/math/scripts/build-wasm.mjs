/**
 * Compiles the kernels with AssemblyScript into two wasm builds, one on shared memory (threads) and one on plain memory,
 * and embeds both as base64 in src/generated/kernels.ts, so that bundlers and Node need nothing special. Kernels of the
 * methods (@pelt/kernels) are in the same module: a thread has one instance, which is made before it starts to wait.
 * Does nothing where the generated module was made from the same sources by the same compiler.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../..');
const target = join(packages, 'math/src/generated/kernels.ts');
/** The folders of kernels: those of numerics, and those of the methods over them. */
const FOLDERS = ['math/assembly', 'kernels/assembly'];

const COMMON = [
  '-O3 --noAssert --runtime stub --use abort= --enable simd',
  '--importMemory --initialMemory 16 --maximumMemory 65536',
].flatMap((line) => line.split(' '));
const ENTRIES = FOLDERS.map((folder) => `${folder}/index.ts`);
const BUILDS = { plain: [], shared: ['--enable', 'threads', '--sharedMemory'] };

const stamp = sourceStamp();
if (readIfThere(target).includes(stamp)) process.exit(0);

const scratch = mkdtempSync(join(tmpdir(), 'pelt-wasm-'));
const encoded = {};
for (const [name, flags] of Object.entries(BUILDS)) {
  const file = join(scratch, `${name}.wasm`);
  const { error, stderr } = await asc.main([...ENTRIES, ...COMMON, ...flags, '--baseDir', packages, '-o', file]);
  if (error) {
    console.error(stderr.toString());
    process.exit(1);
  }
  encoded[name] = readFileSync(file).toString('base64');
}
rmSync(scratch, { recursive: true });

mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `// Made by scripts/build-wasm.mjs from assembly/; not edited, not committed. ${stamp}\n` +
    Object.entries(encoded)
      .map(([name, base64]) => `export const ${name.toUpperCase()}_WASM: string =\n  '${base64}';\n`)
      .join(''),
);

function sourceStamp() {
  const hash = createHash('sha256').update(asc.version).update(COMMON.join(' '));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const folder of FOLDERS) {
    for (const file of readdirSync(join(packages, folder), { recursive: true }).sort()) {
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(packages, folder, file)));
    }
  }
  return `sources ${hash.digest('hex').slice(0, 16)}`;
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
