/** Files by which a skin is pulled: made once for each run and kept beside it, or moved onto another character. */
import type { FinishedRun } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import type { Workbench } from './workbench.ts';

/** The file of a run that is prepared for posing; undefined where that failed or was stopped. */
export async function preparePoser(bench: Workbench, run: FinishedRun): Promise<StoredFile | undefined> {
  const { library } = bench;
  const item = library.get(run.id);
  const [rig] = item?.files ?? [];
  if (!item || !rig || item.poser) return item?.poser;
  const save = rig.path.replace(/\.glb$/, '-poser.glb');
  const request = { command: 'pose', inputs: [rig.path], options: { save, details: false } } as const;
  const [poser] = (await bench.make(request, [rig])) ?? [];
  if (poser) library.set(run.id, { ...item, poser });
  return poser;
}

/** Moves the pose space of a run onto another character. */
export async function movePoser(bench: Workbench, run: FinishedRun, other: StoredFile): Promise<void> {
  const { library, store } = bench;
  const prepared = await preparePoser(bench, run);
  if (!prepared) return;
  const save = other.path.replace(/^.*\/|\.\w+$/g, '').concat('-poser.glb');
  const request = { command: 'pose', inputs: [other.path], options: { transfer: prepared.path, save } } as const;
  const files = await bench.make(request, [other, prepared]);
  if (!files) return;
  const id = library.newId('poser');
  library.set(id, { files });
  store.edit('Move onto another character', (now) => ({
    ...now,
    poser: { id, run: run.id, onto: other.path },
    poses: [],
    clips: now.clips.map((clip) => ({ ...clip, tracks: { ...clip.tracks, pose: [] } })),
  }));
}
