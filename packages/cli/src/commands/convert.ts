import { type Command, InvalidArgumentError } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import { formatBytes, formatSeconds } from '../terminal/amounts.ts';
import { addCommonOptions, addInputOptions, type CommonOptions, type Example, wholeNumber } from './common-options.ts';
import { runCommand } from './run-command.ts';

export const CONVERT_EXAMPLES: readonly Example[] = [
  { does: 'A mesh and its cache as a GLB with morph targets', run: 'pelt convert rest.obj clip.pc2 -o clip.glb' },
  { does: 'A folder of frames as a cache', run: 'pelt convert frames --fps 30 -o clip.mdd' },
  { does: 'A skinned animation as numbered meshes', run: 'pelt convert character.glb --fps 24 -o baked/pose-####.obj' },
  { does: 'The rest pose alone', run: 'pelt convert character.glb --frame rest -o character.ply' },
];

interface ConvertOptions extends CommonOptions, InputOptions {
  readonly output: string;
  readonly frame?: number | 'rest';
  readonly ascii?: boolean;
}

export function defineConvert(command: Command, finish: (exitCode: number) => void): void {
  addInputOptions(command)
    .argument('<input...>', 'a mesh and its cache, frames, a folder of frames, or one animated file')
    .requiredOption('-o, --output <file>', 'what to write: .obj, .ply (one file a frame), .pc2, .mdd or .glb')
    .option('--frame <n>', "one frame alone, from 1, or 'rest' for the rest pose", frameNumber)
    .option('--ascii', 'PLY as text');
  addCommonOptions(command, CONVERT_EXAMPLES).action(async (files: string[], options: ConvertOptions) => {
    const { rest, fps, clip, output, frame, ascii = false } = options;
    const request = { files, input: { rest, fps, clip }, output, frame, ascii };
    const exitCode = await runCommand('convert', request, options, (report) => {
      const { input, output: written, seconds } = report;
      const count = written.files.length > 1 ? `${written.files.length} files, ` : '';
      const frames = `${written.frames} ${written.frames === 1 ? 'frame' : 'frames'}`;
      return [
        `${input.name} (${formatBytes(input.bytes)}) → ${written.file} (${count}${formatBytes(written.bytes)})  ` +
          `${frames}  ${formatSeconds(seconds.read + seconds.write)}`,
      ];
    });
    finish(exitCode);
  });
}

function frameNumber(text: string): number | 'rest' {
  if (text === 'rest') return text;
  try {
    return wholeNumber(1)(text);
  } catch {
    throw new InvalidArgumentError("It must be a whole number from 1, or 'rest'.");
  }
}
