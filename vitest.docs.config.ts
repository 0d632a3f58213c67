import { defineConfig } from 'vitest/config';

/** `npm run test:docs`: the built documentation in a browser, which takes too long for `npm test`. */
export default defineConfig({
  test: { include: ['docs/site/walk/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: 1 },
});
