import { writeMorphGlb } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, openShapes, runJob } from '@pelt/jobs';
import { faceShapes } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { faceKind } from '../../src/jobs/glb-parts.ts';
import { type OpenedFace, openFace } from '../../src/jobs/open-face.ts';

const shapes = faceShapes({ step: 0.016 });
const outputs = new MemoryOutputs();
let report: { readonly sliders: readonly { readonly name: string; readonly rms: number }[] };
let face: OpenedFace;

beforeAll(async () => {
  const { bytes } = await writeMorphGlb({
    name: 'face',
    rest: shapes.mesh,
    times: Float64Array.from(shapes.names, (_, s) => s),
    frames: shapes.shapes,
  });
  const files = new MemoryFiles([['face.glb', bytes]]);
  const request = { command: 'sliders', inputs: ['face.glb'], output: 'out.glb', options: { bones: 8 } } as const;
  report = (await runJob(request, { files, outputs, threads: 1 })) as unknown as typeof report;
  const made = outputs.files.get('out.glb') as Uint8Array;
  face = await openFace(made, await openShapes(['face.glb'], {}, { files }));
});

describe('a face that was fitted', () => {
  it('does with each slider what the report says, measured on the packed file', () => {
    expect(face.names).toHaveLength(shapes.names.length);
    for (const { name, rms } of report.sliders) {
      const shown = face.errors[face.names.indexOf(name)].rms;
      // Of metres, where the report has millimetres; packing adds a little.
      expect(Math.abs(1000 * shown - rms)).toBeLessThan(0.3 * rms + 0.01);
    }
    expect(face.p999).toBeGreaterThan(0);
  });

  it('is known by its file, as blend shapes with names are', () => {
    expect(faceKind(outputs.files.get('out.glb') as Uint8Array)).toBe('fitted');
    expect(faceKind(new Uint8Array(3))).toBeUndefined();
  });

  it('is refused beside the shapes of another face', async () => {
    const other = faceShapes({ step: 0.03 });
    const moved = { ...other, mesh: { ...other.mesh, positions: other.mesh.positions.map((value) => value + 7) } };
    await expect(openFace(outputs.files.get('out.glb') as Uint8Array, moved)).rejects.toThrow(/other vertices/);
  });
});
