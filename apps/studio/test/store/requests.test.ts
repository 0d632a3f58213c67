import { checkRequest } from '@pelt/jobs';
import { describe, expect, it } from 'vitest';
import { EMPTY_DOCUMENT } from '../../src/store/document.ts';
import {
  commandLine,
  envelopeOptions,
  fitOptions,
  puppetOptions,
  reduceOptions,
  skeletonOptions,
} from '../../src/store/requests.ts';

describe('requests of the panels', () => {
  const { fit, skeleton, reduce } = EMPTY_DOCUMENT;
  const FILE = { id: '', name: 'file' };
  const input = { fps: 30, rest: 'rest pose.obj' };

  it.each([
    ['fit', fitOptions(fit, input)],
    ['fit', fitOptions({ ...fit, goal: 'error', maxError: '2mm', smooth: 0.5, restPose: 'keep' }, {})],
    ['fit', fitOptions({ ...fit, goal: 'error', maxError: '1.5' }, {})],
    ['fit', fitOptions(fit, { clip: [{ name: 'walk', files: ['walk.pc2'] }] })],
    ['skeleton', skeletonOptions({ ...skeleton, bones: 5, symmetry: true }, input)],
    ['reduce', reduceOptions(reduce, input)],
    ['reduce', reduceOptions({ ...reduce, method: 'two-layer', virtual: 40 }, {})],
    ['reduce', reduceOptions({ ...reduce, method: 'budget' }, {})],
    ['fit', fitOptions({ ...fit, more: { eigenskin: 2, start: 'regions', root: 'ground', islandPrice: 1 } }, {})],
    // What another method does not take is left out: the command would refuse it.
    ['fit', fitOptions({ ...fit, method: 'sma', more: { islandPrice: 1, bandwidth: 20, start: 'regions' } }, {})],
    ['skeleton', skeletonOptions({ ...skeleton, method: 'le-deng', more: { patches: 'cells', keepRest: true } }, {})],
    ['reduce', reduceOptions({ ...reduce, more: { method: 'poisson', maxError: '5%', keepBones: true } }, {})],
    ['reduce', reduceOptions({ ...reduce, method: 'two-layer', more: { method: 'poisson', masters: true } }, {})],
    ['envelope', envelopeOptions({ ...EMPTY_DOCUMENT.skin, predictor: 'wang', more: { reduce: 'wang' } }, {}, 10)],
    ['envelope', envelopeOptions({ ...EMPTY_DOCUMENT.skin, predictor: 'psd', more: { reduce: 'wang' } }, {}, 10)],
    ['puppet', puppetOptions({ ...EMPTY_DOCUMENT.puppet, more: { projection: 'l1', lambda: 0.1 } }, 'me.bvh')],
    ['envelope', envelopeOptions(EMPTY_DOCUMENT.skin, input, 10)],
    ['envelope', envelopeOptions({ ...EMPTY_DOCUMENT.skin, predictor: 'mohr-gleicher', every: 1 }, {}, 10)],
    ['puppet', puppetOptions(EMPTY_DOCUMENT.puppet, 'me.bvh')],
    ['puppet', puppetOptions({ ...EMPTY_DOCUMENT.puppet, pairs: FILE, contacts: true, loose: 'a, b' }, 'take.json')],
  ] as const)('%s %j is understood by the command', async (command, options) => {
    const request = {
      command,
      inputs: command === 'puppet' ? ['a.glb'] : ['a.glb', 'b.pc2'],
      output: 'out.glb',
      options,
    };
    await expect(checkRequest(request as never)).resolves.toMatchObject({ command });
  });

  it('refuses an error limit that makes no sense, in words', async () => {
    const options = fitOptions({ ...fit, goal: 'error', maxError: 'small' }, {});
    await expect(checkRequest({ command: 'fit', inputs: ['a'], output: 'o.glb', options } as never)).rejects.toThrow(
      /max-error/,
    );
  });

  it('names several clips of a mesh as the command does', () => {
    const clip = [
      { name: 'walk', files: ['a/walk.pc2'] },
      { name: 'my run', files: ['a/run.pc2'] },
    ];
    const opened = { inputs: ['body.obj'], choices: { clip } };
    const options = skeletonOptions({ ...skeleton, bones: 5 }, opened.choices);
    const line = commandLine({ command: 'skeleton', inputs: opened.inputs, output: 'o.glb', options });
    expect(line).toContain("pelt skeleton body.obj --clip walk=a/walk.pc2 --clip 'my run=a/run.pc2' ");
    expect(envelopeOptions({ ...EMPTY_DOCUMENT.skin, every: 2 }, opened.choices, 5)).toMatchObject({
      clip,
      train: [1, 3, 5],
    });
    expect(reduceOptions(reduce, opened.choices)).not.toHaveProperty('clip');
  });

  it('gives the line of a shell, with names quoted that need it', () => {
    const options = { fps: 24, restPose: 'keep', symmetry: false, rest: "it's rest.obj" };
    const line = commandLine({ command: 'fit', inputs: ['my clip.pc2'], output: 'o.glb', options });
    expect(line).toBe("pelt fit 'my clip.pc2' --fps 24 --rest-pose keep --rest 'it'\\''s rest.obj' -o o.glb");
  });
});
