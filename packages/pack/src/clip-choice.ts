/**
 * One animation as a choice of the allocation: a coding for each of its channels. Channels of one list of times share
 * the lists that stay of it, and every list costs text and keys of its own; so few lists serve all of them.
 */
import type { GltfAnimation } from '@pelt/io/internal';
import type { Choice, Picked } from './allocate.ts';
import { PLAIN_COSTS, type TextCosts } from './codec.ts';
import { type KeyList, keyLists } from './key-lists.ts';
import { STILL, type TrackCoding, type TrackOption, trackOptions } from './track-options.ts';

/** The coding of each channel, in their order. */
export type ClipCoding = readonly (TrackCoding | undefined)[];

/** Lists that a group of channels may have, beside that of a single key. */
const MOST_LISTS = 8;

/** What hangs on a channel. */
export interface ChannelStakes {
  /** The value that is played without it. */
  readonly rest: ArrayLike<number>;
  /** Squared distance that an error of one moves. */
  readonly unit: number;
}

export class ClipChoice implements Choice<ClipCoding> {
  readonly #groups: Group[];
  readonly #channels: number;

  /**
   * @param stakes  of each channel
   * @param costs   of text; absent: by its length
   */
  constructor(animation: GltfAnimation, stakes: readonly ChannelStakes[], costs: TextCosts = PLAIN_COSTS) {
    this.#channels = animation.channels.length;
    const alike = new Map<string, number[]>();
    animation.channels.forEach(({ times }, c) => {
      const key = times.join();
      alike.set(key, [...(alike.get(key) ?? []), c]);
    });
    this.#groups = Array.from(alike.values(), (members) => {
      const weighted = members.map((c) => ({ channel: animation.channels[c], unit: stakes[c].unit }));
      const lists = keyLists(weighted, costs);
      const options = weighted.map(({ channel, unit }, k) =>
        trackOptions(channel, stakes[members[k]].rest, unit, lists, costs),
      );
      return { lists, members: members.map((c, k) => ({ c, options: options[k] })) };
    });
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
  readonly lists: readonly KeyList[];
  readonly members: { readonly c: number; readonly options: readonly TrackOption[] }[];
}

/** Adds the list that helps most, as long as one does. */
function bestOf({ lists, members }: Group, price: number): Picked<ClipCoding> {
  const cost = ({ bytes, error }: TrackOption) => bytes + price * error;
  // The best option of each channel for every list, and without keys of its own.
  const tables = members.map(({ options }) => {
    const table = new Map<readonly number[], TrackOption>();
    for (const option of options) {
      const frames = option.value?.frames ?? STILL;
      const best = table.get(frames);
      if (!best || cost(option) < cost(best)) table.set(frames, option);
    }
    return table;
  });
  const pick = (allowed: readonly KeyList[]) =>
    tables.map((table) =>
      [STILL, ...allowed.map(({ frames }) => frames)]
        .flatMap((frames) => table.get(frames) ?? [])
        .reduce<TrackOption | undefined>(
          (best, option) => (best && cost(best) <= cost(option) ? best : option),
          undefined,
        ),
    );
  const total = (allowed: readonly KeyList[]) =>
    pick(allowed).reduce(
      (sum, option) => sum + (option ? cost(option) : Number.POSITIVE_INFINITY),
      allowed.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  let allowed: readonly KeyList[] = [];
  let least = total(allowed);
  for (let k = 0; k < MOST_LISTS; k++) {
    const tried = lists.filter((list) => !allowed.includes(list)).map((list) => [...allowed, list]);
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
