/** What is said of a vertex that was clicked, and what of it a command line takes. */
import type { Pick } from './stage.ts';

/** Digits that a coordinate is written with. */
const DIGITS = 5;
/** Weights below this are noise to a reader. */
const LEAST_WEIGHT = 0.005;

export interface PickText {
  /** `vertex 140` */
  readonly name: string;
  readonly details: readonly string[];
  /** For `pelt pose --handle`. */
  readonly handle: string;
  /** For the landmarks of `pelt volume`. */
  readonly point: string;
}

export function describePick({ surface, vertex }: Pick): PickText {
  const { subject, positions } = surface;
  const [x, y, z] = [0, 1, 2].map((c) => Number(positions[3 * vertex + c].toPrecision(DIGITS)));
  const details = [`at (${x}, ${y}, ${z})`];
  const part = partOf(surface.subject, vertex);
  if (part) details.push(`part ${part}`);
  const { rig } = subject;
  if (rig?.skinned) {
    const from = vertex * rig.slots;
    const used = Array.from({ length: rig.slots }, (_, s) => [rig.bones[from + s], rig.weights[from + s]]);
    for (const [bone, weight] of used) {
      if (weight >= LEAST_WEIGHT) details.push(`${rig.names[bone]} ${weight.toFixed(2)}`);
    }
  }
  if (surface.heat) details.push(`${surface.heat[vertex].toPrecision(3)} % from the original`);
  return {
    name: `vertex ${vertex}`,
    details,
    handle: `--handle ${vertex}=${x},${y},${z}`,
    point: `[${x}, ${y}, ${z}]`,
  };
}

function partOf({ parts, triangles }: Pick['surface']['subject'], vertex: number): string | undefined {
  if (parts.length < 2) return undefined;
  const triangle = Math.floor(triangles.indexOf(vertex) / 3);
  return parts.findLast(({ firstTriangle }) => firstTriangle <= triangle)?.name;
}
