import {
  frameAt,
  frameCount,
  frameNearest,
  frameReader,
  gatherVertices,
  type MeshSequence,
  SequenceErrorMeter,
  uniformTimes,
  validateMeshSequence,
  vertexCount,
  weldFrames,
  weldSequence,
} from '@pelt/model';

// Two triangles that share an edge, as a file with a UV seam stores them: vertices 3 and 4 repeat 1 and 2.
const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
const rest = { name: 'quad', positions, triangles: Uint32Array.of(0, 1, 2, 3, 5, 4) };
const frames = Float32Array.of(...positions, ...positions.map((x) => 2 * x));
const sequence: MeshSequence = { name: 'growing', rest, frames, times: uniformTimes(2, 30) };
validateMeshSequence(sequence); // throws an InputError that names what is wrong
if (frameCount(sequence) !== 2 || frameAt(sequence, 1)[3] !== 2) throw new Error('two frames, the second doubled');
if (frameNearest(sequence.times, 0.02) !== 1) throw new Error('0.02 s is nearer to 1/30 s than to 0');

// Fitting wants every point once; `map` leads back to the vertices of the file.
const { sequence: welded, map } = weldSequence(sequence);
if (vertexCount(welded.rest) !== 4) throw new Error('six vertices are four points');
const unwelded = gatherVertices(welded.rest.positions, 3, map);
if (!unwelded.every((x, k) => x === positions[k])) throw new Error('every vertex has its place again');

// The same for frames that are read one at a time, of an animation that is larger than memory.
if (weldFrames(frameReader(sequence)).first.length !== 4) throw new Error('the same four points');

// How far an approximation is from the truth, frame by frame.
const meter = new SequenceErrorMeter(rest, frameCount(sequence));
for (let t = 0; t < frameCount(sequence); t++) meter.addFrame(frameAt(sequence, t), rest.positions);
if (meter.result().max !== Math.SQRT2) throw new Error('the far corner is off by √2 in the second frame');
