import { readCharacter, readGltf, writeSkinnedGlb } from '@pelt/io';
import { type Character, type CharacterClip, InputError } from '@pelt/model';
import { dogCharacter } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { withFace } from '../../src/puppet/face-track.ts';
import { Workspace } from '../workspace.ts';

const CSV = `Time,JawOpen,EyeBlinkLeft,TongueOut
0.0,0.0,1.0,0.3
0.1,1.0,0.0,0.3
`;
const space = new Workspace({
  'take.csv': new TextEncoder().encode(CSV),
  'none.csv': new TextEncoder().encode('Time,Brow\n0,1\n0.1,0\n'),
});
const files = { read: (path: string) => space.read(path) } as Parameters<typeof withFace>[3]['files'];
const clip: CharacterClip = { name: 'body', times: Float64Array.of(0, 0.05, 2), transforms: new Float64Array(0) };
const { rig } = dogCharacter(0.1);
const deltas = new Float32Array(rig.mesh.positions.length);
const { character: plain } = {
  character: readCharacter(await readGltf((await writeSkinnedGlb({ rig, clips: [] })).bytes)),
};
const character: Character = {
  ...plain,
  morphs: ['jawOpen', 'eyeBlink_L', 'growl'].map((name) => ({ name, object: 0, deltas })),
};

describe('withFace', () => {
  it('moves targets of the names that were recorded, and leaves the others', () => {
    const warnings: string[] = [];
    const { morphWeights } = withFace(clip, character, 'take.csv', { files, warn: (text) => warnings.push(text) });
    expect([...(morphWeights ?? [])]).toEqual([0, 1, 0, 0.5, 0.5, 0, 1, 0, 0]);
    expect(warnings.join()).toContain("'TongueOut'");
    const before = { ...clip, morphWeights: new Float32Array(9).fill(0.25) };
    expect(withFace(before, character, 'take.csv', { files, warn: () => {} }).morphWeights?.[2]).toBe(0.25);
  });

  it('changes nothing without a recording, and refuses one that moves nothing', () => {
    const host = { files, warn: () => {} };
    expect(withFace(clip, character, undefined, host)).toBe(clip);
    expect(() => withFace(clip, character, 'none.csv', host)).toThrow(InputError);
    expect(() => withFace(clip, { ...character, morphs: [] }, 'take.csv', host)).toThrow('no morph targets');
  });
});
