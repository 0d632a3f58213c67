/**
 * Median times. Every rival is warmed alike before anything counts: called at least `warmUps` times and for at least
 * `warmMilliseconds`, so that a short function is compiled as well as a long one. Then come at least `runs` measured calls
 * and as many as fit into `milliseconds`.
 */
const DEFAULTS = { runs: 7, warmUps: 2, warmMilliseconds: 100, milliseconds: 500, maxRuns: 101 };

/** Median milliseconds of `work()`. `prepare()` runs before each, unmeasured. */
export function medianTime(work, options = {}) {
  const { runs, milliseconds, maxRuns, prepare, ...warmth } = { ...DEFAULTS, ...options };
  warm(work, prepare, warmth);
  const times = [];
  let total = 0;
  while (times.length < runs || (total < milliseconds && times.length < maxRuns)) {
    times.push(time(work, prepare));
    total += times.at(-1);
  }
  return median(times);
}

/**
 * Median seconds of whole runs that take seconds each: no warm-up, since the first is what a user meets.
 * @returns { seconds, result } with the result of the last
 */
export function medianRun(work, runs = 3) {
  let result;
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    result = work();
    return (performance.now() - start) / 1000;
  });
  return { seconds: median(times), result };
}

/**
 * Median milliseconds of two rivals in turn, so that whatever else the machine does affects both alike.
 * @returns { value, reference }
 */
export function compareTimes(work, rival, options = {}) {
  const { runs, milliseconds, maxRuns, prepare, ...warmth } = { ...DEFAULTS, ...options };
  for (const each of [work, rival]) warm(each, prepare, warmth);
  const times = [[], []];
  let total = 0;
  while (times[0].length < runs || (total < milliseconds && times[0].length < maxRuns)) {
    times[0].push(time(work, prepare));
    times[1].push(time(rival, prepare));
    total += times[0].at(-1) + times[1].at(-1);
  }
  return { value: median(times[0]), reference: median(times[1]) };
}

function warm(work, prepare, { warmUps, warmMilliseconds }) {
  let total = 0;
  for (let k = 0; k < warmUps || total < warmMilliseconds; k++) total += time(work, prepare);
}

function time(work, prepare) {
  prepare?.();
  const start = performance.now();
  work();
  return performance.now() - start;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}
