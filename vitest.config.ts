import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run on the sources, not on what was built from them.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/*/test/**/*.test.ts', 'benchmarks/test/**/*.test.ts'],
    maxWorkers: 2,
    // A guard against hanging; no test is about time, which belongs to the benchmarks.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
