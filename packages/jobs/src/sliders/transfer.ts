/** `pelt sliders MESH --transfer SLIDERS.glb`: the sliders of one face for another mesh. */
import { readSliders } from '@pelt/io';
import { UsageError } from '@pelt/model';
import { UNSEEN_ERROR } from '@pelt/pack';
import { type TransferredSliders, transferSliders } from '@pelt/skin/sliders';
import { loadGltf, loadMesh } from '../input/load-sequence.ts';
import { namedMesh } from '../input/names.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { encodeSliders, type SliderFile } from './encode-sliders.ts';
import type { SLIDERS } from './table.ts';
import { fitOfFile } from './written-fit.ts';

export interface Transferred {
  readonly file: SliderFile;
  readonly distance: TransferredSliders['distance'];
  readonly clips: readonly string[];
  readonly label: string;
  readonly bytes: number;
}

/** A face of a tenth of a pixel's error is what a fit of forty bones is, about: packing may add as much as to one. */
const SHARE = 5 * UNSEEN_ERROR;

/** Options that say how to fit, which is not done here. */
const OF_A_FIT = ['rest', 'names', 'recording', 'maxError', 'budget'] as const;

export async function transfer({ inputs, options }: Checked<typeof SLIDERS>, job: Job): Promise<Transferred> {
  const given = OF_A_FIT.find((key) => options[key] !== undefined);
  if (given) throw new UsageError(`--transfer takes the sliders as they are; leave out the option '${given}'`);
  if (inputs.length !== 1) throw new UsageError('--transfer takes one mesh, the face that gets the sliders');
  const from = sourceFile(job.files, options.transfer as string);
  const asset = isGltf(from) ? await loadGltf(from, job) : undefined;
  const source = asset && fitOfFile(asset);
  if (!asset || !source) {
    throw new UsageError(`'${from.path}' has no sliders to transfer; make them with pelt sliders`);
  }
  const target = sourceFile(job.files, inputs[0]);
  const mesh = namedMesh(await loadMesh(target, job));
  const { distance, ...fit } = transferSliders(source, mesh);
  const clips = readSliders(asset)?.clips ?? [];
  const file = await encodeSliders(fit, clips, SHARE, options, job.warn);
  return { file, distance, clips: clips.map(({ name }) => name), label: target.path, bytes: target.bytes };
}
