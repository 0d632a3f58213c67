// @ts-check
/** `npm run build:studio`: builds the studio into the package of the command that serves it. */
import { fileURLToPath } from 'node:url';
import { buildStudio } from './build-studio.mjs';

await buildStudio(fileURLToPath(new URL('../../../packages/cli/studio/', import.meta.url)));
