import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run on the sources, not on what was built from them.
  resolve: { conditions: ['@pelt/source'] },
  ssr: { resolve: { conditions: ['@pelt/source'] } },
  test: {
    include: [
      'apps/*/test/**/*.test.ts',
      'benchmarks/test/**/*.test.ts',
      'docs/*/test/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'scripts/*/test/**/*.test.ts',
    ],
    maxWorkers: 2,
    // A guard against hanging; no test is about time, which belongs to the benchmarks.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
