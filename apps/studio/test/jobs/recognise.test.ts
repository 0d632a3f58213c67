import { skeletonFromClip, writeBvh, writePairs } from '@pelt/io';
import { pairsToDocument } from '@pelt/skin/puppet';
import { dogCharacter, PERFORMER_BONES } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { recognise } from '../../src/jobs/recognise.ts';

const file = (path: string, content: BlobPart) => ({ path, blob: new Blob([content]) });

describe('recognise', () => {
  it('knows a motion, pairs and a recording of a face by what is in them', async () => {
    const still = PERFORMER_BONES.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    const clip = { name: 'me', times: Float64Array.of(0, 0.1), transforms: Float64Array.from([...still, ...still]) };
    const motion = writeBvh(skeletonFromClip(PERFORMER_BONES, clip)) as BlobPart;
    expect(await recognise(file('me.txt', motion))).toEqual({ kind: 'motion' });
    const { rig, registration } = dogCharacter(0.2);
    const pairs = writePairs(pairsToDocument({ pairs: registration, bones: rig.bones })) as BlobPart;
    expect(await recognise(file('any.json', pairs))).toEqual({ kind: 'pairs' });
    const table = 'timestamp,jawOpen,eyeBlinkLeft,browInnerUp\n0,0,0,0\n0.1,1,0,0\n';
    expect(await recognise(file('face.csv', table))).toEqual({ kind: 'face-recording' });
  });

  it.each([
    ['notes.txt', 'milk, bread and 3 eggs'],
    ['list.csv', 'name,price\napple,3'],
    ['package.json', '{ "name": "something else" }'],
    ['empty.json', ''],
  ])('says why %s is none of them', async (path, text) => {
    const found = await recognise(file(path, text));
    expect(found.kind).toBe('other');
    expect(found.kind === 'other' && found.reason).toContain(path);
  });
});
