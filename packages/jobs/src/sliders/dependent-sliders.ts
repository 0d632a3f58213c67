/**
 * Sliders that artists set by others, as their names tell: the product of several (`jawOpen_mouthSmile`), an in-between of
 * one (`smile 50%`), or the angle of a joint (`LeftArm_bent`). A glTF stores none of these dependencies, so that here as
 * there each is a slider of its own, which whoever plays the face has to set.
 */
export interface DependentSlider {
  readonly name: string;
  readonly kind: 'product' | 'in-between' | 'joint';
  /** Sliders, or the joint, that it depends on. */
  readonly of: readonly string[];
}

const SEPARATOR = /^[_+*. -]$/;
const IN_BETWEEN = /^(.*?)[_. -]?(\d{1,2})\s*%?$/;
/** Joints of shorter names are found in too many words. */
const SHORTEST_JOINT = 4;

/** @param joints  names of the joints of the skin, if any */
export function dependentSliders(names: readonly string[], joints: readonly string[]): DependentSlider[] {
  const all = new Set(names);
  return names.flatMap((name): DependentSlider[] => {
    const factors = factorsOf(name, all);
    if (factors) return [{ name, kind: 'product', of: factors }];
    const whole = IN_BETWEEN.exec(name)?.[1];
    if (whole && all.has(whole)) return [{ name, kind: 'in-between', of: [whole] }];
    const joint = joints.find((other) => other.length >= SHORTEST_JOINT && startsWithWord(name, other));
    return joint === undefined ? [] : [{ name, kind: 'joint', of: [joint] }];
  });
}

/** One line for each of them, with what to do. */
export function dependencyLine({ name, kind, of }: DependentSlider): string {
  const [first] = of;
  if (kind === 'product') return `'${name}' is a slider of its own: set it to the product of '${of.join("' and '")}'`;
  if (kind === 'in-between') return `'${name}' is a slider of its own: set it where '${first}' is between off and on`;
  return `'${name}' is a slider of its own: set it by the angle of the joint '${first}'`;
}

/** The names of two or more other sliders that a name consists of. */
function factorsOf(name: string, all: ReadonlySet<string>): string[] | undefined {
  for (let at = 1; at + 1 < name.length; at++) {
    const first = name.slice(0, at);
    if (!SEPARATOR.test(name[at]) || !all.has(first)) continue;
    const rest = name.slice(at + 1);
    const others = factorsOf(rest, all) ?? (all.has(rest) ? [rest] : undefined);
    if (others) return [first, ...others];
  }
  return undefined;
}

function startsWithWord(name: string, word: string): boolean {
  if (!name.toLowerCase().startsWith(word.toLowerCase()) || name.length === word.length) return false;
  return /[^a-z]/.test(name[word.length]);
}
