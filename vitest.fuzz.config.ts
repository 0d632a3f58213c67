import { defineConfig } from 'vitest/config';

/** `npm run fuzz`: readers under inputs that are guided by coverage, one after the other. */
export default defineConfig({
  resolve: { conditions: ['@pelt/source'] },
  ssr: { resolve: { conditions: ['@pelt/source'] } },
  test: {
    include: ['packages/*/test/fuzz/*.fuzz.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 0,
  },
});
