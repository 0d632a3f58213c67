// @ts-check
/** `npm run examples`: makes the models and serves the examples on the loopback. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { exampleModels } from './example-models.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
mkdirSync(`${folder}public/models`, { recursive: true });
console.log('making models');
for (const [name, bytes] of await exampleModels()) writeFileSync(`${folder}public/models/${name}.glb`, bytes);
const server = await createServer({ configFile: false, root: folder, server: { host: '127.0.0.1' } });
await server.listen();
const [url] = server.resolvedUrls?.local ?? [];
for (const page of ['creature', 'envelope', 'two-layer', 'drag', 'crowd']) console.log(`${url}${page}.html`);
