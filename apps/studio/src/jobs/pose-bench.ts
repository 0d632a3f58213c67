/** Files by which a skin is pulled: made once and kept beside what they were made from, or moved onto another character. */
import { POSE } from '@pelt/jobs/tables';
import type { FinishedRun, OpenedInput, PosingChoices } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import { effectiveOptions } from '../store/more-options.ts';
import { stemOf } from './describe-input.ts';
import type { Workbench } from './workbench.ts';

/** What posing is learnt from: the bones of a run and its clips, or the meshes that were opened. */
export type PosingSource =
  | { readonly kind: 'run'; readonly run: FinishedRun }
  | { readonly kind: 'examples'; readonly input: OpenedInput };

/** Frames up to which an animation is a set of poses, each of which deserves a slider. */
const FEW_FRAMES = 32;

export function posingSource(
  { learn }: Pick<PosingChoices, 'learn'>,
  input: OpenedInput | undefined,
  run: FinishedRun | undefined,
): PosingSource | undefined {
  const isShapes = input !== undefined && hasExamples(input);
  const wanted = learn === 'auto' ? (isShapes && input.frames <= FEW_FRAMES ? 'examples' : 'run') : learn;
  if (wanted === 'examples' && isShapes) return { kind: 'examples', input };
  return run && { kind: 'run', run };
}

/** Whether what was opened are shapes of a mesh, rather than a rig that plays. */
export function hasExamples({ inputs, frames, face, clips }: OpenedInput): boolean {
  return frames > 1 && face === undefined && (clips?.length ?? 1) === 1 && !/\.(?:glb|gltf|fbx|vrm)$/i.test(inputs[0]);
}

/** Names of the shapes, where each is a file. */
export function exampleLabels({ inputs, choices, frames }: OpenedInput): readonly string[] {
  const shapes = inputs.filter((path) => path !== (choices.rest ?? inputs[0]));
  return shapes.length === frames || shapes.length === frames - 1
    ? shapes.map((path) => path.replace(/^.*\/|\.\w+$/g, ''))
    : [];
}

/** What posing is kept by: made anew where this changes. */
export function posingKey(source: PosingSource, choices: PosingChoices): string {
  return JSON.stringify(
    source.kind === 'run' ? ['run', source.run.id] : ['examples', source.input.id, learning(choices)],
  );
}

/** The file that is prepared for posing; undefined where that failed or was stopped. */
export async function preparePoser(
  bench: Workbench,
  source: PosingSource,
  choices: PosingChoices,
): Promise<StoredFile | undefined> {
  const { library } = bench;
  const id = source.kind === 'run' ? source.run.id : source.input.id;
  const item = library.get(id);
  const key = posingKey(source, choices);
  if (!item || (item.poser && item.poserKey === key)) return item?.poser;
  const [poser] = (await makePoser(bench, source, choices, item.files)) ?? [];
  if (poser) library.set(id, { ...item, poser, poserKey: key });
  return poser;
}

async function makePoser(
  bench: Workbench,
  source: PosingSource,
  choices: PosingChoices,
  files: readonly StoredFile[],
): Promise<readonly StoredFile[] | undefined> {
  if (source.kind === 'run') {
    const [rig] = files;
    if (!rig) return undefined;
    const save = rig.path.replace(/\.glb$/, '-poser.glb');
    return bench.make({ command: 'pose', inputs: [rig.path], options: { save, details: false } }, [rig]);
  }
  const { inputs, choices: opened } = source.input;
  const rest = opened.rest ?? inputs[0];
  const shapes = inputs.filter((path) => path !== rest);
  const options = {
    ...learning(choices),
    examples: shapes.length > 0 ? shapes : [rest],
    save: `${stemOf(source.input)}-poser.glb`,
  };
  return bench.make({ command: 'pose', inputs: [rest], options }, files);
}

/** Options of learning; those of the solver work without learning again. */
function learning({ more }: PosingChoices) {
  const { ridge: _, pull: __, plant: ___, ...others } = effectiveOptions(POSE, more, {});
  return others;
}

/** Moves the pose space of a character onto another one. */
export async function movePoser(
  bench: Workbench,
  prepared: StoredFile,
  subject: string,
  other: StoredFile,
): Promise<void> {
  const { library, store } = bench;
  const save = other.path.replace(/^.*\/|\.\w+$/g, '').concat('-poser.glb');
  const request = { command: 'pose', inputs: [other.path], options: { transfer: prepared.path, save } } as const;
  const files = await bench.make(request, [other, prepared]);
  if (!files) return;
  const id = library.newId('poser');
  library.set(id, { files });
  store.edit('Move onto another character', (now) => ({
    ...now,
    poser: { id, run: subject, onto: other.path },
    poses: [],
    clips: now.clips.map((clip) => ({ ...clip, tracks: { ...clip.tracks, pose: [] } })),
  }));
}
