/**
 * Limits that were asked for (`pelt compare --fail-over`, `pelt reduce --budget`) and a report exceeds: not an error, but
 * not success either.
 */
import type { Report } from '@pelt/jobs';

/** Exit code of a command that has done its work and found a limit exceeded. */
export const LIMIT_EXIT_CODE = 6;

const WORDS = { error: 'the error', bytes: 'the size' } as const;

/** One line; undefined where nothing is exceeded. */
export function exceededLimits(report: object): string | undefined {
  const { limits = [] } = report as Pick<Report<'compare'>, 'limits'>;
  const exceeded = limits.filter((limit) => limit.exceeded);
  if (exceeded.length === 0) return undefined;
  const parts = exceeded.map(({ of, asked, reached }) =>
    asked.endsWith('%')
      ? `${WORDS[of]} grew by ${reached}, more than ${asked}`
      : `${WORDS[of]} is ${reached}, above ${asked}`,
  );
  return parts.join('; ');
}
