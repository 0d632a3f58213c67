import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run on the sources, not on what was built from them.
  resolve: { conditions: ['@pelt/source'] },
  ssr: { resolve: { conditions: ['@pelt/source'] } },
  test: {
    include: ['docs/*/test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/*/test/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
