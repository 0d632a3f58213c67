import { describe, expect, it } from 'vitest';
import { History } from '../src/history.ts';

describe('History', () => {
  it('has nothing to undo at first', () => {
    const history = new History<string>();
    expect([history.canUndo, history.canRedo, history.undo('a'), history.redo('a')]).toEqual([
      false,
      false,
      undefined,
      undefined,
    ]);
    expect(history.states).toEqual([]);
  });

  it('goes back and forth over what was marked', () => {
    const history = new History<string>();
    history.mark({ state: 'a', label: 'first' });
    history.mark({ state: 'b', label: 'second' });
    expect(history.undoLabel).toBe('second');
    expect(history.undo('c')).toBe('b');
    expect([history.undoLabel, history.redoLabel]).toEqual(['first', 'second']);
    expect(history.undo('b')).toBe('a');
    expect(history.canUndo).toBe(false);
    expect([history.redo('a'), history.redo('b'), history.redo('c')]).toEqual(['b', 'c', undefined]);
    expect([...history.states].sort()).toEqual(['a', 'b']);
  });

  it('forgets what was undone when something else is done', () => {
    const history = new History<string>();
    history.mark({ state: 'a' });
    history.undo('b');
    history.mark({ state: 'a' });
    expect([history.canRedo, history.undo('c')]).toEqual([false, 'a']);
  });

  it('takes steps of one key as one', () => {
    const history = new History<number>();
    for (const state of [1, 2, 3]) history.mark({ state, merge: 'slider' });
    history.mark({ state: 4, merge: 'other' });
    history.mark({ state: 5 });
    history.mark({ state: 6 });
    expect([history.undo(7), history.undo(6), history.undo(5), history.undo(4), history.undo(1)]).toEqual([
      6,
      5,
      4,
      1,
      undefined,
    ]);
  });

  it('keeps what its limit keeps', () => {
    const history = new History<number>((past) => past.slice(-2));
    for (const state of [1, 2, 3]) history.mark({ state });
    expect([history.undo(4), history.undo(3), history.undo(2)]).toEqual([3, 2, undefined]);
    history.clear();
    expect(history.states).toEqual([]);
  });
});
