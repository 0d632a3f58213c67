import { InputError, UsageError } from '@pelt/model';
import type { GltfAnimation, GltfScene } from './scene.ts';

/** Keys nearer to each other than this, against the clip's end, are one moment with rounding on it. */
const SAME_MOMENT = 1e-6;
/** Share of a frame by which a clip's length may miss a whole number of frames. */
const FRAME_ROUNDING = 1e-3;
/** More frames than this are an error in the file or in the rate, not an animation. */
const MAX_FRAMES = 1_000_000;

/**
 * The moments at which a clip is sampled, in its own seconds: where any of its channels that move the mesh has a key
 * or, where a rate is given, evenly from its first key to its last.
 */
export function sampleTimes(scene: GltfScene, animation: GltfAnimation, fps: number | undefined): Float64Array {
  const moving = movingNodes(scene);
  const morphing = new Set(scene.morphs.map(({ node }) => node));
  const channels = animation.channels.filter(({ node, path }) =>
    path === 'weights' ? morphing.has(node) : moving[node] === 1,
  );
  if (channels.length === 0) return new Float64Array(1);
  const times = fps === undefined ? keysOf(channels) : evenly(channels, fps);
  if (times.length > MAX_FRAMES) {
    throw new InputError(`animation '${animation.name}' gives ${times.length} frames; sample it at a lower rate`);
  }
  return times;
}

/** 1 for every node that is a bone's or above one. */
function movingNodes({ nodes, order, bones }: GltfScene): Uint8Array {
  const moving = new Uint8Array(nodes.length);
  for (const { node } of bones) moving[node] = 1;
  for (let k = order.length - 1; k >= 0; k--) {
    const { parent } = nodes[order[k]];
    if (parent >= 0 && moving[order[k]]) moving[parent] = 1;
  }
  return moving;
}

function keysOf(channels: GltfAnimation['channels']): Float64Array {
  // Channels mostly share their times, and then an accessor too.
  const distinct = [...new Set(channels.map(({ times }) => times))];
  const all = new Float64Array(distinct.reduce((sum, times) => sum + times.length, 0));
  let next = 0;
  for (const times of distinct) {
    all.set(times, next);
    next += times.length;
  }
  all.sort();
  const tolerance = SAME_MOMENT * all[all.length - 1];
  // Of moments that are one, the last is kept: there every stepped channel has taken its step.
  return all.filter((time, k) => k === all.length - 1 || all[k + 1] - time > tolerance);
}

function evenly(channels: GltfAnimation['channels'], fps: number): Float64Array {
  if (!Number.isFinite(fps) || fps <= 0) throw new UsageError(`a rate of ${fps} frames a second is not possible`);
  const start = channels.reduce((first, { times }) => Math.min(first, times[0]), Number.POSITIVE_INFINITY);
  const end = channels.reduce((last, { times }) => Math.max(last, times[times.length - 1]), 0);
  const count = Math.floor((end - start) * fps + FRAME_ROUNDING) + 1;
  if (count > MAX_FRAMES) throw new UsageError(`${fps} frames a second make ${count} frames; use a lower rate`);
  return Float64Array.from({ length: count }, (_, t) => Math.min(start + t / fps, end));
}
