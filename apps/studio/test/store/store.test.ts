import { describe, expect, it } from 'vitest';
import { EMPTY_DOCUMENT, type StudioDocument, trainingFrames } from '../../src/store/document.ts';
import { completed } from '../../src/store/kept-document.ts';
import { Store } from '../../src/store/store.ts';

const INPUT = {
  id: '',
  label: '',
  inputs: [],
  choices: {},
  vertices: 0,
  triangles: 0,
  frames: 1,
  fps: 30,
  example: false,
};

const bones = (count: number) => (document: typeof EMPTY_DOCUMENT) => ({
  ...document,
  fit: { ...document.fit, bones: count },
});

describe('Store', () => {
  it('changes nothing, and remembers nothing, where a change gives the same document', () => {
    const store = new Store();
    store.edit('Nothing', (document) => document);
    expect(store.state.document).toBe(EMPTY_DOCUMENT);
    expect(store.state.undo).toBeUndefined();
    expect(store.undo()).toBe(false);
    expect(store.redo()).toBe(false);
  });

  it('makes no step of what comes out equal, nor of going to another mode, and forgets what nobody asked for', () => {
    const store = new Store();
    store.edit('Set what is set', (document) => ({ ...document, fit: { ...document.fit } }));
    expect(store.state.undo).toBeUndefined();
    store.amend({ mode: 'pose' });
    expect(store.state.document.mode).toBe('pose');
    expect(store.state.undo).toBeUndefined();
    store.edit('Change bones', bones(5));
    expect(store.state.undo).toBe('Change bones');
    store.forget();
    expect(store.undo()).toBe(false);
    expect(store.state.document.fit.bones).toBe(5);
  });

  it('goes back and forth over steps, to the very same documents', () => {
    const store = new Store();
    const seen = [store.state.document];
    for (const count of [3, 5, 8]) {
      store.edit(`Change to ${count}`, bones(count));
      seen.push(store.state.document);
    }
    expect(store.state.undo).toBe('Change to 8');
    for (const k of [2, 1, 0]) {
      expect(store.undo()).toBe(true);
      expect(store.state.document).toBe(seen[k]);
    }
    expect(store.state.redo).toBe('Change to 3');
    for (const k of [1, 2, 3]) {
      expect(store.redo()).toBe(true);
      expect(store.state.document).toBe(seen[k]);
    }
  });

  it('takes steps of a hand back in their order among all others, and forgets those of one that is gone', () => {
    const store = new Store();
    const done: string[] = [];
    const hand = (name: string) => ({
      undo: () => done.push(`${name} back`) > 0,
      redo: () => done.push(`${name} again`) > 0,
    });
    const [first, second] = [hand('first'), hand('second')];
    store.edit('Change bones', bones(3));
    store.note('Turn a joint', first);
    store.edit('Change bones', bones(5));
    expect(store.undo()).toBe(true);
    expect(store.state.undo).toBe('Turn a joint');
    expect(store.undo()).toBe(true);
    expect([done, store.state.document.fit.bones]).toEqual([['first back'], 3]);
    expect(store.redo()).toBe(true);
    expect(done).toEqual(['first back', 'first again']);
    expect(store.state.redo).toBe('Change bones');
    // What is done now takes the place of what could be done again.
    store.note('Pull the skin', second);
    expect(store.state.redo).toBeUndefined();
    store.release(second);
    expect(store.state.undo).toBe('Turn a joint');
    store.release(first);
    expect(store.state.undo).toBe('Change bones');
    store.undo();
    expect(done).toHaveLength(2);
  });

  it('makes one step of a slider that is dragged, and two of a slider that is dragged twice', () => {
    const store = new Store();
    store.edit('Change bones', bones(3), 'bones');
    store.edit('Change bones', bones(4), 'bones');
    store.edit('Go', (document) => ({ ...document, mode: 'reduce' }));
    store.edit('Change bones', bones(9), 'bones');
    store.undo();
    expect(store.state.document.fit.bones).toBe(4);
    store.undo();
    store.undo();
    expect(store.state.document).toBe(EMPTY_DOCUMENT);
  });

  it('forgets what was undone when something else is done', () => {
    const store = new Store();
    store.edit('A', bones(3));
    store.undo();
    store.edit('B', bones(4));
    expect(store.redo()).toBe(false);
    expect(store.state.document.fit.bones).toBe(4);
  });

  it('does not undo how things are looked at', () => {
    const store = new Store();
    store.edit('A', bones(3));
    store.setView({ frame: 7, layout: 'overlay' });
    store.undo();
    expect(store.state.view).toMatchObject({ frame: 7, layout: 'overlay' });
  });

  it('keeps a hundred steps, and all documents that they lead to', () => {
    const store = new Store();
    for (let k = 0; k < 130; k++) store.edit('Step', bones(k + 100));
    let steps = 0;
    while (store.undo()) steps++;
    expect(steps).toBe(100);
    expect(store.documents.some(({ fit }) => fit.bones === 229)).toBe(true);
  });

  it('keeps the steps over the last three animations, which are large', () => {
    const store = new Store();
    const open = (id: string) => store.edit('Open', (document) => ({ ...document, input: { ...INPUT, id } }));
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      open(id);
      store.edit('Step', bones(store.state.document.fit.bones + 1));
    }
    const inputs = new Set(store.documents.map(({ input }) => input?.id));
    expect([...inputs].sort()).toEqual(['c', 'd', 'e']);
  });

  it('tells listeners of the state before and after, until they leave', () => {
    const store = new Store();
    const told: [number, number][] = [];
    const leave = store.subscribe((state, before) => told.push([before.view.frame, state.view.frame]));
    store.setView({ frame: 1 });
    store.setView({ frame: 4 });
    leave();
    store.setView({ frame: 9 });
    expect(told).toEqual([
      [0, 1],
      [1, 4],
    ]);
  });
});

describe('a document', () => {
  it('that an older studio kept has defaults for what it does not know', () => {
    const { volume: _, ...older } = EMPTY_DOCUMENT;
    const { source: __, made: ___, ...puppet } = EMPTY_DOCUMENT.puppet;
    const kept = { ...older, mode: 'skin', puppet: { ...puppet, travel: 2 } } as unknown as StudioDocument;
    const { mode, volume, puppet: whole } = completed(kept);
    expect(mode).toBe('skin');
    expect(volume).toEqual(EMPTY_DOCUMENT.volume);
    expect(whole).toEqual({ ...EMPTY_DOCUMENT.puppet, travel: 2 });
  });

  it('that an older studio kept has the name of today for its predictor', () => {
    const skin = { ...EMPTY_DOCUMENT.skin, predictor: 'improved' };
    expect(completed({ ...EMPTY_DOCUMENT, skin } as unknown as StudioDocument).skin.predictor).toBe('linear-maps');
    expect(completed(EMPTY_DOCUMENT).skin.predictor).toBe('linear-maps');
  });

  it('trains on every n-th frame, or on those that were chosen', () => {
    const { skin } = EMPTY_DOCUMENT;
    expect(trainingFrames({ ...skin, every: 4 }, 10)).toEqual([0, 4, 8]);
    expect(trainingFrames({ ...skin, every: 1 }, 3)).toEqual([0, 1, 2]);
    expect(trainingFrames({ ...skin, frames: [2, 7] }, 10)).toEqual([2, 7]);
  });
});
