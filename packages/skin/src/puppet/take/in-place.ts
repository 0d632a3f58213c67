/** Whether a gait is shown on the spot: its feet slide on purpose, and planting them would make it travel. */
import type { CharacterShape } from '../runtime/character-shape.ts';
import type { ContactLimb } from '../runtime/contacts.ts';

/** Height above the ground, relative to the character's, below which a foot is on it. */
const LOW = 0.03;
/** Heights per second: soles that move so on the ground walk; and the share of it at which a body that stays travels. */
const WALKS = 0.25;
const STAYS = 0.3;

/**
 * @param soles   where points are that touch the ground
 * @param frames  m × 12 each
 */
export function isInPlace(
  soles: ContactLimb['soles'],
  frames: readonly Float64Array[],
  times: Float64Array,
  { floor, height }: CharacterShape,
): boolean {
  const [now, last, travel] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const speeds: number[] = [];
  for (const locate of soles) {
    for (let t = 1; t < frames.length; t++) {
      locate(frames[t], now);
      locate(frames[t - 1], last);
      if (Math.max(now[1], last[1]) > floor + LOW * height) continue;
      speeds.push(Math.sqrt((now[0] - last[0]) ** 2 + (now[2] - last[2]) ** 2) / (height * (times[t] - times[t - 1])));
    }
    // Over whole cycles all points of a body travel alike.
    locate(frames[frames.length - 1], now);
    locate(frames[0], last);
    for (let r = 0; r < 3; r++) travel[r] += (now[r] - last[r]) / soles.length;
  }
  if (speeds.length === 0) return false;
  const usual = speeds.sort((a, b) => a - b)[speeds.length >> 1];
  const speed = Math.sqrt(travel[0] ** 2 + travel[2] ** 2) / (height * times[times.length - 1]);
  return usual > WALKS && speed < STAYS * usual;
}
