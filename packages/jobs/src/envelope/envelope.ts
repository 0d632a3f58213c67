/** `pelt envelope`: pose-dependent skin learnt from examples of a rig. */
import { frameCount } from '@pelt/model';
import type { InputFigures } from '../input/load-sequence.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { type EnvelopeErrors, errorsAt } from './enveloping-errors.ts';
import { addJoints, type LearntChoice, learnSkin, type PlayedBy } from './learn-skin.ts';
import { learnSwing } from './learn-swing.ts';
import { loadExamples } from './load-examples.ts';
import type { SwingReport } from './swing-report.ts';
import type { ENVELOPE, Predictor } from './table.ts';

type EnvelopeRequest = Checked<typeof ENVELOPE>;

export interface EnvelopeReport {
  readonly input: Omit<InputFigures, 'triangles'>;
  readonly predictor: Predictor;
  readonly bones: number;
  readonly proxies: number;
  readonly keys: number;
  readonly displacements: number;
  readonly weightsPerVertex: number;
  readonly playedBy: PlayedBy;
  /** What the examples chose by being left out, where they had to. */
  readonly choice: LearntChoice | undefined;
  /** Secondary motion, where it was asked for. */
  readonly dynamics?: SwingReport;
  readonly training: { readonly frames: number; readonly error: EnvelopeErrors };
  /** On the frames that did not train, where there are any. */
  readonly heldOut: { readonly frames: number; readonly error: EnvelopeErrors } | undefined;
  readonly seconds: { readonly read: number; readonly train: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

export async function envelope(request: EnvelopeRequest, job: Job): Promise<EnvelopeReport> {
  const { output, options } = request;
  const { predictor } = options;
  job.outputs.reserve(output);
  const [rigFile, ...files] = request.inputs;
  const [loaded, read] = await timed(() => loadExamples(rigFile, files, options, job));
  const { rig, sequence, input } = loaded;
  const S = frameCount(sequence);
  const all = Array.from({ length: S }, (_, t) => t);
  const train = options.train === 'all' ? all : options.train.map((frame) => frame - 1);
  return withNumerics(job, async (run) => {
    const [skin, training] = await timed(() =>
      predictor === 'mohr-gleicher'
        ? addJoints(options, loaded, train, run)
        : options.dynamics !== 'none'
          ? learnSwing(options, predictor, loaded, train, run, job.warn)
          : learnSkin(options, predictor, loaded, train, run, job.warn),
    );
    const measured = (frames: readonly number[]) => ({
      frames: frames.length,
      error: errorsAt(skin.deform, loaded, frames),
    });
    const others = all.filter((t) => !train.includes(t));
    const [bytes, write] = await timed(async () => {
      const file = await skin.encode(loaded.opened, job.warn);
      job.outputs.write(output, file);
      return file.length;
    });
    const report: EnvelopeReport = {
      input,
      predictor,
      bones: rig.bones.length,
      ...skin.report,
      training: measured(train),
      heldOut: others.length > 0 ? measured(others) : undefined,
      seconds: { read, train: training, write },
      output: { file: output, bytes },
      threads: run.numerics.threads,
    };
    skin.dispose();
    return report;
  });
}
