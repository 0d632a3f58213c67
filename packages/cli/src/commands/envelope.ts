import { ENVELOPE_DEFAULTS, REDUCE_ENVELOPE_DEFAULTS } from '@pelt/skin';
import { type Command, Option } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import { ENVELOPE_PREDICTORS, type EnvelopeErrors, type EnvelopeReport } from '../jobs/envelope.ts';
import { formatBytes, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import {
  addCommonOptions,
  addInputOptions,
  addThreadsOption,
  type CommonOptions,
  type Example,
  frameNumbers,
  positiveNumber,
  threadsOf,
  wholeNumber,
} from './common-options.ts';
import { runCommand } from './run-command.ts';

export const ENVELOPE_EXAMPLES: readonly Example[] = [
  { does: 'Learn from every frame', run: 'pelt envelope character.glb frames -o learnt.glb' },
  {
    does: 'Learn from four frames, and measure on the others',
    run: 'pelt envelope character.glb frames --train 1,4,8,12 -o few.glb',
  },
  {
    does: 'For any engine: the proxy bones as joints, the clip baked',
    run: 'pelt envelope character.glb frames --proxies 12 --bake -o everywhere.glb',
  },
];

interface EnvelopeCommandOptions extends CommonOptions, InputOptions {
  readonly output: string;
  readonly train?: readonly number[];
  readonly predictor: (typeof ENVELOPE_PREDICTORS)[number];
  readonly proxies?: number;
  readonly maxError?: number;
  readonly weights?: number;
  readonly bake?: boolean;
  readonly threads?: number;
}

export function defineEnvelope(command: Command, finish: (exitCode: number) => void): void {
  const { proxies } = REDUCE_ENVELOPE_DEFAULTS;
  addInputOptions(command)
    .argument('<rig>', 'the skinned glTF whose clip has the skeleton of every example')
    .argument('<examples...>', 'the shapes, frame by frame: a mesh and its cache, frames, a folder of frames, a glTF')
    .requiredOption('-o, --output <file>', 'the GLB to write')
    .option('--train <frames>', 'numbers of the frames to learn from, as 1,12,24, or all (default: all)', frameNumbers)
    .addOption(
      new Option('--predictor <name>', 'how gradients follow the joints, or a rival to compare with')
        .choices(ENVELOPE_PREDICTORS)
        .default('improved'),
    )
    .option('--proxies <p>', `proxy bones of the learnt skin (default: ${proxies})`, wholeNumber(1))
    .option(
      '--max-error <e>',
      'as few proxies as differ from the full skin by no more than this E_RMS; then --proxies is the most',
      positiveNumber,
    )
    .option('--weights <k>', `most weights a vertex (default: ${ENVELOPE_DEFAULTS.weights})`, wholeNumber(1))
    .option('--bake', 'write the proxy bones as joints with the clip baked, for any engine');
  addThreadsOption(command);
  addCommonOptions(command, ENVELOPE_EXAMPLES).action(
    async (rig: string, files: string[], options: EnvelopeCommandOptions) => {
      const { rest, fps, clip, output, train, predictor, proxies, maxError, weights, bake = false } = options;
      const threads = threadsOf(options.threads);
      const input = { rest, fps, clip };
      const request = { rig, files, input, output, train, predictor, proxies, maxError, weights, bake, threads };
      const exitCode = await runCommand('envelope', request, options, (report) => {
        const { training, heldOut, seconds, output: written } = report;
        const total = formatSeconds(seconds.read + seconds.train + seconds.write);
        return [
          ...alignRows([
            row(`${training.frames} frames that trained`, training.error),
            ...(heldOut ? [row(`${heldOut.frames} other frames`, heldOut.error)] : []),
            ...(report.choice ? [choiceRow(report.choice)] : []),
          ]),
          `${report.input.name} (${formatBytes(report.input.bytes)}) → ${written.file} (${formatBytes(written.bytes)})  ` +
            `${report.proxies} proxies  ${total}`,
        ];
      });
      finish(exitCode);
    },
  );
}

function choiceRow(choice: NonNullable<EnvelopeReport['choice']>): readonly [label: string, value: string] {
  const { pull, tolerance, heldShare, fellBack } = choice;
  if (fellBack) return ['chosen', 'pose space deformation, which did better on examples left out'];
  const held = `plain skinning below ${formatNumber(100 * tolerance)} % of the size`;
  return ['chosen', `${held}, for ${formatNumber(100 * heldShare)} % of each bone, pull ${formatNumber(pull)}`];
}

function row(name: string, { error, median, p95 }: EnvelopeErrors): readonly [label: string, value: string] {
  const [mean, middle, most] = [error, median, p95].map(formatNumber);
  return [name, `enveloping error ${mean} %, of the vertices half below ${middle} %, 95 in 100 below ${most} %`];
}
