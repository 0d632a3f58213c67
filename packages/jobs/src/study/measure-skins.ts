/**
 * Rows of the table of learnt skins: the enveloping error on the examples, and on each example when it is left out. A skin
 * that is good on what it has seen alone is not good.
 */
import { frameCount, type Run, stageOf } from '@pelt/model';

import { errorsAt } from '../envelope/enveloping-errors.ts';
import { addJoints, type LearntSkin, learnSkin } from '../envelope/learn-skin.ts';
import type { LoadedExamples } from '../envelope/load-examples.ts';
import { timed } from '../job.ts';
import { blendFlops } from '../outputs/skin-flops.ts';
import type { SKIN_METHODS } from './table.ts';

export type SkinMethod = (typeof SKIN_METHODS)[number];

export interface SkinRow {
  readonly method: SkinMethod;
  /** Enveloping error in per cent on the examples that all trained. */
  readonly training: number;
  /** Mean and standard deviation over the examples, each left out in turn. */
  readonly leftOut: { readonly mean: number; readonly deviation: number };
  /** Enveloping error on all frames that are no examples; absent where all are. */
  readonly others?: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly proxies: number;
  readonly displacements: number;
  readonly flopsPerVertex: number;
}

/** What training has of the options of `pelt envelope`. */
const OPTIONS = { reduce: 'affine-bones', bake: false, proxies: undefined, maxError: undefined } as const;

export async function measureSkin(
  method: SkinMethod,
  examples: LoadedExamples,
  { count, weights }: { readonly count: number; readonly weights: number },
  run: Run,
): Promise<SkinRow> {
  const S = frameCount(examples.sequence);
  const size = Math.min(count, S);
  const chosen = Array.from({ length: size }, (_, k) => Math.floor((k * (S - 1)) / Math.max(size - 1, 1)));
  const learn = (frames: readonly number[], inner: Run): LearntSkin =>
    method === 'mohr-gleicher'
      ? addJoints({ weights }, examples, frames, inner)
      : learnSkin({ ...OPTIONS, weights }, method, examples, frames, inner, () => {});
  const errorOf = (skin: LearntSkin, frames: readonly number[]) => errorsAt(skin.deform, examples, frames).error;

  const [whole, seconds] = await timed(() => learn(chosen, stageOf(run, 0, 1 / (size + 1))));
  const training = errorOf(whole, chosen);
  const unseen = Array.from({ length: S }, (_, t) => t).filter((t) => !chosen.includes(t));
  const others = unseen.length > 0 ? errorOf(whole, unseen) : undefined;
  const bytes = (await whole.encode(examples.opened, () => {})).length;
  const { proxies, keys, displacements, weightsPerVertex } = whole.report;
  whole.dispose();

  const errors = chosen.map((left, k) => {
    const skin = learn(
      chosen.filter((t) => t !== left),
      stageOf(run, (k + 1) / (size + 1), (k + 2) / (size + 1)),
    );
    const error = errorOf(skin, [left]);
    skin.dispose();
    return error;
  });
  const { rig } = examples;
  const n = rig.mesh.positions.length / 3;
  return {
    method,
    training,
    leftOut: meanAndDeviation(errors),
    ...(others !== undefined && { others }),
    seconds,
    bytes,
    proxies,
    displacements,
    flopsPerVertex:
      blendFlops(weightsPerVertex) + 6 * displacements + paletteFlops(proxies, keys, rig.bones.length) / Math.max(n, 1),
  };
}

/** Of a pose: three rows of the 4P × (3L + 4m) product, two operations each. */
function paletteFlops(proxies: number, keys: number, bones: number): number {
  return 2 * 3 * 4 * proxies * (3 * keys + 4 * bones);
}

export function meanAndDeviation(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}
