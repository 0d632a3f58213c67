/**
 * One animation as a choice of the allocation: a coding for each of its channels. Channels of one list of times share
 * the lists that stay of it, and every list costs text and keys of its own; so few strides serve all of them.
 */
import type { GltfAnimation, GltfChannel } from '../scene.ts';
import type { Choice, Picked } from './allocate.ts';
import { keyFrames, type TrackCoding, type TrackOption } from './track-options.ts';

/** The coding of each channel, in their order. */
export type ClipCoding = readonly (TrackCoding | undefined)[];

/** Bytes of a time list: its accessor as text, and a key. */
const [LIST_BYTES, TIME_BYTES] = [110, 1.2];
/** Lists that a group of channels may have, beside that of a single key. */
const MOST_LISTS = 3;

export class ClipChoice implements Choice<ClipCoding> {
  readonly #groups: Group[];
  readonly #channels: number;

  /** @param options  of each channel */
  constructor(animation: GltfAnimation, options: readonly (readonly TrackOption[])[]) {
    this.#channels = animation.channels.length;
    const groups = new Map<string, Group>();
    animation.channels.forEach((channel, c) => {
      const key = channel.times.join();
      const group = groups.get(key) ?? { times: channel.times, members: [] };
      groups.set(key, group);
      group.members.push({ c, channel, options: options[c] });
    });
    this.#groups = [...groups.values()];
  }

  best(price: number): Picked<ClipCoding> {
    const value = new Array<TrackCoding | undefined>(this.#channels);
    let [bytes, error] = [0, 0];
    for (const group of this.#groups) {
      const picked = bestOf(group, price);
      group.members.forEach(({ c }, k) => {
        value[c] = picked.value[k];
      });
      bytes += picked.bytes;
      error += picked.error;
    }
    return { value, bytes, error };
  }
}

interface Group {
  readonly times: Float32Array;
  readonly members: { readonly c: number; readonly channel: GltfChannel; readonly options: readonly TrackOption[] }[];
}

/** Adds the list that helps most, as long as one does. */
function bestOf({ times, members }: Group, price: number): Picked<ClipCoding> {
  const cost = ({ bytes, error }: TrackOption) => bytes + price * error;
  // The best option of each channel for every stride, and without keys of its own.
  const tables = members.map(({ options }) => {
    const table = new Map<number, TrackOption>();
    for (const option of options) {
      const stride = option.value?.stride ?? 0;
      const best = table.get(stride);
      if (!best || cost(option) < cost(best)) table.set(stride, option);
    }
    return table;
  });
  const strides = [...new Set(tables.flatMap((table) => [...table.keys()]))].filter((stride) => stride > 0);
  const pick = (allowed: readonly number[]) =>
    tables.map((table) =>
      [...table]
        .filter(([stride]) => allowed.includes(stride))
        .map(([, option]) => option)
        .reduce<TrackOption | undefined>(
          (best, option) => (best && cost(best) <= cost(option) ? best : option),
          undefined,
        ),
    );
  const total = (allowed: readonly number[]) => {
    const lists = allowed
      .filter((stride) => stride > 0)
      .reduce((sum, stride) => sum + LIST_BYTES + TIME_BYTES * keyFrames(times.length, stride).length, 0);
    return pick(allowed).reduce((sum, option) => sum + (option ? cost(option) : Number.POSITIVE_INFINITY), lists);
  };
  let allowed = [0];
  let least = total(allowed);
  for (let k = 0; k < MOST_LISTS; k++) {
    const tried = strides.filter((s) => !allowed.includes(s)).map((s) => [...allowed, s]);
    const costs = tried.map(total);
    const best = costs.indexOf(Math.min(...costs));
    if (best < 0 || !(costs[best] < least)) break;
    [allowed, least] = [tried[best], costs[best]];
  }
  const picked = pick(allowed).map((option) => option as TrackOption);
  return {
    value: picked.map(({ value }) => value),
    bytes: picked.reduce((sum, { bytes }) => sum + bytes, 0),
    error: picked.reduce((sum, { error }) => sum + error, 0),
  };
}
