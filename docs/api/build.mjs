// @ts-check
/** `npm run docs:api`: the API reference as static pages in docs/api/dist. */
import { join, relative } from 'node:path';
import { ROOT } from '../../scripts/packages/public-packages.mjs';
import { readReference } from './reference.mjs';

const out = join(ROOT, 'docs/api/dist');
const { app, project } = await readReference();
app.validate(project);
await app.generateDocs(project, out);
if (app.logger.hasErrors()) process.exit(1);
console.log(`the reference is in ${relative(process.cwd(), join(out, 'index.html'))}`);
