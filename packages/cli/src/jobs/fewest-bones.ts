/**
 * The fewest bones that reach an error: minimise m subject to E_RMS(m) ≤ E. The error of a decomposition falls with m
 * nearly as a power, so the search doubles m until the error is reached and then follows the line through its two ends
 * in logarithms, always inside the bracket.
 */
import { NumericError, type RunContext, stageOf, UsageError } from '@pelt/model';
import type { Decomposition } from '@pelt/skin';

/** Where the search starts, and where it gives up unless the caller says otherwise. */
const FIRST_BONES = 8;
const MOST_BONES = 256;
/** Solves after the bracket is found: with the power law, more do not change the answer by a bone. */
const REFINEMENTS = 5;
/** Each solve is given this share of the progress that is left, as nobody knows how many there will be. */
const SHARE_OF_REST = 0.35;

export function fewestBones(
  maxError: number,
  mostBones: number | undefined,
  context: RunContext | undefined,
  solve: (bones: number, context: RunContext) => Decomposition,
): Decomposition {
  if (!(maxError > 0)) throw new UsageError(`the error to reach is ${maxError}; it must be above 0`);
  const most = mostBones ?? MOST_BONES;
  let done = 0;
  const run = (bones: number) => {
    const next = done + (1 - done) * SHARE_OF_REST;
    const result = solve(bones, stageOf(context, done, next));
    done = next;
    return result;
  };

  let short: { bones: number; error: number } | undefined;
  let found: Decomposition | undefined;
  for (let bones = Math.min(FIRST_BONES, most); !found; bones = Math.min(2 * bones, most)) {
    const result = run(bones);
    // A mesh with fewer vertices than bones asked for has fewer bones: then more will not help.
    const exhausted = bones === most || result.rig.bones.length < bones;
    if (result.error.eRms <= maxError) found = result;
    else if (exhausted) {
      throw new NumericError(
        `E_RMS is ${result.error.eRms.toPrecision(3)} with ${result.rig.bones.length} bones, above ${maxError}; ` +
          'allow a larger error, more bones (--bones) or more weights (--weights)',
      );
    } else short = { bones, error: result.error.eRms };
  }
  let low = short?.bones ?? 0;
  let lowError = short?.error ?? 0;
  for (let k = 0; k < REFINEMENTS && found.rig.bones.length - low > 1; k++) {
    const high = found.rig.bones.length;
    const bones = between(low, lowError, high, found.error.eRms, maxError);
    const result = run(bones);
    if (result.error.eRms <= maxError) found = result;
    else [low, lowError] = [bones, result.error.eRms];
  }
  return found;
}

/** Where the power law through both ends meets the error, at least one bone inside; the middle where there is no law. */
function between(low: number, lowError: number, high: number, highError: number, error: number): number {
  const slope = Math.log(highError / lowError) / Math.log(high / low);
  const guess = low * (error / lowError) ** (1 / slope);
  const wanted = low > 0 && highError > 0 && Number.isFinite(guess) ? Math.ceil(guess) : Math.floor((low + high) / 2);
  return Math.min(high - 1, Math.max(low + 1, wanted));
}
