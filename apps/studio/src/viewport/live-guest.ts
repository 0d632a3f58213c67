/** A character that follows a performer live: the puppet works in a worker, its pose goes straight into the palette. */
import { CAPSULE_SIZE, type Capsules, type Registration } from '@pelt/model';
import type { PuppetOptions } from '@pelt/skin/puppet/runtime';
import { PuppetDriver, RestSpace } from '@pelt/three';
import { enhance } from '@pelt/three/webgpu';
import type { PerformerFrame } from '../store/performer.ts';
import { type Character, closeCharacter, jointNames, openCharacter } from './character.ts';
import type { Guest, Viewport } from './viewport.ts';

/** Seconds without a body after which the character goes to rest. */
const REST_AFTER = 0.6;

/** Pairs of poses, the character's by the names of its bones. */
export interface NamedPairs {
  readonly registration: Registration;
  readonly bones: readonly string[];
}

/** Capsules of a body, by the names of its bones. */
export interface NamedCapsules {
  readonly capsules: Capsules;
  readonly bones: readonly string[];
}

export interface LiveGuestEvents {
  /** The character has followed. */
  onPose(): void;
  onError(error: Error): void;
}

export class LiveGuest implements Guest {
  readonly plays = false;
  readonly #viewport: Viewport;
  readonly #character: Character;
  readonly #driver: PuppetDriver;
  #changed = true;

  /**
   * @param pairs      undefined for a humanoid, which does what the performer does
   * @param body       undefined where limbs may pass through it
   * @param performer  names of the joints that `follow` is given
   */
  static async open(
    viewport: Viewport,
    bytes: ArrayBuffer,
    pairs: NamedPairs | undefined,
    body: NamedCapsules | undefined,
    performer: readonly string[],
    options: Partial<PuppetOptions>,
    events: LiveGuestEvents,
  ): Promise<LiveGuest> {
    const character = await openCharacter(viewport.stage, bytes);
    const names = jointNames(character.mesh);
    const registration = pairs && reordered(pairs, names);
    const capsules = body && carriedBy(body, names);
    const puppet = { ...options, restAfter: REST_AFTER };
    const space = new RestSpace(character.mesh, character.root);
    const driver = new PuppetDriver(character.mesh, registration, performer, {
      puppet,
      space,
      capsules,
      camera: 'picture',
    });
    try {
      await driver.ready;
    } catch (error) {
      driver.dispose();
      closeCharacter(character);
      throw error;
    }
    return new LiveGuest(viewport, character, driver, events);
  }

  private constructor(viewport: Viewport, character: Character, driver: PuppetDriver, events: LiveGuestEvents) {
    this.#viewport = viewport;
    this.#character = character;
    this.#driver = driver;
    enhance(character.root, viewport.stage.renderer, { normals: 'exact' });
    driver.addEventListener('change', () => {
      this.#changed = true;
      events.onPose();
    });
    driver.addEventListener('error', ({ error }) => events.onError(error));
    viewport.welcome(this);
  }

  /** N weights of the pairs, the largest of all parts of the body; none without pairs. */
  get weights(): readonly number[] {
    const { weights, parts } = this.#driver;
    const pairs = parts.length > 0 ? weights.length / parts.length : 0;
    return Array.from({ length: pairs }, (_, k) =>
      parts.reduce((largest, __, p) => {
        const weight = weights[p * pairs + k];
        return Math.abs(weight) > Math.abs(largest) ? weight : largest;
      }, 0),
    );
  }

  /** Whether the performer is away. */
  get isResting(): boolean {
    return this.#driver.isResting;
  }

  /** Whether the performer has stood for a second, and is taken for upright and forward. */
  get isCalibrated(): boolean {
    return this.#driver.isCalibrated;
  }

  follow({ joints, time, confidence }: PerformerFrame): void {
    this.#driver.update(joints, time, confidence);
  }

  update(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    for (const morphs of this.#character.morphs) morphs.update();
    this.#viewport.poseSkins();
    return true;
  }

  play(): void {}

  dispose(): void {
    this.#driver.dispose();
    closeCharacter(this.#character);
    this.#viewport.dismiss(this);
  }
}

/** The same capsules with the character's bones in another order, without those of bones that it has not. */
function carriedBy({ capsules, bones }: NamedCapsules, names: readonly string[]): Capsules {
  const known = [...capsules.bones].flatMap((bone, c) => {
    const j = names.indexOf(bones[bone]);
    return j < 0 ? [] : [[c, j]];
  });
  return {
    bones: Uint16Array.from(known, ([, j]) => j),
    shapes: Float64Array.from(
      known.flatMap(([c]) => [...capsules.shapes.subarray(CAPSULE_SIZE * c, CAPSULE_SIZE * (c + 1))]),
    ),
  };
}

/** The same pairs with the character's bones in another order; bones that the pairs do not know stay at rest. */
function reordered({ registration, bones }: NamedPairs, names: readonly string[]): Registration {
  const from = names.map((name) => bones.indexOf(name));
  return {
    ...registration,
    pairs: registration.pairs.map((pair) => ({
      ...pair,
      character: {
        transforms: Float64Array.from(
          from.flatMap((j) => (j < 0 ? REST : [...pair.character.transforms.subarray(12 * j, 12 * j + 12)])),
        ),
      },
    })),
  };
}

const REST = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
