import { MemoryFiles } from '@pelt/jobs';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/jobs/inspect.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const OBJ = bytes('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
const PC2 = bytes(`POINTCACHE2\0${'\0'.repeat(20)}`);

describe('inspect', () => {
  it('takes a mesh with its cache, and asks for the rate', () => {
    const files = new MemoryFiles({ 'a/clip.pc2': PC2, 'a/body.obj': OBJ, 'a/body.mtl': bytes('newmtl a') });
    expect(inspect(files)).toMatchObject({ inputs: ['a/body.obj', 'a/clip.pc2'], fps: 30, unclear: true });
  });

  it('takes frames in natural order and guesses the rest pose by its name', () => {
    const files = new MemoryFiles({ 'f/10.obj': OBJ, 'f/2.obj': OBJ, 'f/rest.obj': OBJ });
    const { inputs, rest, unclear } = inspect(files);
    expect(inputs).toEqual(['f/2.obj', 'f/10.obj', 'f/rest.obj']);
    expect(rest).toBe('f/rest.obj');
    expect(unclear).toBe(true);
  });

  it('takes a rig with shapes for both, and asks which is meant', () => {
    const glb = bytes(`glTF\x02\0\0\0${'\0'.repeat(20)}`);
    const frames = inspect(new MemoryFiles({ 'rig.glb': glb, 'a-1.obj': OBJ, 'a-2.obj': OBJ }));
    expect(frames).toMatchObject({ inputs: ['a-1.obj', 'a-2.obj'], rig: 'rig.glb', unclear: true });
    const cached = inspect(new MemoryFiles({ 'rig.glb': glb, 'body.obj': OBJ, 'clip.pc2': PC2 }));
    expect(cached).toMatchObject({ inputs: ['body.obj', 'clip.pc2'], rig: 'rig.glb', unclear: true });
    // Notes and textures beside a rig are no shapes.
    const alone = inspect(new MemoryFiles({ 'rig.glb': glb, 'notes.txt': bytes('milk') }));
    expect(alone).toMatchObject({ inputs: ['rig.glb'], unclear: false });
    expect(alone.rig).toBeUndefined();
  });

  it('does not take a forest for a rest pose', () => {
    expect(inspect(new MemoryFiles({ 'forest-1.obj': OBJ, 'forest-2.obj': OBJ })).rest).toBeUndefined();
  });

  it('opens a glTF without a question, and asks an archive for its up axis', () => {
    const glb = bytes(`glTF\x02\0\0\0${'\0'.repeat(20)}`);
    expect(inspect(new MemoryFiles({ 'walk.glb': glb }))).toMatchObject({ inputs: ['walk.glb'], unclear: false });
    const abc = bytes(`Ogawa\xff${'\0'.repeat(30)}`);
    expect(inspect(new MemoryFiles({ 'walk.abc': abc }))).toMatchObject({ up: 'y', unclear: true });
  });

  it('asks which of several animations is meant', () => {
    const caches = new MemoryFiles({ 'body.obj': OBJ, 'walk.pc2': PC2, 'run.pc2': PC2 });
    expect(inspect(caches)).toMatchObject({ inputs: ['body.obj', 'run.pc2'], clips: ['run.pc2', 'walk.pc2'] });
    const glb = bytes(`glTF\x02\0\0\0${'\0'.repeat(20)}`);
    const scenes = inspect(new MemoryFiles({ 'a.glb': glb, 'b.glb': glb }));
    expect(scenes).toMatchObject({ inputs: ['a.glb'], clips: ['a.glb', 'b.glb'], unclear: true });
  });

  it.each([
    [{ 'clip.pc2': PC2 }, /drop its mesh/],
    [{ 'notes.txt': bytes('hello') }, /notes\.txt/],
    [{ 'a.blend': bytes('BLENDER-v300') }, /Blender/],
    [{ 'a.txt': bytes('x'), 'b.txt': bytes('y') }, /and 1 more/],
    [{}, /nothing/],
  ])('says what to do about %j', (files, message) => {
    expect(() => inspect(new MemoryFiles(files as Record<string, Uint8Array<ArrayBuffer>>))).toThrow(message);
  });
});
