import { describe, expect, it } from 'vitest';
import { exampleLabels, hasExamples, posingKey, posingSource } from '../../src/jobs/pose-bench.ts';
import { EMPTY_DOCUMENT, type FinishedRun, type OpenedInput } from '../../src/store/document.ts';

const sculpts: OpenedInput = {
  id: 'input-1',
  label: 'cat',
  inputs: ['cat/rest.obj', 'cat/sit.obj', 'cat/jump.obj'],
  choices: {},
  vertices: 10,
  triangles: 10,
  frames: 3,
  fps: 30,
  example: false,
};
const run = { id: 'run-1' } as FinishedRun;
const { posing } = EMPTY_DOCUMENT;

describe('what posing is learnt from', () => {
  it('is the shapes where there are few, and else the bones, unless somebody chooses', () => {
    expect(posingSource(posing, sculpts, run)?.kind).toBe('examples');
    expect(posingSource(posing, { ...sculpts, frames: 300 }, run)?.kind).toBe('run');
    expect(posingSource({ ...posing, learn: 'examples' }, { ...sculpts, frames: 300 }, run)?.kind).toBe('examples');
    expect(posingSource({ ...posing, learn: 'run' }, sculpts, run)?.kind).toBe('run');
    // Shapes need no fit, and a rig has none.
    expect(posingSource(posing, sculpts, undefined)?.kind).toBe('examples');
    expect(posingSource({ ...posing, learn: 'examples' }, { ...sculpts, inputs: ['a.glb'] }, run)?.kind).toBe('run');
    expect(posingSource(posing, undefined, undefined)).toBeUndefined();
    expect(hasExamples({ ...sculpts, frames: 1 })).toBe(false);
  });

  it('is made again where what is learnt changes, and not where the solver does', () => {
    const key = (more: object) => posingKey({ kind: 'examples', input: sculpts }, { ...posing, more } as typeof posing);
    expect(key({ controls: 8 })).not.toBe(key({}));
    expect(key({ ridge: 1 })).toBe(key({}));
    expect(posingKey({ kind: 'run', run }, { ...posing, more: { controls: 8 } })).toBe(
      posingKey({ kind: 'run', run }, posing),
    );
  });

  it('calls examples by their files, where each is one', () => {
    expect(exampleLabels(sculpts)).toEqual(['sit', 'jump']);
    expect(exampleLabels({ ...sculpts, choices: { rest: 'cat/sit.obj' } })).toEqual(['rest', 'jump']);
    expect(exampleLabels({ ...sculpts, inputs: ['rest.obj', 'clip.pc2'], frames: 48 })).toEqual([]);
  });
});
