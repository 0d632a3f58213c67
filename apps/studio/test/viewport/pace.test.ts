import { describe, expect, it } from 'vitest';
import { FINENESS, Pace } from '../../src/viewport/pace.ts';

/** A machine whose picture takes so many milliseconds at each level, drawing without a pause. */
function draw(pace: Pace, count: number, costs: (level: number) => number, start = 0): number {
  let now = start;
  for (let k = 0; k < count; k++) {
    now += costs(FINENESS.indexOf(pace.moving));
    pace.drawn(now);
  }
  return now;
}

const finest = FINENESS[0];
const coarsest = FINENESS[FINENESS.length - 1];

describe('Pace', () => {
  it('stays finest where pictures come in time', () => {
    const pace = new Pace();
    const now = draw(pace, 500, () => 16.7);
    expect(pace.moving).toBe(finest);
    expect(pace.rests(now + 1000)).toBe(false);
  });

  it('gets coarser until pictures come in time, and no further', () => {
    const pace = new Pace();
    draw(pace, 40, (level) => [200, 120, 80, 30, 16][level]);
    expect(pace.moving).toBe(FINENESS[3]);
  });

  it('ends at the coarsest where nothing helps', () => {
    const pace = new Pace();
    draw(pace, 100, () => 400);
    expect(pace.moving).toBe(coarsest);
  });

  it('does not mind single slow pictures, nor pauses in which nothing is drawn', () => {
    const pace = new Pace();
    let now = 0;
    for (let k = 0; k < 200; k++) {
      now += k % 10 === 3 ? 300 : 16.7;
      if (k % 50 === 49) now += 5000;
      pace.drawn(now);
    }
    expect(pace.moving).toBe(finest);
  });

  it('asks for the finest picture once nothing has moved for a while', () => {
    const pace = new Pace();
    const now = draw(pace, 40, () => 100);
    expect([pace.rests(now + 50), pace.rests(now + 400)]).toEqual([false, true]);
    pace.rested();
    expect(pace.rests(now + 800)).toBe(false);
    // The time that the fine picture took is not held against the next one.
    pace.drawn(now + 1300);
    expect(pace.rests(now + 1600)).toBe(true);
  });

  it('tries a finer level again after a while, less and less often where it was too slow', () => {
    const pace = new Pace();
    const tries: number[] = [];
    let now = 0;
    let before = finest;
    for (let k = 0; k < 2000; k++) {
      now += FINENESS.indexOf(pace.moving) < 2 ? 60 : 16.7;
      pace.drawn(now);
      if (pace.moving.scale > before.scale || pace.moving.samples > before.samples) tries.push(k);
      before = pace.moving;
    }
    const waits = tries.slice(1).map((k, at) => k - tries[at]);
    expect(tries.length).toBeGreaterThan(2);
    expect(waits.every((wait, at) => at === 0 || wait > waits[at - 1])).toBe(true);
  });
});
