/** `--max-error`: how much error a reduced rig may have. */
import { enclosingBall } from '@pelt/math';
import { type Mesh, UsageError } from '@pelt/model';

/** Metres, as glTF counts. */
const UNITS: Readonly<Record<string, number>> = { mm: 1e-3, cm: 1e-2, m: 1 };

/**
 * As an E_RMS. `5%` is growth over the input's own error, a number is E_RMS itself, a length (`2mm`) the root mean
 * square distance of a vertex.
 *
 * @param before  E_RMS of the input
 */
export function errorLimit(text: string, before: number, rest: Mesh): number {
  const match = /^(\d+(?:\.\d*)?|\.\d+)\s*(%|mm|cm|m)?$/.exec(text.trim());
  if (!match || !(Number(match[1]) > 0)) {
    throw new UsageError(`'${text}' is not an error; give 5%, an E_RMS like 2.1, or a length like 3mm`);
  }
  const value = Number(match[1]);
  const unit = match[2];
  if (unit === undefined) return value;
  if (unit !== '%') return (1000 * value * UNITS[unit]) / (Math.sqrt(3) * (enclosingBall(rest.positions).radius || 1));
  if (before === 0) {
    throw new UsageError(
      `${text} of no error is none: without example shapes the rig is its own truth; give an E_RMS or a length`,
    );
  }
  return before * (1 + value / 100);
}
