/** When a descent ends: a rule is told the cost of the best iterate before and after each period, and says whether to stop. */
export type StopRule = (before: number, now: number) => boolean;

/** Stops at the first period that lowers the error by less than a fraction. */
export function slowPeriod(tolerance: number): StopRule {
  return (before, now) => Math.sqrt(now) > (1 - tolerance) * Math.sqrt(before);
}

/** Consecutive periods of slow progress before a descent ends. */
const PATIENCE = 2;

/**
 * Stops at two consecutive periods of slow progress, or at four without any. One alone is not conclusive: after a kick,
 * descent into another basin may take two or three periods to fall below the previous minimum.
 */
export function slowPeriods(tolerance: number): StopRule {
  const isSlow = slowPeriod(tolerance);
  let [slow, idle] = [0, 0];
  return (before, now) => {
    if (Math.sqrt(now) >= Math.sqrt(before)) idle++;
    else {
      idle = 0;
      slow = isSlow(before, now) ? slow + 1 : 0;
    }
    return slow === PATIENCE || idle === 2 * PATIENCE;
  };
}
