/** A face as plain data: the sliders that were fitted, and how far each is on. Keys of them are in the clips. */
import { SLIDER_DEFAULTS } from '@pelt/skin/sliders/options';
import type { ExtraFile } from './document.ts';
import type { MoreOptions } from './more-options.ts';

/** Values by the names of sliders; those that are not named are at 0. */
export type Expression = Readonly<Record<string, number>>;

/** Sliders that were fitted to the blend shapes of the input. */
export interface FittedFace {
  /** Of its file in the library. */
  readonly id: string;
  readonly inputs: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  readonly seconds: number;
  /** As the command prints it. */
  readonly report: object;
}

export interface FaceDocument {
  readonly bones: number;
  readonly weights: number;
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
  readonly fitted: FittedFace | undefined;
  readonly values: Expression;
  /** The frame of the clip at which the values were set by hand: they are shown there before what keys say. */
  readonly at: number | undefined;
  /** A recording of a face that is played in place of the keys. */
  readonly recording: ExtraFile | undefined;
}

/** What belongs to one face, and goes with it. */
export const NO_EXPRESSION = { fitted: undefined, values: {}, at: undefined, recording: undefined } as const;

export const NO_FACE: FaceDocument = {
  bones: SLIDER_DEFAULTS.bones,
  weights: SLIDER_DEFAULTS.weights,
  more: {},
  ...NO_EXPRESSION,
};

const GROUPS = ['brow', 'eye', 'cheek', 'nose', 'jaw', 'mouth', 'tongue'];
/** Values with a slider changed; one that is at 0 is not kept. */
export function withValue(values: Expression, name: string, value: number): Expression {
  const { [name]: _, ...others } = values;
  return value === 0 ? others : { ...others, [name]: value };
}

/** Names by the part of the face that they begin with, in the order from the brows down; then all others. */
export function sliderGroups(
  names: readonly string[],
): readonly (readonly [group: string, names: readonly string[]])[] {
  const groupOf = (name: string) => GROUPS.find((group) => name.toLowerCase().startsWith(group)) ?? 'other';
  return [...GROUPS, 'other'].flatMap((group) => {
    const own = names.filter((name) => groupOf(name) === group).toSorted((a, b) => (a < b ? -1 : 1));
    return own.length > 0 ? [[group, own] as const] : [];
  });
}

/** `mouthSmile_L`, `mouthSmileLeft` and `mouth_smile_left` are one slider to different programs. */
export function canonicalName(name: string): string {
  return name
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
    .replace(/left$/, 'l')
    .replace(/right$/, 'r');
}

/** The slider of the other side; itself where there is none. */
export function mirroredName(name: string, names: readonly string[]): string {
  const own = canonicalName(name);
  const other = own.endsWith('l') ? `${own.slice(0, -1)}r` : own.endsWith('r') ? `${own.slice(0, -1)}l` : own;
  return names.find((candidate) => canonicalName(candidate) === other) ?? name;
}

export function mirroredExpression(values: Expression, names: readonly string[]): Expression {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [mirroredName(name, names), value]));
}

/** Most sliders that are on in a random expression. */
const MOST_ON = 8;

/** A few sliders on, by chance; the same seed gives the same expression. */
export function randomExpression(names: readonly string[], seed: number): Expression {
  let state = (seed * 0x9e3779b9) >>> 0;
  const next = () => {
    // A linear congruential generator, of whose state the high bits are used.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const left = [...names];
  const count = Math.min(names.length, 1 + Math.floor(MOST_ON * next()));
  const on = Array.from({ length: count }, () => {
    const [name] = left.splice(Math.floor(left.length * next()), 1);
    return [name, Math.round(100 * (0.2 + 0.8 * next())) / 100] as const;
  });
  return Object.fromEntries(on);
}
