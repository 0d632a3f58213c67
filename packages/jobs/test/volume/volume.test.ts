import { readPc2 } from '@pelt/io';
import { InputError, UnsupportedError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { body, bodyFiles, FRAMES, SWELL, sculpt } from '../body-files.ts';
import { Workspace } from '../workspace.ts';

type VolumeOptions = NonNullable<JobRequest<'volume'>['options']>;

const space = new Workspace(await bodyFiles());
const deform = (options: VolumeOptions, output = 'out.pc2', mesh = 'body.obj') =>
  space.run({ command: 'volume', inputs: [mesh], output, options });
const rig = 'character.glb';
const framesOf = (file: string) => readPc2(space.read(file)).frames;

describe('volume', () => {
  it('bends the body, keeps its volume and says so', async () => {
    const { report } = await deform({ rig });
    expect(report).toMatchObject({ frames: FRAMES, inverted: 0, input: { bones: 3, mesh: 'body.obj' } });
    expect(report.volume).toBeGreaterThan(0.98);
    expect(report.constraints).toBe(body.middles.flat().length);
    expect(report.body.slivers).toBe(0);
    const frames = framesOf('out.pc2');
    const rest = body.mesh.positions;
    // The first frame is the rest pose; in the last the far end has turned by 60° about the joint at x = 8/3.
    expect(Math.max(...rest.map((value, k) => Math.abs(value - frames[k])))).toBeLessThan(1e-5);
    const tip = body.rings[body.rings.length - 1];
    const last = frames.subarray((FRAMES - 1) * rest.length);
    const [x, y] = [0, 1].map((axis) => tip.reduce((sum, i) => sum + last[3 * i + axis], 0) / tip.length);
    const reach = 8 - 8 / 3;
    // Automatic constraints are springs, which keep the skin within about 1 % of the size of the body.
    expect(Math.abs(x - (8 / 3 + reach * Math.cos(Math.PI / 3)))).toBeLessThan(0.1);
    expect(Math.abs(y - reach * Math.sin(Math.PI / 3))).toBeLessThan(0.1);
  });

  it('fits bones to what it deformed, as a GLB', async () => {
    const { report } = await deform({ rig, bones: 4 }, 'out.glb');
    expect(report.fit?.bones).toBe(4);
    const { report: compared } = await space.run({ command: 'info', inputs: ['out.glb'] });
    expect(compared.files[0]).toMatchObject({ joints: 4, frames: FRAMES });
  });

  it('makes the published iteration, which loses volume, and refuses examples for it', async () => {
    const { report: smooth } = await deform({ rig }, 'smooth.pc2');
    const { report } = await deform({ rig, method: 'budd-hilton' }, 'published.pc2');
    expect(report.volume).toBeLessThan(smooth.volume);
    expect(report.rounds.mean).toBeGreaterThan(2 * smooth.rounds.mean);
    const examples: VolumeOptions = { rig, method: 'budd-hilton', examples: ['half.obj'], at: [3] };
    await expect(deform(examples, 'no.pc2')).rejects.toThrow('--examples has no effect on --method budd-hilton');
  });

  it('refuses a skeleton outside the mesh', async () => {
    space.put('far.obj', space.text('body.obj').replace(/^v (\S+)/gm, 'v 9$1'));
    await expect(deform({ rig }, 'far.pc2', 'far.obj')).rejects.toThrow(
      "3 of 3 joints are outside 'far.obj'; bring mesh and skeleton to one place, unit and pose",
    );
  });

  it('refuses a rig of another scale, though its joints are inside the mesh', async () => {
    // The body three times as large, about the middle of its first joint.
    space.put(
      'large.obj',
      space.text('body.obj').replace(
        /^v (\S+) (\S+) (\S+)/gm,
        (_, ...xyz) =>
          `v ${xyz
            .slice(0, 3)
            .map((x) => 3 * Number(x))
            .join(' ')}`,
      ),
    );
    await expect(deform({ rig }, 'large.pc2', 'large.obj')).rejects.toThrow(
      "the mesh of 'character.glb' is 0.333 times as large as 'large.obj'; bring both to one unit",
    );
    expect(space.has('large.pc2')).toBe(false);
  });

  it('finds weights where those of the rig are all with one bone', async () => {
    const { report } = await deform({ rig: 'hanging.glb' }, 'hanging.pc2');
    expect(report.weights).toBe('found');
    const size = body.mesh.positions.length;
    const [first, last] = [framesOf('hanging.pc2').subarray(0, size), framesOf('hanging.pc2').subarray(-size)];
    // The far end turns with the last bone.
    expect(Math.max(...last.map((value, k) => Math.abs(value - first[k])))).toBeGreaterThan(1);
  });

  it('says where bones pull the body apart', async () => {
    const warnings: string[] = [];
    const request = {
      command: 'volume',
      inputs: ['body.obj'],
      output: 'torn.pc2',
      options: { rig: 'torn.glb' },
    } as const;
    const { report } = await space.run(request, { onWarning: (message) => warnings.push(message) });
    expect(report.inverted).toBeGreaterThan(0.01 * report.body.tetrahedra);
    expect(warnings).toContain(
      `the bones pull the body apart: ${report.inverted} of ${report.body.tetrahedra} tetrahedra are inverted in frame 2; check the motion`,
    );
  });

  it('takes constraints from a file', async () => {
    const { report } = await deform({ rig, constraints: 'rings.txt' });
    expect(report.constraints).toBe(body.middles.flat().length);
    // They move by the weights of the rig: the last ring at its last bone, whatever is near it.
    expect(report.weights).toBe('rig');
    const [ring, last] = [body.middles[2], framesOf('out.pc2').subarray((FRAMES - 1) * body.mesh.positions.length)];
    const turn = (60 * Math.PI) / 180;
    for (const i of ring) {
      const [x, y] = [body.mesh.positions[3 * i] - 8 / 3, body.mesh.positions[3 * i + 1]];
      expect(last[3 * i]).toBeCloseTo(8 / 3 + Math.cos(turn) * x - Math.sin(turn) * y, 3);
    }
    const { report: other } = await deform({ bvh: 'walk.bvh', landmarks: 'joints.json' }, 'other.pc2');
    expect(other.weights).toBe('found');
    space.put('bad.txt', '1, 2, 99999');
    await expect(deform({ rig, constraints: 'bad.txt' }, 'b.pc2')).rejects.toThrow("'99999' is not a vertex");
    expect(space.has('b.pc2')).toBe(false);
  });

  it('takes the shapes of examples in their frames, and between them', async () => {
    const shaped: VolumeOptions = { rig, examples: ['half.obj', 'bent.obj'], at: [3, 5] };
    expect((await deform({ rig }, 'plain.pc2')).report.examples).toBe(0);
    expect((await deform(shaped, 'shaped.pc2')).report.examples).toBe(2);
    const size = body.mesh.positions.length;
    const away = (file: string, t: number, wanted: Float32Array) => {
      const frame = framesOf(file).subarray(t * size, (t + 1) * size);
      return Math.sqrt(frame.reduce((sum, value, k) => sum + (value - wanted[k]) ** 2, 0) / (size / 3));
    };
    expect(away('shaped.pc2', 0, body.mesh.positions)).toBeLessThan(0.01);
    for (const [t, degrees, swell] of [
      [2, 30, 0.5 * SWELL],
      [3, 45, 0.75 * SWELL],
      [4, 60, SWELL],
    ]) {
      const wanted = sculpt(degrees, swell);
      expect(away('shaped.pc2', t, wanted), `frame ${t + 1}`).toBeLessThan(0.4 * away('plain.pc2', t, wanted));
    }
    // Frames are those of the whole motion, whichever are written.
    await deform({ ...shaped, step: 2 }, 'thin.pc2');
    expect(away('thin.pc2', 2, sculpt(60, SWELL))).toBeLessThan(0.05);
  });

  it('says in one line what is missing or wrong', async () => {
    space.put('sheet.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n');
    space.put('list.json', '[1, 2]');
    space.put('strange.json', '{ "Elbow": [0, 0, 0], "Root": [1, 0, 0], "End": [2, 0, 0] }');
    const bvh = 'walk.bvh';
    for (const [run, kind, message] of [
      [() => deform({}), UsageError, 'what is to move the mesh?'],
      [() => deform({ bvh }), UsageError, 'give --landmarks'],
      [() => deform({ bvh, rig }), UsageError, 'give one of them'],
      [() => deform({ rig, landmarks: 'joints.json' }), UsageError, 'a rig has its own'],
      [() => deform({ bvh, clip: 'bend' }), UsageError, 'a BVH has one'],
      [() => deform({ bvh, landmarks: 'list.json' }), InputError, '{ "LeftArm": [0.2, 1.4, 0], … }'],
      [() => deform({ bvh, landmarks: 'body.obj' }), InputError, 'is not JSON'],
      [() => deform({ bvh, landmarks: 'strange.json' }), InputError, "no joint 'Elbow'"],
      [() => deform({ rig, clip: 'jump' }), UsageError, "no clip 'jump'"],
      [() => deform({ rig: 'body.obj' }), InputError, "'body.obj' is not a glTF file"],
      [() => deform({ rig }, 'out.pc2', 'sheet.obj'), InputError, 'has no inside'],
      [() => deform({ rig }, 'out.xyz'), UnsupportedError, "'.xyz' files are not written"],
      [() => deform({ rig }, 'character.glb'), UsageError, 'would replace an input'],
      [() => deform({ rig, at: [2] }), UsageError, 'there are none'],
      [() => deform({ rig, examples: ['bent.obj'] }), UsageError, '1 examples for 5 frames'],
      [() => deform({ rig, examples: ['bent.obj'], at: [6] }), UsageError, 'the motion has 5'],
      [() => deform({ rig, examples: ['sheet.obj'], at: [5] }), InputError, 'sheet.obj'],
    ] as const) {
      const error: unknown = await run().catch((thrown: unknown) => thrown);
      expect(error, message).toBeInstanceOf(kind);
      expect((error as Error).message).toContain(message);
      expect((error as Error).message).not.toContain('\n');
    }
  });
});
