/** `--fail-over`: limits of an error or of a size, for scripts that must notice when an asset gets worse. */
import { type MeshSequence, type SequenceErrors, UsageError } from '@pelt/model';
import * as z from 'zod/mini';
import { ErrorLimit, type LimitCheck } from '../input/error-limit.ts';
import { readJson } from '../input/read-json.ts';
import type { Job } from '../job.ts';
import { SIZE_UNITS } from '../request/shared-options.ts';

interface Measured {
  readonly error: Pick<SequenceErrors, 'eRms'>;
  readonly b: { readonly bytes: number };
}

/** What is used of an earlier report. */
const BASELINE = z.object({ error: z.object({ eRms: z.number() }), b: z.object({ bytes: z.number() }) });

/**
 * @param limits    as they were typed: `2.1`, `3mm`, `400KB`, `5%`
 * @param truth     whose rest pose lengths are relative to
 * @param baseline  path of an earlier report, which growth is over
 */
export function checkLimits(
  limits: readonly (number | string)[],
  measured: Measured,
  truth: MeshSequence,
  baseline: string | undefined,
  job: Job,
): LimitCheck[] {
  const before = baseline === undefined ? undefined : readJson(baseline, job, BASELINE, 'a report of pelt compare');
  if (before && !limits.some((limit) => String(limit).endsWith('%'))) {
    throw new UsageError('--baseline is what growth is over; give --fail-over a limit such as 5%');
  }
  return limits.flatMap((limit) => {
    const asked = String(limit).trim();
    if (asked.endsWith('%')) return growthChecks(asked, measured, before);
    const size = sizeOf(asked);
    if (size !== undefined) {
      const { bytes } = measured.b;
      return { asked, of: 'bytes' as const, reached: inUnitOf(asked, bytes), exceeded: bytes > size };
    }
    const most = new ErrorLimit(limit, truth.rest.positions, 0, '--fail-over');
    const { eRms } = measured.error;
    return { asked, of: 'error' as const, reached: most.report(eRms).reached, exceeded: eRms > most.eRms };
  });
}

function growthChecks(asked: string, { error, b }: Measured, before: Measured | undefined): LimitCheck[] {
  if (!before)
    throw new UsageError(`--fail-over ${asked} is growth over what? give the report of before as --baseline`);
  const factor = 1 + Number.parseFloat(asked) / 100;
  const check = (of: LimitCheck['of'], now: number, then: number): LimitCheck => {
    const growth = now === then ? 0 : 100 * (now / then - 1);
    return { asked, of, reached: `${Number(growth.toPrecision(3))}%`, exceeded: now > factor * then };
  };
  return [check('error', error.eRms, before.error.eRms), check('bytes', b.bytes, before.b.bytes)];
}

/** Bytes; undefined where the limit is not a size. */
function sizeOf(asked: string): number | undefined {
  const factor = SIZE_UNITS[unitOf(asked)];
  return factor && Number.parseFloat(asked) * factor;
}

function inUnitOf(asked: string, bytes: number): string {
  const unit = unitOf(asked);
  return `${Number((bytes / SIZE_UNITS[unit]).toPrecision(4))}${unit}`;
}

function unitOf(asked: string): string {
  return asked.replace(/^[\s\d.]+([eE][+-]?\d+)?\s*/, '');
}
