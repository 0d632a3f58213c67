import { UsageError } from '@pelt/model';
import { TETRAHEDRALIZE_DEFAULTS, VOLUME_DEFORMER_DEFAULTS } from '@pelt/skin';
import { type Command, InvalidArgumentError } from 'commander';
import type { VolumeRequest } from '../jobs/volume.ts';
import { formatBytes, formatSeconds } from '../terminal/amounts.ts';
import {
  addCommonOptions,
  addThreadsOption,
  type CommonOptions,
  type Example,
  frameNumbers,
  positiveNumber,
  threadsOf,
  wholeNumber,
} from './common-options.ts';
import { runCommand } from './run-command.ts';

export const VOLUME_EXAMPLES: readonly Example[] = [
  {
    does: 'A mesh moved by the skeleton of a rigged file, as a point cache',
    run: 'pelt volume body.obj --rig character.glb -o moved.pc2',
  },
  {
    does: 'The same as a skinned GLB that plays anywhere',
    run: 'pelt volume body.obj --rig character.glb --bones 12 -o moved.glb',
  },
  {
    does: 'A capture file on a mesh without a skeleton',
    run: 'pelt volume body.obj --bvh walk.bvh --landmarks joints.json --step 4 -o walking.pc2',
  },
  {
    does: 'Shaped by two sculpts of the mesh, in the poses of the third and the last frame',
    run: 'pelt volume body.obj --rig character.glb --examples half.obj bent.obj --at 3,5 -o shaped.pc2',
  },
];

interface VolumeOptions extends CommonOptions {
  readonly output: string;
  readonly rig?: string;
  readonly clip?: string;
  readonly bvh?: string;
  readonly landmarks?: string;
  readonly constraints: string;
  readonly examples?: readonly string[];
  readonly at?: readonly number[];
  readonly step: number;
  readonly volumeWeight?: number;
  readonly tolerance?: number;
  readonly spacing?: number;
  readonly grading?: number;
  readonly bones?: number;
  readonly weights?: number;
  readonly threads?: number;
}

export function defineVolume(command: Command, finish: (exitCode: number) => void): void {
  const { volumeWeight, tolerance } = VOLUME_DEFORMER_DEFAULTS;
  const { spacing, grading } = TETRAHEDRALIZE_DEFAULTS;
  command
    .argument('<mesh>', 'a closed mesh: .obj, .ply, .glb')
    .requiredOption('-o, --output <file>', 'what to write: .pc2, .mdd, frames as .obj or .ply, or a skinned .glb')
    .option('--rig <file>', 'a skinned .glb or .gltf whose bones lie in the mesh at rest')
    .option('--clip <name>', 'which animation of the rig, by name or number (default: the first)')
    .option('--bvh <file>', 'a capture file, in place of --rig')
    .option('--landmarks <file>', 'where the capture\'s joints are in the mesh: JSON, { "LeftArm": [x, y, z], … }')
    .option('--constraints <file>', "'auto', or a file with the numbers of the vertices that follow the bones", 'auto')
    .option(
      '--examples <files...>',
      'shapes of the mesh in some frames of the motion: meshes, a cache, a folder, a glTF',
    )
    .option('--at <frames>', 'the frames of the examples, as 1,12,24, or all (default: all)', frameNumbers)
    .option('--step <n>', 'take every nth frame of the motion', wholeNumber(1), 1)
    .option(
      '--volume-weight <w>',
      `how much the volume is worth; 0 for nothing (default: ${volumeWeight})`,
      numberFrom0,
    )
    .option('--tolerance <e>', `change at which a frame is done (default: ${tolerance})`, positiveNumber)
    .option('--spacing <f>', `tetrahedra at the surface, in its edge lengths (default: ${spacing})`, positiveNumber)
    .option('--grading <f>', `how fast they grow inside (default: ${grading})`, numberFrom0)
    .option('--bones <n>', 'bones to fit a GLB with', wholeNumber(1))
    .option('--weights <k>', 'most weights a vertex of a GLB', wholeNumber(1));
  addThreadsOption(command);
  addCommonOptions(command, VOLUME_EXAMPLES).action(async (mesh: string, options: VolumeOptions) => {
    const { output, constraints, examples, at, step, volumeWeight, tolerance, spacing, grading, bones, weights } =
      options;
    if (at && !examples) throw new UsageError('--at says in which frames --examples are; there are none');
    const request: VolumeRequest = {
      mesh,
      skeleton: skeletonOf(options),
      constraints: constraints === 'auto' ? undefined : constraints,
      examples: examples && { files: examples, at },
      output,
      step,
      volumeWeight,
      tolerance,
      spacing,
      grading,
      bones,
      weights,
      threads: threadsOf(options.threads),
    };
    const exitCode = await runCommand('volume', request, options, (report) => {
      const { input, body, frames, rounds, output: written, seconds } = report;
      const total = Object.values(seconds).reduce((sum, value) => sum + value, 0);
      return [
        `${body.tetrahedra} tetrahedra, least angle ${body.leastAngleDegrees.toFixed(1)}°, ${body.slivers} flat; ` +
          `${report.constraints} vertices follow ${input.bones} bones` +
          (report.examples > 0 ? `, shaped by ${report.examples} examples` : ''),
        `${frames} ${frames === 1 ? 'frame' : 'frames'}, ${rounds.mean.toFixed(1)} rounds each; volume from ${(100 * report.volume).toFixed(1)} %` +
          (report.inverted > 0 ? `, up to ${report.inverted} inverted` : ''),
        `${input.mesh} + ${input.skeleton} → ${written.file} (${formatBytes(written.bytes)})  ${formatSeconds(total)}`,
      ];
    });
    finish(exitCode);
  });
}

function skeletonOf({ rig, clip, bvh, landmarks }: VolumeOptions): VolumeRequest['skeleton'] {
  if (rig !== undefined && bvh !== undefined)
    throw new UsageError('--rig and --bvh both move the mesh; give one of them');
  if (rig !== undefined) {
    if (landmarks !== undefined) throw new UsageError('--landmarks place the joints of a --bvh; a rig has its own');
    return { rig, clip };
  }
  if (bvh === undefined) throw new UsageError('what is to move the mesh? give --rig, or --bvh with --landmarks');
  if (clip !== undefined) throw new UsageError('--clip chooses an animation of a --rig; a BVH has one');
  if (landmarks === undefined) throw new UsageError('where are the joints of the BVH in the mesh? give --landmarks');
  return { bvh, landmarks };
}

function numberFrom0(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('It must be a number from 0.');
  }
  return value;
}
