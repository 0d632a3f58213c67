/** Which of the hands in a picture is whose: the one next to the wrist of the body, not what the hand looks like. */

/** Farthest that a hand is from the wrist that it belongs to, in parts of the picture. */
const FARTHEST = 0.15;

interface Place {
  readonly x: number;
  readonly y: number;
}

export type Sides<T> = Readonly<Record<'left' | 'right', T>>;

/**
 * @param hands   where the wrists of the hands that were found are, in parts of the picture
 * @param wrists  where those of the body are
 * @returns       indices of hands
 */
export function handsBySide(hands: readonly Place[], wrists: Sides<Place>): Sides<number | undefined> {
  const far = (side: 'left' | 'right', hand: number) =>
    Math.hypot(hands[hand].x - wrists[side].x, hands[hand].y - wrists[side].y);
  const pairs = hands
    .flatMap((_, hand) => (['left', 'right'] as const).map((side) => ({ side, hand, distance: far(side, hand) })))
    .filter(({ distance }) => distance <= FARTHEST)
    .sort((a, b) => a.distance - b.distance);
  const found: { left: number | undefined; right: number | undefined } = { left: undefined, right: undefined };
  for (const { side, hand } of pairs) {
    if (found[side] === undefined && found.left !== hand && found.right !== hand) found[side] = hand;
  }
  return found;
}
