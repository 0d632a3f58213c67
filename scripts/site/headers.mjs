// @ts-check
/** The headers of static hosts that take them from a file called `_headers`. */

/** Cross-origin isolation lets threads share memory; the rest is what `pelt studio` sends. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const ALL = { ...ISOLATION, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' };

export const HEADERS_FILE = [
  '/*',
  ...Object.entries(ALL).map(([name, value]) => `  ${name}: ${value}`),
  '/studio/assets/*',
  '  Cache-Control: public, max-age=31536000, immutable',
  '',
].join('\n');
