/** A cache that Maya wrote with the Alembic library: read, and written again with the same hashes. */
import { readFileSync } from 'node:fs';
import { validateMeshSequence } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { writeArchive } from '../../src/alembic/archive-writer.ts';
import { readAlembicSequence, writeAlembic } from '../../src/index.ts';
import { archiveContent } from './archive-content.ts';
import { openBytes } from './scene.ts';

const FILE = realData('caches/Bone_Anim.abc');
const bytes = FILE ? new Uint8Array(readFileSync(FILE)) : new Uint8Array(0);

/** Of a closed surface, positive where its triangles face outwards. */
function volume(positions: Float32Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let c = 0; c < triangles.length; c += 3) {
    const [a, b, d] = [triangles[c], triangles[c + 1], triangles[c + 2]].map((i) =>
      positions.subarray(3 * i, 3 * i + 3),
    );
    sum += a[0] * (b[1] * d[2] - b[2] * d[1]) - a[1] * (b[0] * d[2] - b[2] * d[0]) + a[2] * (b[0] * d[1] - b[1] * d[0]);
  }
  return sum / 6;
}

describe.skipIf(!FILE)('Bone_Anim.abc', () => {
  it('is a mesh below a transform', () => {
    const archive = openBytes(bytes, 'Bone_Anim.abc');
    expect(archive.application).toContain('Maya');
    expect(archive.meshes).toMatchObject([{ path: '/Bone/BoneShape', vertices: 754, faces: 752, samples: 400 }]);
  });

  it('reads as a sequence, right side out in every frame', () => {
    const sequence = readAlembicSequence(openBytes(bytes, 'Bone_Anim.abc'));
    validateMeshSequence(sequence);
    const { rest, frames, times } = sequence;
    expect([rest.positions.length / 3, rest.triangles.length / 3, times.length]).toEqual([754, 1504, 400]);
    expect(times[399]).toBeCloseTo(399 / 24, 9);
    const atRest = volume(rest.positions, rest.triangles);
    for (let t = 0; t < 400; t++) {
      const size = rest.positions.length;
      const share = volume(frames.subarray(t * size, (t + 1) * size), rest.triangles) / atRest;
      // It bends and stretches; a frame that was read wrong would be nothing like it.
      expect(share).toBeGreaterThan(0.5);
      expect(share).toBeLessThan(1.5);
    }
  });

  it('has the keys and hashes that are computed here', () => {
    const { content, objectHashes, samples, rightKeys } = archiveContent(bytes);
    expect(samples).toBe(1208);
    expect(rightKeys).toBe(samples);
    const again = writeArchive(content);
    // The hash of an object covers all below it, so that equal ones mean equal names, types, times and samples.
    expect(archiveContent(again).objectHashes).toEqual(objectHashes);
    expect(again.length).toBe(bytes.length);
  });

  it('is the same when written and read again', () => {
    const sequence = readAlembicSequence(openBytes(bytes, 'Bone_Anim.abc'));
    const back = readAlembicSequence(openBytes(writeAlembic(sequence)));
    expect(Buffer.compare(Buffer.from(back.frames.buffer), Buffer.from(sequence.frames.buffer))).toBe(0);
    expect(back.rest.triangles).toEqual(sequence.rest.triangles);
    expect(back.name).toBe('BoneShape');
  });
});
