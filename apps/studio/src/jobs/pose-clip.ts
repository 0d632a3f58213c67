/** Saved poses at frames of a clip, as the path of handles that `pelt pose --path` takes. */
import { type EditedClip, periodOf } from '../store/clips.ts';
import type { PoseHandle, SavedPose } from '../store/document.ts';
import { numbersAt } from '../store/keys.ts';
import type { Library, StoredFile } from '../store/library.ts';

/** What of a clip a path is made of. */
export type PathClip = Pick<EditedClip, 'frames' | 'fps' | 'closes'> & {
  readonly tracks: Pick<EditedClip['tracks'], 'pose'>;
};

/**
 * Every point that any of the poses holds goes from where it is in one pose to where it is in the next, as the keys' eases
 * say; held before the first key and after the last, over the whole length of the clip.
 *
 * @param positions  n × 3 positions of all vertices in a pose
 */
export function handlePath(
  clip: PathClip,
  poses: readonly SavedPose[],
  positions: (pose: string) => Float32Array | undefined,
): { fps: number; handles: { vertex: number; positions: number[][] }[] } {
  const keys = clip.tracks.pose.filter(({ value }) => positions(value) !== undefined);
  const used = poses.filter(({ id }) => keys.some(({ value }) => value === id));
  const vertices = [...new Set(used.flatMap(({ handles }) => handles.map(({ vertex }) => vertex)))].sort(
    (a, b) => a - b,
  );
  const points = new Map(
    used.map(({ id }) => {
      const all = positions(id);
      return [id, vertices.flatMap((vertex) => Array.from(all?.subarray(3 * vertex, 3 * vertex + 3) ?? []))] as const;
    }),
  );
  const frames = Array.from(
    { length: clip.frames },
    (_, frame) => numbersAt(keys, frame, periodOf(clip), (pose) => points.get(pose) ?? []) ?? [],
  );
  return {
    fps: clip.fps,
    handles: vertices.map((vertex, c) => ({ vertex, positions: frames.map((at) => at.slice(3 * c, 3 * c + 3)) })),
  };
}

/** Where the points of a path are at each frame: before its end, and held after it. */
export function handlesAt({ handles }: ReturnType<typeof handlePath>): (frame: number) => PoseHandle[] {
  return (frame) =>
    handles.map(({ vertex, positions }) => {
      const [x, y, z] = positions[Math.min(frame, positions.length - 1)];
      return { vertex, target: [x, y, z] };
    });
}

/** The path as a file beside the character. */
export function handlePathFile(clip: PathClip, poses: readonly SavedPose[], library: Library): StoredFile {
  const path = handlePath(clip, poses, (pose) => library.get(pose)?.points);
  return { path: 'handles.json', blob: new Blob([JSON.stringify(path)]) };
}
