import base from './vitest.config.ts';

/** `npm run test:nodes`: what takes too long for `npm test`. */
export default { ...base, test: { ...base.test, include: ['scripts/packages/nodes/*.test.ts'] } };
