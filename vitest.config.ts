import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Tests of pure functions share a module graph per worker: with one per file, loading the sources took a third of the
 * time. Tests that change the folder, spawn processes or drive a browser have a worker of their own.
 */
const PURE = ['baselines', 'io', 'kernels', 'math', 'model', 'pack', 'skin', 'testkit'].map(
  (name) => `packages/${name}/test/**/*.test.ts`,
);

/** Tests run on the sources, not on what was built from them. */
const SOURCES = {
  resolve: { conditions: ['@pelt/source'] },
  ssr: { resolve: { conditions: ['@pelt/source'] } },
};

/**
 * Tests that count bytes on the heap. What the engine boxes depends on what ran in the process before and on when its
 * compiler's thread got a turn; alone, and compiled in the foreground, the count is the same to the byte under any load.
 */
const COUNTING = ['packages/**/test/**/allocation.test.ts'];

/**
 * Kernels again, on a build that checks every access to memory and the sizes of all arguments. Nothing of it is part of the
 * packages: the modules with the kernels and with the allocator are exchanged.
 */
const CHECKED = [
  'packages/kernels/test/**/*.test.ts',
  'packages/math/test/{dense,simplex}/*.test.ts',
  'packages/math/test/{numerics,small/rotation,sparse/cholesky}.test.ts',
  'packages/math/test/checked/*.checked.ts',
];
const EXCHANGED = [
  { find: /^\.\.\/generated\/kernels\.ts$/, replacement: at('packages/math/test/generated/checked-kernels.ts') },
  { find: /^\.\/allocator\.ts$/, replacement: at('packages/math/test/checked/allocator.ts') },
];

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** A guard against hanging; no test is about time, which belongs to the benchmarks. */
const TIMEOUTS = { testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  ...SOURCES,
  test: {
    maxWorkers: 2,
    projects: [
      {
        ...SOURCES,
        test: {
          name: 'pure',
          include: PURE,
          exclude: ['**/test/browser/**', ...COUNTING],
          isolate: false,
          ...TIMEOUTS,
        },
      },
      {
        ...SOURCES,
        resolve: { ...SOURCES.resolve, alias: EXCHANGED },
        test: {
          name: 'checked',
          include: CHECKED,
          exclude: ['**/test/browser/**'],
          isolate: false,
          setupFiles: ['packages/math/test/checked/setup.ts'],
          ...TIMEOUTS,
        },
      },
      {
        ...SOURCES,
        test: {
          name: 'counting',
          include: COUNTING,
          execArgv: ['--no-concurrent-recompilation', '--single-threaded-gc'],
          ...TIMEOUTS,
        },
      },
      {
        ...SOURCES,
        test: {
          name: 'apart',
          include: [
            'apps/*/test/**/*.test.ts',
            'benchmarks/test/**/*.test.ts',
            'docs/*/test/**/*.test.ts',
            'integrations/*/test/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'scripts/*/test/**/*.test.ts',
          ],
          exclude: [
            '**/node_modules/**',
            ...COUNTING,
            ...PURE.map((pattern) => pattern.replace('test/**', 'test/!(browser)/**')),
            ...PURE.map((pattern) => pattern.replace('**/', '')),
          ],
          ...TIMEOUTS,
        },
      },
    ],
  },
});
