/**
 * Times as medians: a few runs that are not counted (the compiler warms up), then at least `runs` and as many as fit
 * into `milliseconds`.
 */
const DEFAULTS = { runs: 7, warmUps: 2, milliseconds: 500, maxRuns: 101 };

/** Median milliseconds of `work()`. `prepare()` runs before each, unmeasured. */
export function medianTime(work, options = {}) {
  const { runs, warmUps, milliseconds, maxRuns, prepare } = { ...DEFAULTS, ...options };
  for (let k = 0; k < warmUps; k++) time(work, prepare);
  const times = [];
  let total = 0;
  while (times.length < runs || (total < milliseconds && times.length < maxRuns)) {
    times.push(time(work, prepare));
    total += times.at(-1);
  }
  return median(times);
}

/**
 * Median milliseconds of two rivals in turn, so that whatever else the machine does meets both alike.
 * @returns { value, reference }
 */
export function compareTimes(work, rival, options = {}) {
  const { runs, warmUps, milliseconds, maxRuns, prepare } = { ...DEFAULTS, ...options };
  for (let k = 0; k < warmUps; k++) {
    time(work, prepare);
    time(rival, prepare);
  }
  const times = [[], []];
  let total = 0;
  while (times[0].length < runs || (total < milliseconds && times[0].length < maxRuns)) {
    times[0].push(time(work, prepare));
    times[1].push(time(rival, prepare));
    total += times[0].at(-1) + times[1].at(-1);
  }
  return { value: median(times[0]), reference: median(times[1]) };
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
