/**
 * A recording on the sliders of a character. Names are compared without case, separators and prefixes, and sides however
 * they are written: `EyeBlinkLeft`, `eyeBlink_L` and `head.eyeBlinkLeft` are one slider.
 */
import type { SliderClip } from '@pelt/model';
import type { FaceRecording } from './read-face-recording.ts';

export interface MatchedRecording {
  /** Of the character's sliders, in their order. */
  readonly clip: SliderClip;
  /** Sliders that the recording does not move. */
  readonly missing: readonly string[];
  /** What was recorded and drives nothing. */
  readonly unused: readonly string[];
}

/**
 * Puts a recording on the sliders of a character, by name.
 *
 * @param names  of the character's sliders
 * @example
 * {@includeCode ../../examples/face-recording.ts}
 */
export function matchRecording(recording: FaceRecording, names: readonly string[]): MatchedRecording {
  const columns = new Map(recording.names.map((name, s) => [plainName(name), s]));
  const found = names.map((name) => columns.get(plainName(name)));
  const used = new Set(found);
  const F = recording.times.length;
  const values = new Float32Array(F * names.length);
  found.forEach((column, s) => {
    if (column === undefined) return;
    for (let t = 0; t < F; t++) {
      values[t * names.length + s] = recording.values[t * recording.names.length + column];
    }
  });
  return {
    clip: { name: recording.name, times: recording.times, values },
    missing: names.filter((_, s) => found[s] === undefined),
    unused: recording.names.filter((_, s) => !used.has(s)),
  };
}

const SIDES: Readonly<Record<string, string>> = { l: 'left', r: 'right', left: 'left', right: 'right' };

function plainName(name: string): string {
  const own = name.slice(name.lastIndexOf('.') + 1);
  const words = own
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const last = words.length - 1;
  if (last > 0 && SIDES[words[last]]) words[last] = SIDES[words[last]];
  return words.join('');
}
