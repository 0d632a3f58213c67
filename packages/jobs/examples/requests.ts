import { checkRequest, requestFiles, requestJsonSchema } from '@pelt/jobs';

// As a program wrote it down: one line of JSON for each job.
const line = '{"command":"pose","inputs":["rest.obj"],"options":{"examples":["frames"],"save":"poser.glb"}}';
const request: unknown = JSON.parse(line);

const { checked } = await checkRequest(request);
if (checked.options.controls !== 33) throw new Error('defaults are filled in');
const { reads, writes } = await requestFiles(request);
if (reads.join() !== 'rest.obj,frames' || writes.join() !== 'poser.glb') throw new Error('options name files too');

const message = await checkRequest({ command: 'fit', inputs: ['a.obj'], output: 'a.glb', options: { bones: 0 } }).catch(
  (error: Error) => error.message,
);
if (message !== "fit: --bones is 0; it must be a whole number from 1 to 65535, or 'auto'")
  throw new Error('one line with the cure');

const schema = await requestJsonSchema('pose');
if (!/"controls":\{.*"description"/.test(JSON.stringify(schema))) throw new Error('for other programs, with help');
