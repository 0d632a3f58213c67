/** What the document says of inputs and runs: names, counts, and whether two runs are one. */
import { frameCount, triangleCount, vertexCount } from '@pelt/model';
import type { FinishedRun, OpenedInput, RunCommand } from '../store/document.ts';
import type { RequestOptions } from '../store/requests.ts';
import type { AnimationFiles, Opened } from './protocol.ts';

/** What the document says of an animation that was opened. */
export function describeInput(
  id: string,
  { inputs, choices }: AnimationFiles,
  { sequence, label, clips, face }: Opened,
  named?: string,
): OpenedInput {
  const { times, rest } = sequence;
  const S = frameCount(sequence);
  const fps = S > 1 ? (S - 1) / (times[S - 1] - times[0]) : 30;
  return {
    id,
    label: named ?? label,
    example: named !== undefined,
    inputs,
    choices,
    vertices: vertexCount(rest),
    triangles: triangleCount(rest),
    frames: S,
    fps,
    clips,
    ...(face && { face }),
  };
}

/** Whether a run is what a command would make again, byte for byte. */
export function isRunOf(
  run: FinishedRun,
  command: RunCommand,
  options: RequestOptions,
  inputs: readonly string[],
  from: string | undefined,
): boolean {
  const asked = JSON.stringify([command, sorted(options), inputs, from]);
  const { options: given } = run;
  return given !== undefined && JSON.stringify([run.command, sorted(given), run.inputs, run.from]) === asked;
}

function sorted(options: RequestOptions): readonly unknown[] {
  return Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A name for what is written: that of the first input, without folder and extension. */
export function stemOf({ inputs }: Pick<OpenedInput, 'inputs'>): string {
  const name = inputs[0].slice(inputs[0].lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  return name || 'animation';
}
