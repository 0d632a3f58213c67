import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { requestFiles } from '../../src/request/request-files.ts';

describe('requestFiles', () => {
  it('lists every file that a request names', async () => {
    const clip = [
      { name: 'walk', files: ['walk.pc2'] },
      { name: 'run', files: ['run.pc2'] },
    ];
    const fit = {
      command: 'fit',
      inputs: ['rest.obj'],
      output: 'a.glb',
      options: { clip, lock: 'bones', rig: 'r.glb' },
    };
    expect(await requestFiles(fit)).toEqual({ reads: ['rest.obj', 'walk.pc2', 'run.pc2', 'r.glb'], writes: ['a.glb'] });
    const pose = { command: 'pose', inputs: ['rest.obj'], options: { examples: ['f'], save: 's.glb', path: 'p.json' } };
    expect(await requestFiles(pose)).toEqual({ reads: ['rest.obj', 'f', 'p.json'], writes: ['s.glb'] });
    const volume = { command: 'volume', inputs: ['b.obj'], output: 'f-####.obj', options: { rig: 'r.glb' } };
    expect(await requestFiles(volume)).toEqual({ reads: ['b.obj', 'r.glb'], writes: ['f-####.obj'] });
    expect(await requestFiles({ command: 'info', inputs: ['a', 'b'] })).toEqual({ reads: ['a', 'b'], writes: [] });
  });

  it('refuses what is no request', async () => {
    await expect(requestFiles({ command: 'fit' })).rejects.toThrow(UsageError);
  });
});
