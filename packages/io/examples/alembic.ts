import { AlembicAnimation, openAlembic, readAlembicSequence, readObj, sourceOfBytes, writeAlembic } from '@pelt/io';
import { type MeshSequence, uniformTimes } from '@pelt/model';

// A square that grows, as the bytes of an Alembic archive.
const rest = readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n'));
const frames = Float32Array.from([1, 2, 3].flatMap((size) => [...rest.positions.map((x) => size * x)]));
const sequence: MeshSequence = { name: 'square', rest, frames, times: uniformTimes(3, 24) };
const bytes = writeAlembic(sequence, { name: 'square' });

// An archive is read through a source of byte ranges: a file need not be in memory.
const archive = openAlembic(sourceOfBytes(bytes), { name: 'square.abc' });
if (archive.meshes.length !== 1) throw new Error('one mesh');

// All frames at once, or one at a time.
if (readAlembicSequence(archive).frames.join() !== frames.join()) throw new Error('the same positions');
const animation = new AlembicAnimation(archive);
const positions = new Float32Array(3 * animation.vertexCount);
animation.readFrame(2, positions);
if (Math.max(...positions) !== 3) throw new Error('the last frame is the largest');
