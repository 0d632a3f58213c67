/** The objects and connections of an FBX in the making, and all that stands around them. */
import { TICKS_PER_SECOND } from './fbx-curve.ts';
import {
  CREATION_TIME,
  double,
  FILE_ID,
  int,
  long,
  node,
  type OutNode,
  type OutValue,
  VERSION,
} from './write-binary.ts';

/** Codes of the frame rates that the format knows; any other is custom. */
const TIME_MODES: Readonly<Record<number, number>> = { 120: 1, 100: 2, 60: 3, 50: 4, 48: 5, 30: 6, 25: 10, 24: 11 };
const CUSTOM_RATE = 14;
const FIRST_ID = 1_000_000;
const CREATOR = 'pelt';

export class FbxDocument {
  readonly #objects: OutNode[] = [];
  readonly #counts = new Map<string, number>();
  readonly #connections: OutNode[] = [];
  readonly #takes: OutNode[] = [];
  #next = FIRST_ID;

  /** @returns its id */
  add(kind: string, name: string, label: string, type: string, children: readonly OutNode[]): number {
    const id = this.#next++;
    // A name with the mark inside would end there.
    const plain = name.replaceAll('\0', ' ');
    this.#objects.push(node(kind, [long(id), `${plain}\0\x01${label}`, type], children));
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    return id;
  }

  /** Hangs a child on a parent, or on a property of it; 0 is the scene. */
  connect(child: number, parent: number, property?: string): void {
    const values: OutValue[] = [property === undefined ? 'OO' : 'OP', long(child), long(parent)];
    this.#connections.push(node('C', property === undefined ? values : [...values, property]));
  }

  /** @param span  first and last moment, in seconds */
  addTake(name: string, span: readonly [number, number]): void {
    const range = span.map((time) => long(ticksOf(time)));
    this.#takes.push(
      node('Take', [name], [node('FileName', [`${name}.tak`]), node('LocalTime', range), node('ReferenceTime', range)]),
    );
  }

  /** @param rate  frames a second, for the time line */
  nodes(rate: number): OutNode[] {
    return [
      headerNode(),
      node('FileId', [FILE_ID]),
      node('CreationTime', [CREATION_TIME]),
      node('Creator', [CREATOR]),
      settingsNode(rate),
      node(
        'Documents',
        [],
        [
          node('Count', [int(1)]),
          node('Document', [long(FIRST_ID - 1), '', 'Scene'], [properties([]), node('RootNode', [long(0)])]),
        ],
      ),
      node('References'),
      this.#definitions(),
      node('Objects', [], this.#objects),
      node('Connections', [], this.#connections),
      node('Takes', [], [node('Current', ['']), ...this.#takes]),
    ];
  }

  #definitions(): OutNode {
    const counts: [string, number][] = [['GlobalSettings', 1], ...this.#counts];
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    return node(
      'Definitions',
      [],
      [
        node('Version', [int(100)]),
        node('Count', [int(total)]),
        ...counts.map(([kind, count]) => node('ObjectType', [kind], [node('Count', [int(count)])])),
      ],
    );
  }
}

export function ticksOf(seconds: number): number {
  return Math.round(seconds * TICKS_PER_SECOND);
}

/** A list of properties: name, type, label, flags, values. */
export function properties(entries: readonly (readonly [string, string, string, string, ...OutValue[]])[]): OutNode {
  return node(
    'Properties70',
    [],
    entries.map((entry) => node('P', entry)),
  );
}

function headerNode(): OutNode {
  const stamp = ['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second', 'Millisecond'];
  const values = [1970, 1, 1, 10, 0, 0, 0];
  return node(
    'FBXHeaderExtension',
    [],
    [
      node('FBXHeaderVersion', [int(1003)]),
      node('FBXVersion', [int(VERSION)]),
      node('EncryptionType', [int(0)]),
      node(
        'CreationTimeStamp',
        [],
        [node('Version', [int(1000)]), ...stamp.map((name, k) => node(name, [int(values[k])]))],
      ),
      node('Creator', [CREATOR]),
    ],
  );
}

function settingsNode(rate: number): OutNode {
  const whole = (name: string, value: number) => [name, 'int', 'Integer', '', int(value)] as const;
  const mode = TIME_MODES[rate] ?? CUSTOM_RATE;
  return node(
    'GlobalSettings',
    [],
    [
      node('Version', [int(1000)]),
      properties([
        whole('UpAxis', 1),
        whole('UpAxisSign', 1),
        whole('FrontAxis', 2),
        whole('FrontAxisSign', 1),
        whole('CoordAxis', 0),
        whole('CoordAxisSign', 1),
        whole('OriginalUpAxis', 1),
        whole('OriginalUpAxisSign', 1),
        ['UnitScaleFactor', 'double', 'Number', '', double(1)],
        ['OriginalUnitScaleFactor', 'double', 'Number', '', double(1)],
        ['TimeMode', 'enum', '', '', int(mode)],
        ['CustomFrameRate', 'double', 'Number', '', double(mode === CUSTOM_RATE ? rate : -1)],
        ['TimeSpanStart', 'KTime', 'Time', '', long(0)],
        ['TimeSpanStop', 'KTime', 'Time', '', long(TICKS_PER_SECOND)],
      ]),
    ],
  );
}
