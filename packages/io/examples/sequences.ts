import {
  bakeSequence,
  FrameMeshes,
  naturalCompare,
  readGltf,
  readMdd,
  readObj,
  readPc2,
  sequenceFromCache,
  sequenceFromFrames,
  writeMdd,
  writeMorphGlb,
  writeObj,
  writePc2,
} from '@pelt/io';

// Three OBJ files of a square that grows, in any order.
const obj = (size: number) =>
  new TextEncoder().encode(`v 0 0 0\nv ${size} 0 0\nv ${size} ${size} 0\nv 0 ${size} 0\nf 1 2 3 4\n`);
const files = [10, 1, 2].map((size) => ({ name: `frame-${size}.obj`, bytes: obj(size) }));
if (naturalCompare('frame-2.obj', 'frame-10.obj') >= 0) throw new Error('numbers compare by value');
const sequence = sequenceFromFrames(files, { fps: 25 }); // the first frame is the rest pose
if (sequence.frames[3] !== 1 || sequence.times[1] !== 1 / 25) throw new Error('in natural order, at 25 fps');

// As point caches, which hold positions only and need the mesh that they belong to.
const rest = readObj(obj(1));
for (const cache of [readPc2(writePc2(sequence, { fps: 25 }), { fps: 25 }), readMdd(writeMdd(sequence))]) {
  const { frames } = sequenceFromCache(rest, cache);
  if (frames.join() !== sequence.frames.join()) throw new Error('the same positions');
}

// As morph targets of a GLB, which any viewer plays.
const { bytes } = await writeMorphGlb(sequence);
const baked = bakeSequence(await readGltf(bytes));
if (baked.frames.join() !== sequence.frames.join()) throw new Error('the same positions');

// As one OBJ per frame.
const meshes = new FrameMeshes(sequence);
const texts = [0, 1, 2].map((t) => new TextDecoder().decode(writeObj(meshes.at(t))[0].bytes));
if (!texts[2].includes('v 10 10 0')) throw new Error('the last frame is the largest');
