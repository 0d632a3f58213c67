/** `pelt envelope`: pose-dependent skin learnt from examples of a rig. */
import { frameCount, stageOf, UsageError } from '@pelt/model';
import type { Suggestion } from '@pelt/skin/dynamics';
import type { InputFigures } from '../input/load-sequence.ts';
import { rewriteCharacter } from '../input/pack-character.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { type EnvelopeErrors, errorsAt } from './enveloping-errors.ts';
import { addJoints, type LearntFigures, learnSkin } from './learn-skin.ts';
import { learnSwing } from './learn-swing.ts';
import { loadDriven } from './load-driven.ts';
import { loadExamples } from './load-examples.ts';
import { playBack } from './play-back.ts';
import { suggestFor } from './suggest.ts';
import type { ENVELOPE, Predictor } from './table.ts';
import { type TeacherReport, teachByVolume } from './teach-volume.ts';

type EnvelopeRequest = Checked<typeof ENVELOPE>;

export interface EnvelopeReport extends LearntFigures {
  readonly input: Omit<InputFigures, 'triangles'>;
  readonly predictor: Predictor;
  readonly bones: number;
  /** Motions that would teach most, where they were asked for; seconds of the clips. */
  readonly suggestions?: readonly Suggestion[];
  /** What was solved to learn from, where no examples were given. */
  readonly taught?: TeacherReport;
  readonly training: { readonly frames: number; readonly error: EnvelopeErrors };
  /** On the frames that did not train, where there are any. */
  readonly heldOut: { readonly frames: number; readonly error: EnvelopeErrors } | undefined;
  readonly seconds: { readonly read: number; readonly train: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  /** Bytes of the file before it was packed, and what packing moves the surface by, in per cent of its size. */
  readonly packing?: { readonly bytes: number; readonly rmsePercent: number };
  readonly threads: number;
}

export async function envelope(request: EnvelopeRequest, job: Job): Promise<EnvelopeReport> {
  const { output, options } = request;
  const { predictor } = options;
  job.outputs.reserve(output);
  const [rigFile, ...files] = request.inputs;
  return withNumerics(job, async (run) => {
    const [{ loaded, taught }, read] = await timed(async () => {
      const { drive } = options;
      if (drive !== undefined && options.teacher !== 'none') {
        throw new UsageError('--drive is for examples without a rig; --teacher solves poses of one');
      }
      if (drive !== undefined) return { loaded: await loadDriven(request.inputs, { ...options, drive }, job) };
      if (options.teacher === 'none') return { loaded: await loadExamples(rigFile, files, options, job, run) };
      const taught = await teachByVolume(request.inputs, options, job, stageOf(run, 0, 0.3));
      return { loaded: taught, taught };
    });
    const { rig, sequence, input } = loaded;
    const S = frameCount(sequence);
    const all = Array.from({ length: S }, (_, t) => t);
    const train = taught?.train ?? (options.train === 'all' ? all : options.train.map((frame) => frame - 1));
    const [skin, training] = await timed(() =>
      predictor === 'mohr-gleicher'
        ? addJoints(options, loaded, train, run)
        : options.dynamics !== 'none'
          ? learnSwing(options, options.drive === undefined ? predictor : 'ssd', loaded, train, run, job.warn)
          : learnSkin(options, predictor, loaded, train, run, job.warn),
    );
    const measured = (frames: readonly number[]) => ({
      frames: frames.length,
      error: errorsAt(skin.deform, loaded, frames),
    });
    const others = all.filter((t) => !train.includes(t));
    const [{ file, packing }, write] = await timed(async () => {
      const encoded = await skin.encode(loaded.opened, job.warn);
      if (options.compress === 'none') {
        job.outputs.write(output, encoded);
        return { file: encoded };
      }
      const stored = { bytes: encoded, resolve: undefined };
      const packed = await rewriteCharacter(stored, {}, { compress: options.compress }, output);
      job.outputs.write(output, packed.bytes);
      return { file: packed.bytes, packing: { bytes: encoded.length, rmsePercent: 100 * packed.error } };
    });
    const report: EnvelopeReport = {
      input,
      predictor,
      bones: rig.bones.length,
      ...skin.report,
      ...(options.suggest && { suggestions: suggestFor(loaded, train, skin.dynamics, run) }),
      ...(taught && { taught: taught.reportOf((await playBack(file, rig)) ?? skin.deform) }),
      training: measured(train),
      heldOut: others.length > 0 ? measured(others) : undefined,
      seconds: { read, train: training, write },
      output: { file: output, bytes: file.length },
      ...(packing && { packing }),
      threads: run.numerics.threads,
    };
    skin.dispose();
    return report;
  });
}
