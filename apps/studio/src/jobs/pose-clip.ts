/** Saved poses at frames of a clip, as the path of handles that `pelt pose --path` takes. */
import type { PoseHandle, PoseKey, SavedPose } from '../store/document.ts';
import type { Library, StoredFile } from '../store/library.ts';

/** Slow at both ends, as a hand moves. */
function ease(x: number): number {
  return x * x * (3 - 2 * x);
}

/**
 * Every point that any of the poses holds goes from where it is in one pose to where it is in the next; held before the
 * first key, and ended at the last.
 *
 * @param positions  n × 3 positions of all vertices in a pose
 */
export function handlePath(
  keys: readonly PoseKey[],
  poses: readonly SavedPose[],
  positions: (pose: string) => Float32Array | undefined,
  fps: number,
): { fps: number; handles: { vertex: number; positions: number[][] }[] } {
  const ordered = keys.toSorted((a, b) => a.frame - b.frame);
  const used = poses.filter(({ id }) => ordered.some(({ pose }) => pose === id));
  const vertices = [...new Set(used.flatMap(({ handles }) => handles.map(({ vertex }) => vertex)))].sort(
    (a, b) => a - b,
  );
  const last = ordered.at(-1)?.frame ?? 0;
  const at = (pose: string, vertex: number) => Array.from(positions(pose)?.subarray(3 * vertex, 3 * vertex + 3) ?? []);
  const place = (vertex: number, frame: number): number[] => {
    const next = ordered.findIndex((key) => key.frame >= frame);
    const [from, to] = [ordered[Math.max(0, next - 1)], ordered[next]];
    const [a, b] = [at(from.pose, vertex), at(to.pose, vertex)];
    const share =
      to.frame > from.frame && frame > from.frame ? ease((frame - from.frame) / (to.frame - from.frame)) : 1;
    return b.map((value, c) => a[c] + (value - a[c]) * share);
  };
  const frames = Array.from({ length: last + 1 }, (_, frame) => frame);
  return {
    fps,
    handles: vertices.map((vertex) => ({ vertex, positions: frames.map((frame) => place(vertex, frame)) })),
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
export function handlePathFile(
  keys: readonly PoseKey[],
  poses: readonly SavedPose[],
  library: Library,
  fps: number,
): StoredFile {
  const path = handlePath(keys, poses, (pose) => library.get(pose)?.points, fps);
  return { path: 'handles.json', blob: new Blob([JSON.stringify(path)]) };
}
