import { join } from 'node:path';
import { type Files, type JobRequest, MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { describe, expect, it } from 'vitest';
import { packJob } from '../../src/pack/pack-job.ts';
import { triangle } from '../scratch.ts';

function memory(files: Readonly<Record<string, string>>): MemoryFiles {
  const out = new MemoryFiles();
  for (const [path, text] of Object.entries(files)) out.set(path, new TextEncoder().encode(text));
  return out;
}

const MATERIALS = {
  'a/rest.obj': `mtllib looks.mtl\n${triangle()}`,
  'a/looks.mtl': 'newmtl m\nmap_Kd skin.png\n',
  'a/skin.png': 'pixels',
};
const convert = (input: string, output = 'out.ply'): JobRequest => ({ command: 'convert', inputs: [input], output });

async function keyOf(request: unknown, files: Files, version = '1'): Promise<string> {
  return (await packJob(request, files, version)).job.key;
}

describe('packJob', () => {
  it('gives the same work the same key, wherever its files lie and its result goes', async () => {
    const here = memory({ 'x/rest.obj': triangle() });
    const there = memory({ 'some/where/else/rest.obj': triangle(), 'other.obj': triangle(2) });
    expect(await keyOf(convert('x/rest.obj'), here)).toBe(
      await keyOf(convert('some/where/else/rest.obj', 'far/out.ply'), there),
    );
  });

  it('gives other work another key: options, contents, names, versions', async () => {
    const files = memory({ 'rest.obj': triangle(), 'other.obj': triangle(), 'b/rest.obj': triangle(3) });
    const fit = (options: object) => ({ command: 'fit', inputs: ['rest.obj'], output: 'o.glb', options });
    const keys = [
      await keyOf(convert('rest.obj'), files),
      await keyOf(convert('other.obj'), files),
      await keyOf(convert('b/rest.obj'), files),
      await keyOf(convert('rest.obj', 'out.obj'), files),
      await keyOf(convert('rest.obj'), files, '2'),
      await keyOf(fit({ bones: 4 }), files),
      await keyOf(fit({ bones: 5 }), files),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('completes options by their defaults before it compares', async () => {
    const files = memory({ 'rest.obj': triangle() });
    const fit = (options: object) => ({ command: 'fit', inputs: ['rest.obj'], output: 'o.glb', options });
    expect(await keyOf(fit({ bones: 4, weights: 4 }), files)).toBe(await keyOf(fit({ bones: 4 }), files));
  });

  it('takes the files that files name, and depends on them', async () => {
    const files = memory(MATERIALS);
    const { job, sources } = await packJob(convert('a/rest.obj'), files, '1');
    expect(job.files.map(({ path }) => path)).toEqual(['in/0/looks.mtl', 'in/0/rest.obj', 'in/0/skin.png']);
    expect(sources.get('in/0/skin.png')).toBe(join('a', 'skin.png'));
    const repainted = memory({ ...MATERIALS, 'a/skin.png': 'other pixels' });
    expect(await keyOf(convert('a/rest.obj'), repainted)).not.toBe(job.key);
  });

  it('takes nothing from outside the folder of the file that names it', async () => {
    const files = memory({
      'a/rest.obj': `mtllib ../secret.mtl\nmtllib /etc/passwd\n${triangle()}`,
      'secret.mtl': 'newmtl m',
    });
    const { job } = await packJob(convert('a/rest.obj'), files, '1');
    expect(job.files.map(({ path }) => path)).toEqual(['in/0/rest.obj']);
  });

  it('keeps a rest pose among its frames', async () => {
    const files = memory({ 'frames/rest.obj': triangle(), 'frames/1.obj': triangle(2), 'frames/2.obj': triangle(3) });
    const request = {
      command: 'fit',
      inputs: ['frames'],
      output: 'o.glb',
      options: { bones: 1, rest: 'frames/rest.obj' },
    };
    const { job } = await packJob(request, files, '1');
    expect(job.request).toMatchObject({ inputs: ['in/0/frames'], options: { rest: 'in/0/frames/rest.obj' } });
    expect(job.files).toHaveLength(3);
  });

  it('packs everything that a run reads', async () => {
    const files = memory(MATERIALS);
    const { job, sources } = await packJob(convert('a/rest.obj', 'out.glb'), files, '1');
    const packed = new MemoryFiles();
    for (const [path, source] of sources) packed.set(path, files.read(source));
    const [here, there] = [new MemoryOutputs(), new MemoryOutputs()];
    await runJob(convert('a/rest.obj', 'out.glb'), { files, outputs: here });
    await runJob(job.request, { files: packed, outputs: there });
    expect(there.files.get('out/out.glb')).toEqual(here.files.get('out.glb'));
  });

  it('refuses to write over what is read', async () => {
    const files = memory({ 'rest.obj': triangle() });
    await expect(packJob(convert('rest.obj', 'rest.obj'), files, '1')).rejects.toThrow(/'rest.obj' is the input/);
  });

  it('refuses what is no request, and what is not there', async () => {
    const files = memory({});
    await expect(packJob({ command: 'paint' }, files, '1')).rejects.toThrow(/unknown command 'paint'/);
    await expect(packJob(convert('no.obj'), files, '1')).rejects.toThrow(/cannot read 'no.obj'/);
  });
});
