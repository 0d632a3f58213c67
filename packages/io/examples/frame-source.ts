import {
  animationFromCache,
  emptySequence,
  evenFrames,
  FrameFiles,
  frameBytes,
  GltfMotion,
  mddHeader,
  openMdd,
  openPc2,
  type PointCacheFile,
  pc2Header,
  readFrames,
  readGltf,
  readObj,
  scanObjFrame,
  sequenceFromFrames,
  sourceOfBytes,
  writeMdd,
  writeMorphGlb,
  writePc2,
} from '@pelt/io';

// Nine OBJ files of a square that grows, each opened when its frame is read.
const obj = (size: number) =>
  new TextEncoder().encode(`v 0 0 0\nv ${size} 0 0\nv ${size} ${size} 0\nv 0 ${size} 0\nf 1 2 3 4\n`);
const files = Array.from({ length: 9 }, (_, t) => ({ name: `frame-${t + 1}.obj`, bytes: () => obj(t + 1) }));
const animation = new FrameFiles(files);
const positions = new Float32Array(12);
animation.readFrame(4, positions);
if (Math.max(...positions) !== 5) throw new Error('the fifth square');

// Three frames of them in memory: the first, the middle, the last.
const sample = readFrames(animation, { frames: evenFrames(animation.times.length, 3) });
if (sample.times.length !== 3 || sample.frames[3] !== 1 || sample.frames[15] !== 5) throw new Error('frames 1, 5, 9');

// The same in parts, by whoever reads the frames.
const empty = emptySequence(animation, [0, 4, 8]);
[0, 4, 8].forEach((t, k) => {
  animation.readFrame(t, empty.frames.subarray(12 * k, 12 * k + 12));
});
if (empty.frames.join() !== sample.frames.join()) throw new Error('the same frames');

// A point cache is opened through a source of byte ranges: a file need not be in memory.
const whole = sequenceFromFrames(files);
const caches: PointCacheFile[] = [openPc2(sourceOfBytes(writePc2(whole))), openMdd(sourceOfBytes(writeMdd(whole)))];
for (const cache of caches) {
  const moving = animationFromCache(readObj(obj(1)), cache);
  if (readFrames(moving).frames.join() !== whole.frames.join()) throw new Error('the same positions');
  const corner = new Float32Array(3);
  cache.readFrame(8, corner, [2]);
  if (corner.join() !== '9,9,0') throw new Error('one vertex of the last frame');
}

// A cache can be written in parts, too: its header, then any number of frames at a time.
const parts = [
  pc2Header(4, whole.times),
  frameBytes(whole.frames.subarray(0, 24), true),
  frameBytes(whole.frames.subarray(24), true),
];
if (parts.map((part) => part.join()).join() !== writePc2(whole).join()) throw new Error('the same bytes');
if (mddHeader(4, whole.times).length !== 8 + 4 * 9) throw new Error('two counts and nine times');

// The animation of a glTF file, evaluated frame by frame.
const motion = new GltfMotion(await readGltf((await writeMorphGlb(whole)).bytes));
if (readFrames(motion).frames.join() !== whole.frames.join()) throw new Error('the same positions');

// Positions alone, with a hash of the faces: what a thread does that reads frames for another.
const faces = [1, 2].map((size) => scanObjFrame(obj(size), 4, 'frame.obj', positions));
if (faces[0] !== faces[1] || positions[3] !== 2) throw new Error('other positions, the same faces');
