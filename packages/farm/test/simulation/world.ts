/**
 * A deterministic world for clients, workers, a store and a queue: one thread of control, virtual time, and a scheduler
 * that decides at every step who goes on. Every operation of a simulated disk or queue waits for its turn, so that a crash,
 * another process or a day can come between any two of them. The same choices give the same run.
 */
import type { Clock } from '../../src/machine/clock.ts';

interface Step {
  readonly actor: Actor;
  readonly go: () => void;
}

interface Timer {
  readonly actor: Actor;
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/** A process: what it has not done when it dies, it never does. */
export class Actor {
  readonly name: string;
  readonly #world: World;
  alive = true;
  /** Stopped, as by SIGSTOP, until then. */
  frozenUntil = 0;

  constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
  }

  /** Waits for its turn; for ever, where it dies before. */
  turn(): Promise<void> {
    return new Promise((go) => {
      if (this.alive) this.#world.ready({ actor: this, go });
    });
  }

  get clock(): Clock {
    const world = this.#world;
    return {
      now: () => world.now,
      sleep: (milliseconds) => new Promise((done) => world.after(this, milliseconds, done)),
      every: (milliseconds, action) => {
        let stopped = false;
        const again = () =>
          world.after(this, milliseconds, () => {
            if (stopped) return;
            action();
            again();
          });
        again();
        return () => {
          stopped = true;
        };
      },
    };
  }
}

/** Steps after which a run that has not ended is said to hang. */
const MOST_STEPS = 60_000;

export class World {
  now = Date.UTC(2024, 0, 1);
  steps = 0;
  readonly trace: string[] = [];
  readonly #ready: Step[] = [];
  #timers: Timer[] = [];
  #order = 0;
  readonly #choose: (count: number) => number;

  /** @param choose  one of so many, at every step */
  constructor(choose: (count: number) => number) {
    this.#choose = choose;
  }

  actor(name: string): Actor {
    return new Actor(this, name);
  }

  ready(step: Step): void {
    this.#ready.push(step);
  }

  after(actor: Actor, milliseconds: number, fire: () => void): void {
    this.#timers.push({ actor, at: this.now + milliseconds, order: this.#order++, fire });
  }

  kill(actor: Actor): void {
    actor.alive = false;
  }

  /** Lets time pass at once, as when a laptop wakes up. */
  jump(milliseconds: number): void {
    this.now += milliseconds;
  }

  /**
   * Runs until something has settled.
   *
   * @param onStep  before every step: the place for accidents
   */
  async run(settled: Promise<unknown>, onStep: (step: number) => void = () => {}): Promise<void> {
    let done = false;
    const end = () => {
      done = true;
    };
    void settled.then(end, end);
    for (;;) {
      // All that follows from the last step without another one.
      await new Promise((quiet) => setImmediate(quiet));
      if (done) return;
      if (++this.steps > MOST_STEPS) throw new Error('it does not end');
      onStep(this.steps);
      this.#next();
    }
  }

  #next(): void {
    const able = this.#ready.filter(({ actor }) => actor.alive && actor.frozenUntil <= this.now);
    if (able.length === 0) {
      this.#passTime();
      return;
    }
    const step = able[this.#choose(able.length)];
    this.#ready.splice(this.#ready.indexOf(step), 1);
    this.trace.push(step.actor.name);
    step.go();
  }

  #passTime(): void {
    this.#timers = this.#timers.filter(({ actor }) => actor.alive);
    const thaw = this.#ready.filter(({ actor }) => actor.alive).map(({ actor }) => actor.frozenUntil);
    const next = this.#timers.reduce<Timer | undefined>(
      (best, timer) =>
        !best || wake(timer) < wake(best) || (wake(timer) === wake(best) && timer.order < best.order) ? timer : best,
      undefined,
    );
    const at = Math.min(next ? wake(next) : Number.POSITIVE_INFINITY, ...thaw);
    if (!Number.isFinite(at)) throw new Error('nothing will ever happen again');
    this.now = Math.max(this.now, at);
    if (!next || wake(next) > this.now) return;
    this.#timers.splice(this.#timers.indexOf(next), 1);
    next.fire();
  }
}

/** When a timer fires: a process that is stopped hears it when it goes on. */
function wake({ at, actor }: Timer): number {
  return Math.max(at, actor.frozenUntil);
}
