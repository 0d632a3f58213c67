import { openNumerics } from '@pelt/math';
import { frameReader, uniformTimes, vertexCount } from '@pelt/model';
import { assembleRig, ChunkedMesh, findBones, measuredRig, placesOf, solveChunks } from '@pelt/skin/decompose';

// A strip of forty quads whose right half turns up by a right angle in eleven frames.
const columns = 41;
const positions = Float32Array.from({ length: 2 * columns * 3 }, (_, k) => {
  const [i, d] = [Math.floor(k / 3), k % 3];
  return [(i >> 1) / 20 - 1, i & 1, 0][d];
});
const first = Array.from({ length: columns - 1 }, (_, c) => 2 * c);
const triangles = Uint32Array.from(first.flatMap((i) => [i, i + 2, i + 1, i + 1, i + 2, i + 3]));
const rest = { name: 'strip', positions, triangles };
const frames = Float32Array.from({ length: 11 * positions.length }, (_, k) => {
  const [t, at] = [Math.floor(k / positions.length), k % positions.length];
  const angle = (t * Math.PI) / 20;
  const x = positions[at - (at % 3)];
  if (x <= 0 || at % 3 === 1) return positions[at];
  return x * (at % 3 === 0 ? Math.cos(angle) : Math.sin(angle));
});

// Any source of frames will do, such as a cache in a file; only one chunk of the vertices is in memory at a time.
const reader = frameReader({ name: 'bend', rest, frames, times: uniformTimes(11, 30) });
const numerics = await openNumerics({ threads: 1 });

// Bones once, from a sample; then parts of the weights, on as many machines as there are.
const run = { numerics };
const mesh = new ChunkedMesh(reader);
const found = findBones(reader, mesh, 40, { bones: 2 }, run);
const parts = [0, 1, 2].flatMap((k) => [...solveChunks(reader, mesh, found, 'auto', placesOf(mesh, k, 3), run)]);
const rig = assembleRig(rest, mesh, found, parts);
numerics.close();
const { error } = measuredRig(reader, rig, found.clip, found);
if (vertexCount(rig.mesh) !== 82 || rig.bones.length !== 2) throw new Error('all vertices, two bones');
if (error.eRms > 1) throw new Error(`two rigid halves are two bones: E_RMS ${error.eRms}`);
