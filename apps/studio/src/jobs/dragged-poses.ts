/** Poses that were dragged in Pose: pairs of a motion in Puppet, and examples that posing learns from. */
import type { FinishedRun, PoseHandle, SavedPose } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import { keepPairs } from './puppet-bench.ts';
import type { Workbench } from './workbench.ts';

const EXAMPLES_NAME = 'dragged.json';

/** Pairs a pose with a moment of the motion, beside the pairs that there are. */
export async function pairDragged(bench: Workbench, { name, handles }: SavedPose, time: number): Promise<void> {
  const { readPairs, writePairs } = await import('@pelt/io');
  const { pairs: given } = bench.store.state.document.puppet;
  const [file] = bench.library.get(given?.id)?.files ?? [];
  const document = file
    ? readPairs(new Uint8Array(await file.blob.arrayBuffer()), { name: file.path })
    : {
        name: 'made in the studio',
        neutral: 'neutral',
        motions: {},
        pairs: [{ name: 'neutral', performer: { time: 0 }, character: { bones: {} } }],
      };
  const pair = { name, performer: { time }, character: { handles: placesOf(handles) } };
  const pairs = [...document.pairs.filter((other) => other.name !== name), pair];
  keepPairs(bench, `Pair ${name}`, writePairs({ ...document, pairs }));
}

/** Learns posing again, from the character's own clips and the poses that were saved. */
export async function learnDragged(
  bench: Workbench,
  run: FinishedRun,
  poses: readonly SavedPose[],
  key: string,
): Promise<StoredFile | undefined> {
  const { library } = bench;
  const item = library.get(run.id);
  const [rig] = item?.files ?? [];
  if (!item || !rig || poses.length === 0) return undefined;
  const save = rig.path.replace(/\.glb$/, '-poser.glb');
  const options = { examples: [EXAMPLES_NAME], save, details: false };
  const [poser] =
    (await bench.make({ command: 'pose', inputs: [rig.path], options }, [rig, examplesFile(poses)])) ?? [];
  if (poser) library.set(run.id, { ...item, poser, poserKey: key });
  return poser;
}

/** Saved poses as the file that `pelt pose --examples` reads. */
export function examplesFile(poses: readonly SavedPose[]): StoredFile {
  const examples = poses.map(({ name, handles }, k) => ({
    name: poses.findIndex((other) => other.name === name) < k ? `${name} (${k + 1})` : name,
    handles: placesOf(handles),
  }));
  return { path: EXAMPLES_NAME, blob: new Blob([JSON.stringify({ examples })], { type: 'application/json' }) };
}

/** Where points of the skin are held, by their vertices. */
function placesOf(handles: readonly PoseHandle[]): Record<string, [number, number, number]> {
  return Object.fromEntries(handles.map(({ vertex, target: [x, y, z] }) => [vertex, [x, y, z]]));
}
