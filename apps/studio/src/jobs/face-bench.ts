/** What a user does in Face, done: sliders fitted to blend shapes, and recordings taken in. */
import type { JobRequest } from '@pelt/jobs';
import { SLIDERS } from '@pelt/jobs/tables';
import type { StoredFile } from '../store/library.ts';
import { effectiveOptions } from '../store/more-options.ts';
import { ask } from './ask.ts';
import { stemOf } from './describe-input.ts';
import type { OpenedFace } from './open-face.ts';
import type { Workbench } from './workbench.ts';

/** Fits bones that follow the sliders of the input. */
export async function fitFace(bench: Workbench): Promise<void> {
  const { library, store } = bench;
  const { input, face } = store.state.document;
  const files = library.get(input?.id)?.files;
  if (!input || !files) return;
  const { rest } = input.choices;
  const inputs = input.inputs.filter((path) => path !== rest);
  const more = effectiveOptions(SLIDERS, face.more, {});
  const options = { ...(rest !== undefined && { rest }), bones: face.bones, weights: face.weights, ...more };
  const output = `${stemOf(input)}-sliders.glb`;
  const request = { command: 'sliders', inputs, output, options } as JobRequest;
  const made = await bench.produce(request, files);
  const [file] = made?.written ?? [];
  if (!made || !file) return;
  const id = library.newId('face');
  library.set(id, { files: [file] });
  const { report, seconds } = made;
  store.edit('Fit sliders', (now) => ({
    ...now,
    face: { ...now.face, fitted: { id, inputs, options, bytes: file.blob.size, seconds, report } },
  }));
}

/** The file that is shown: the one that was fitted, or the input where that has sliders already. */
export function faceFile({ library, store }: Workbench): StoredFile | undefined {
  const { input, face } = store.state.document;
  if (face.fitted) return library.get(face.fitted.id)?.files[0];
  if (input?.face !== 'fitted') return undefined;
  return library.get(input.id)?.files.find(({ path }) => path === input.inputs[0]);
}

/** What its sliders do, beside the blend shapes where it was made of them here. */
export async function readFace(bench: Workbench, file: StoredFile): Promise<OpenedFace> {
  const { input, face } = bench.store.state.document;
  const files = bench.library.get(input?.id)?.files ?? [];
  const { fitted } = face;
  const original = input && fitted && { files, inputs: fitted.inputs, choices: input.choices };
  return ask({ type: 'face', file, original: original || undefined });
}

/** A recording of a face takes the place of the keys. */
export function giveRecording({ library, store }: Workbench, file: StoredFile): void {
  const id = library.newId('file');
  library.set(id, { files: [file] });
  store.edit('Choose a recording', (now) => ({
    ...now,
    mode: 'face',
    face: { ...now.face, recording: { id, name: file.path } },
  }));
}
