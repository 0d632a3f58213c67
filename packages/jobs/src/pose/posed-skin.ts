/**
 * The surface of a character in the pose that a session has found. The session poses linear blending; a character with
 * another skin is played by its own, and its handles are as far from their targets as that leaves them.
 */

import type { Player } from '@pelt/skin/play/runtime';
import type { Handle, PoseSession } from '@pelt/skin/pose';
import type { LoadedPoser } from '../input/learn-poser.ts';

export class PosedSkin {
  readonly #session: PoseSession;
  readonly #player: Player | undefined;

  private constructor(session: PoseSession, player: Player | undefined) {
    this.#session = session;
    this.#player = player;
  }

  static async of({ opened }: LoadedPoser, session: PoseSession): Promise<PosedSkin> {
    if (!opened || opened.character.skin.kind === 'linear') return new PosedSkin(session, undefined);
    const { playerOf } = await import('@pelt/skin/play/runtime');
    return new PosedSkin(session, playerOf(opened.character));
  }

  /** @param out  n × 3; overwritten */
  positions(out: Float32Array): void {
    if (this.#player) this.#player.positions(this.#session.pose().transforms, undefined, out);
    else this.#session.positions(out);
  }

  /** How far handle c is from its target in the positions of the last pose. */
  handleError(c: number, { vertex, target }: Handle, positions: Float32Array): number {
    if (!this.#player) return this.#session.handleError(c);
    return Math.hypot(...[0, 1, 2].map((k) => target[k] - positions[3 * vertex + k]));
  }
}
