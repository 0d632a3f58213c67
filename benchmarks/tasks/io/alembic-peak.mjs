/**
 * Reads an archive in a process of its own and prints the peak of its memory beyond what it had before, in bytes. Looked at
 * after every frame: the peak that the system keeps may be that of the process which started this one.
 */
import { openAlembic, readAlembicSequence } from '@pelt/io';
import { openFileSource } from './file-source.mjs';

const [path] = process.argv.slice(2);
const before = process.memoryUsage.rss();
let peak = before;
const onProgress = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
const source = openFileSource(path);
const { frames } = readAlembicSequence(openAlembic(source, { name: path }), {}, { onProgress });
source.close();
console.log(JSON.stringify({ peak: peak - before, positions: frames.byteLength }));
