// @ts-check
/** `npm run build:studio`: makes the examples and builds the studio into the package of the command that serves it. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import './examples.mjs';

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
await build({ configFile, logLevel: 'warn' });
