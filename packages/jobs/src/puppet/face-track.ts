/** The recording of a face beside the motion of a body: weights of the character's morph targets over its clip. */
import { matchRecording, readFaceRecording } from '@pelt/io';
import { type Character, type CharacterClip, InputError, type SliderClip } from '@pelt/model';
import type { Job } from '../job.ts';

/** How many names a warning lists. */
const LISTED = 4;

/** @param path  of a recording that begins with the motion; undefined for none */
export function withFace(
  clip: CharacterClip,
  { name, morphs }: Character,
  path: string | undefined,
  { files, warn }: Pick<Job, 'files' | 'warn'>,
): CharacterClip {
  if (path === undefined) return clip;
  if (morphs.length === 0) {
    throw new InputError(
      `'${name}' has no morph targets, which '${path}' could move; give --face to a face that has some`,
    );
  }
  const names = morphs.map((morph) => morph.name);
  const recording = readFaceRecording(files.read(path), { name: path, onWarning: warn });
  const { clip: face, missing, unused } = matchRecording(recording, names);
  if (missing.length === names.length) {
    throw new InputError(`'${path}' moves none of the morph targets ${some(names)}: it has ${some(unused)}`);
  }
  if (unused.length > 0) warn(`'${path}': no morph target is called ${some(unused)}`);
  const R = names.length;
  const still = new Set(missing);
  const moved = names.flatMap((each, r) => (still.has(each) ? [] : [r]));
  const morphWeights = clip.morphWeights?.slice() ?? new Float32Array(clip.times.length * R);
  clip.times.forEach((time, t) => {
    const [before, part] = placeOf(face.times, time);
    const after = Math.min(before + 1, face.times.length - 1);
    for (const r of moved) {
      morphWeights[t * R + r] = (1 - part) * face.values[before * R + r] + part * face.values[after * R + r];
    }
  });
  return { ...clip, morphWeights };
}

/** The frame before a time, from the start of the recording, and how far it is to the next. */
function placeOf(times: SliderClip['times'], seconds: number): [number, number] {
  const time = times[0] + seconds;
  let t = 0;
  while (t + 1 < times.length && times[t + 1] <= time) t++;
  if (t + 1 >= times.length) return [t, 0];
  return [t, Math.max(0, (time - times[t]) / (times[t + 1] - times[t]))];
}

function some(names: readonly string[]): string {
  const first = [...new Set(names)].slice(0, LISTED).map((name) => `'${name}'`);
  return `${first.join(', ')}${names.length > LISTED ? ` and ${names.length - LISTED} others` : ''}`;
}
