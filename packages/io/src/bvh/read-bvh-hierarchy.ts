/** The first half of a BVH file: joints with offsets and channels. */
import { InputError, UnsupportedError } from '@pelt/model';
import type { TextScanner } from '../text-scanner.ts';
import type { WarningTally } from '../warning-tally.ts';

export interface BvhJoint {
  readonly name: string;
  readonly parent: number;
  readonly offset: readonly [number, number, number];
  readonly tip: readonly [number, number, number] | undefined;
  /** Names in lower case, in the file's order. */
  readonly channels: readonly string[];
  /** Where its channels begin in a frame. */
  readonly firstChannel: number;
}

export interface BvhHierarchy {
  readonly joints: readonly BvhJoint[];
  /** Numbers in a frame. */
  readonly channels: number;
}

const KNOWN_CHANNELS = new Set(['xposition', 'yposition', 'zposition', 'xrotation', 'yrotation', 'zrotation']);

const BRACE = 123;

/** Nesting beyond this is no skeleton. */
const DEEPEST = 1000;

type Draft = { -readonly [K in keyof BvhJoint]: BvhJoint[K] };

/** Reads up to and over the word MOTION. */
export function readBvhHierarchy(scanner: TextScanner, label: string, warnings: WarningTally): BvhHierarchy {
  const joints: Draft[] = [];
  /** How often each name was given. */
  const names = new Map<string, number>();
  /** Joints whose braces are open; −1 for an end site. */
  const open: number[] = [];
  let channels = 0;
  let waiting: number | undefined;
  const fail = (expected: string): never => {
    throw new InputError(
      `${label}, line ${scanner.lineNumber()}: '${scanner.lastToken()}' where ${expected} should be`,
    );
  };
  const numbers = (count: number) => {
    const values: number[] = [];
    for (let k = 0; k < count; k++) {
      const value = scanner.moreInText() ? scanner.number() : Number.NaN;
      if (!Number.isFinite(value)) fail('a number');
      values.push(value);
    }
    return values;
  };
  const startJoint = () => {
    const { name, opened } = readName(scanner);
    const unique = uniqueName(name || `joint ${joints.length}`, names, warnings);
    const parent = open.length > 0 ? open[open.length - 1] : -1;
    if (open.length > 0 && parent < 0) fail("'OFFSET' of an end site");
    if (open.length >= DEEPEST) throw new UnsupportedError(`${label}: joints are nested deeper than ${DEEPEST}`);
    joints.push({ name: unique, parent, offset: [0, 0, 0], tip: undefined, channels: [], firstChannel: channels });
    if (opened) open.push(joints.length - 1);
    else waiting = joints.length - 1;
  };

  if (!scanner.moreInText() || scanner.word().toUpperCase() !== 'HIERARCHY') fail("'HIERARCHY'");
  while (scanner.moreInText()) {
    const word = scanner.word().toUpperCase();
    const current = open.length > 0 ? open[open.length - 1] : undefined;
    if (waiting !== undefined && word !== '{') fail("'{'");
    switch (word) {
      case 'ROOT':
      case 'JOINT':
        if ((word === 'ROOT') !== (open.length === 0)) fail(open.length === 0 ? "'ROOT' or 'MOTION'" : "'JOINT'");
        startJoint();
        break;
      case 'END': {
        if (current === undefined || current < 0) fail("'ROOT' or 'MOTION'");
        const { opened } = readName(scanner);
        if (opened) open.push(-1);
        else waiting = -1;
        break;
      }
      case '{':
        if (waiting === undefined) fail("'OFFSET', 'CHANNELS', 'JOINT', 'End Site' or '}'");
        open.push(waiting as number);
        waiting = undefined;
        break;
      case '}':
        if (open.pop() === undefined) fail("'ROOT' or 'MOTION'");
        break;
      case 'OFFSET': {
        const [x, y, z] = numbers(3);
        if (current === undefined) fail("'ROOT'");
        else if (current >= 0) joints[current].offset = [x, y, z];
        else joints[open[open.length - 2]].tip = [x, y, z];
        break;
      }
      case 'CHANNELS': {
        if (current === undefined || current < 0) fail("a joint's");
        const joint = joints[current as number];
        const [count] = numbers(1);
        joint.firstChannel = channels;
        joint.channels = channelNames(scanner, count, fail);
        channels += count;
        break;
      }
      case 'MOTION':
        if (open.length > 0) fail("'}'");
        if (joints.length === 0) throw new InputError(`${label}: the skeleton has no joints; export the file again`);
        if (channels === 0) throw new InputError(`${label}: no joint has channels, so nothing moves`);
        return { joints, channels };
      default:
        fail("'OFFSET', 'CHANNELS', 'JOINT', 'End Site' or '}'");
    }
  }
  throw new InputError(`${label}: no MOTION; the file is cut short, export it again`);
}

function channelNames(scanner: TextScanner, count: number, fail: (expected: string) => never): string[] {
  if (!(Number.isInteger(count) && count >= 0 && count <= KNOWN_CHANNELS.size))
    fail('a number of channels from 0 to 6');
  const names: string[] = [];
  for (let k = 0; k < count; k++) {
    const name = scanner.moreInText() ? scanner.word().toLowerCase() : '';
    if (!KNOWN_CHANNELS.has(name) || names.includes(name)) fail('another of Xposition … Zrotation');
    names.push(name);
  }
  return names;
}

/** A joint's name is the rest of its line, up to the brace where a file opens it there. */
function readName(scanner: TextScanner): { name: string; opened: boolean } {
  const start = scanner.position;
  const rest = scanner.restOfLine();
  const brace = rest.indexOf('{');
  if (brace < 0) return { name: rest, opened: false };
  scanner.position = scanner.bytes.indexOf(BRACE, start) + 1;
  return { name: rest.slice(0, brace).trim(), opened: true };
}

function uniqueName(name: string, names: Map<string, number>, warnings: WarningTally): string {
  let unique = name;
  // Counting on from the last one keeps thousands of joints with one name from taking quadratic time.
  let count = names.get(name) ?? 0;
  while (names.has(unique)) unique = `${name} ${++count}`;
  names.set(name, Math.max(count, 1));
  if (unique === name) return name;
  warnings.add(`two joints are called '${name}'; one becomes '${unique}'`);
  names.set(unique, 1);
  return unique;
}
