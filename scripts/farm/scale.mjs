// @ts-check
/**
 * A farm of a thousand workers and a million jobs, as discrete events: `node scripts/farm/scale.mjs`. Queue and store have
 * a rate, workers fail and come back, and a job whose worker died goes to another when its lease has run out. What the
 * model assumes of queue and jobs was measured (docs/scale.md); what a farm promises in any order of events is tested by
 * the simulation of packages/farm, on the code itself.
 */
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Scale
 * @property {number} workers
 * @property {number} jobs
 * @property {number} median        seconds of a job; times are log-normal
 * @property {number} spread        standard deviation of the logarithm
 * @property {number} bytes         in and out of the store, per job
 * @property {number} bandwidth     of the store, bytes a second
 * @property {number} queueSeconds  of the queue's one thread, per job
 * @property {number} failAfter     mean seconds between two deaths of a worker
 * @property {number} away          seconds until it is back
 * @property {number} lease         seconds
 */

/** @type {Scale} */
export const DEFAULTS = {
  workers: 1000,
  jobs: 1e6,
  median: 20,
  spread: 1,
  bytes: 10e6,
  bandwidth: 2e9,
  queueSeconds: 1e-4,
  failAfter: 86_400,
  away: 300,
  lease: 30,
};

/** @param {Partial<Scale>} [given] */
export function simulateScale(given = {}) {
  const s = { ...DEFAULTS, ...given };
  const random = generator(1);
  const events = new Heap();
  /** Jobs that a dead worker had, with when they may be taken again, soonest first. */
  const returned = [];
  let [next, done, now, queueFree, storeFree, busy, again] = [0, 0, 0, 0, 0, 0, 0];
  const take = (/** @type {number} */ worker) => {
    if (next >= s.jobs && returned.length === 0) return;
    if (returned.length > 0) returned.pop();
    else next++;
    // One thread of the queue, one pipe of the store: whoever comes later waits.
    queueFree = Math.max(queueFree, now) + s.queueSeconds;
    storeFree = Math.max(storeFree, queueFree) + s.bytes / s.bandwidth;
    const seconds = s.median * Math.exp(s.spread * normal(random));
    const end = storeFree + seconds;
    const dies = now - s.failAfter * Math.log(1 - random());
    if (dies < end) {
      events.push(dies + s.lease, 'give back', worker);
      events.push(dies + s.away, 'idle', worker);
      busy += dies - now;
    } else {
      events.push(end, 'done', worker);
      busy += seconds;
    }
  };
  /** @type {number[]} */
  const idle = [];
  for (let worker = 0; worker < s.workers; worker++) take(worker);
  for (let event = events.pop(); event; event = events.pop()) {
    now = event.at;
    if (event.what === 'give back') {
      again++;
      returned.push(now);
      const free = idle.pop();
      if (free !== undefined) take(free);
    } else {
      if (event.what === 'done') done++;
      if (next < s.jobs || returned.length > 0) take(event.worker);
      else idle.push(event.worker);
    }
    if (done === s.jobs) break;
  }
  const ideal = (s.jobs * s.median * Math.exp(s.spread ** 2 / 2)) / s.workers;
  return {
    hours: now / 3600,
    idealHours: ideal / 3600,
    used: busy / (now * s.workers),
    done,
    again,
    queue: (s.jobs * s.queueSeconds) / now,
    store: (s.jobs * s.bytes) / s.bandwidth / now,
  };
}

class Heap {
  /** @type {{ at: number, what: string, worker: number }[]} */
  #all = [];

  push(/** @type {number} */ at, /** @type {string} */ what, /** @type {number} */ worker) {
    const all = this.#all;
    let k = all.push({ at, what, worker }) - 1;
    for (let up = (k - 1) >> 1; k > 0 && all[up].at > all[k].at; k = up, up = (k - 1) >> 1)
      [all[up], all[k]] = [all[k], all[up]];
  }

  pop() {
    const all = this.#all;
    const first = all[0];
    const last = all.pop();
    if (all.length === 0 || last === undefined) return first;
    all[0] = last;
    for (let k = 0; ; ) {
      const [a, b] = [2 * k + 1, 2 * k + 2];
      const least = b < all.length && all[b].at < all[a].at ? b : a;
      if (least >= all.length || all[least].at >= all[k].at) return first;
      [all[least], all[k]] = [all[k], all[least]];
      k = least;
    }
  }
}

/** @param {() => number} random */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Mulberry32, from 0 to 1. */
function generator(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const cases = [
    ['as measured', {}],
    ['jobs of 2 s', { median: 2 }],
    ['100 MB per job', { bytes: 100e6 }],
    ['100 MB per job, four stores', { bytes: 100e6, bandwidth: 8e9 }],
    ['a worker dies every hour', { failAfter: 3600 }],
    ['the same, lease of 300 s', { failAfter: 3600, lease: 300 }],
    ['10 000 workers', { workers: 10_000 }],
  ];
  for (const [name, given] of /** @type {[string, Partial<Scale>][]} */ (cases)) {
    const r = simulateScale(given);
    const percent = (/** @type {number} */ x) => `${(100 * x).toFixed(1)} %`;
    console.log(
      `| ${name} | ${r.hours.toFixed(1)} h | ${r.idealHours.toFixed(1)} h | ${percent(r.used)} | ${percent(r.queue)} | ${percent(r.store)} | ${r.again} |`,
    );
  }
}
