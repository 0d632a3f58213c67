import { MemoryFiles, openShapes } from '@pelt/jobs';

const text = (lines: string[]) => new TextEncoder().encode(lines.join('\n'));
const [a, b, face] = ['v 1 0 0', 'v 0 1 0', 'f 1 2 3'];
const files = new MemoryFiles([
  ['neutral.obj', text(['v 0 0 0', a, b, face])],
  ['smile.obj', text(['v 0 0 1', a, b, face])],
]);
const { names, shapes } = await openShapes(['smile.obj'], { rest: 'neutral.obj' }, { files });
if (names[0] !== 'smile' || shapes[2] !== 1) throw new Error('a shape is not what its file says');
