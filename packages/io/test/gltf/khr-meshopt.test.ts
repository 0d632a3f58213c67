import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { withKhrMeshopt, writeSkinnedGlb } from '../../src/index.ts';
import { binaryOf, glbOf, jsonOf } from './glb-json.ts';
import { randomRig } from './models.ts';

describe('withKhrMeshopt', () => {
  it('changes the name and nothing else', async () => {
    const { rig, clip } = randomRig({ frames: 3 });
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const json = jsonOf(bytes) as Record<string, unknown> & { bufferViews: object[] };
    const packed = { extensions: { EXT_meshopt_compression: { buffer: 0, mode: 'ATTRIBUTES' }, OTHER: {} } };
    const changed = {
      ...json,
      extensionsUsed: ['EXT_meshopt_compression', 'OTHER'],
      extensionsRequired: ['EXT_meshopt_compression'],
      bufferViews: json.bufferViews.map((view, k) => (k === 1 ? view : { ...view, ...packed })),
    };
    const renamed = withKhrMeshopt(glbOf(changed, binaryOf(bytes)));
    expect(jsonOf(renamed)).toEqual(
      JSON.parse(JSON.stringify(changed).replaceAll('EXT_meshopt_compression', 'KHR_meshopt_compression')),
    );
    expect(binaryOf(renamed)).toEqual(binaryOf(bytes));
  });

  it('refuses what is not a GLB', () => {
    expect(() => withKhrMeshopt(new Uint8Array(3))).toThrow(InputError);
  });
});
