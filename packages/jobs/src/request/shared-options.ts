/** Options that several commands have. */
import type { Transport } from '@pelt/pack';
import { choice, inputFile, type Kind, names, numberIn, positive, text, whole } from './kinds.ts';
import type { Input, Option, Options } from './table.ts';

/** Which animation of a rig, where another file has one too. */
export const RIG_CLIP = {
  kind: text,
  help: 'which animation of the rig goes with the frames, by name or number',
  otherwise: 'the first with as many frames',
} satisfies Option;

/** Whether a GLB is packed. */
export const COMPRESS = {
  kind: choice(['none', 'meshopt']),
  default: 'none',
  help: 'pack the file, for viewers with the Meshopt decoder',
} satisfies Option;

/** What a packed GLB is compressed by on its way. */
export const TRANSPORT = {
  kind: choice<Transport>(['brotli', 'gzip', 'none']),
  help: 'what compresses the packed file on its way; the fewest bytes are sought after that',
  otherwise: 'brotli, as servers do; none with --budget',
} satisfies Option;

/** What results are called inside their files. */
export const NAME = {
  kind: text,
  help: 'name of the mesh and the skin in the file',
  otherwise: 'that of the input, inside its file',
} satisfies Option;

export const SEQUENCE_INPUT = {
  name: 'input',
  many: true,
  help: 'a mesh and its cache, frames, a folder of frames, or one animated file',
} satisfies Input;

/** How the files of an animation are to be taken. */
export const FILE_OPTIONS = {
  rest: { kind: inputFile, help: 'the rest pose', otherwise: 'the first frame, or what the file says' },
  fps: {
    kind: positive,
    help: 'frames a second of files that do not say; rate at which to sample a glTF, USD or Alembic',
  },
  mesh: { kind: names, help: 'meshes or groups of an Alembic archive, by name', otherwise: 'all that are visible' },
  up: { kind: choice(['y', 'z']), help: 'up axis of an Alembic archive', otherwise: 'y' },
  scale: { kind: positive, help: 'factor for the lengths of an Alembic archive', otherwise: '1' },
} satisfies Options;

/** How many of the frames of an animation are used. */
const SAMPLE = {
  kind: whole(1),
  help: 'read an even sample of this many frames alone',
  otherwise: 'all frames',
} satisfies Option;

/** The same, for commands that read one animation. */
export const SEQUENCE_OPTIONS = {
  ...FILE_OPTIONS,
  sample: SAMPLE,
  clip: { kind: text, help: 'which animation of a glTF, by name or number', otherwise: 'the first' },
} satisfies Options;

/** The same, for commands that read all animations of a file. */
export const ALL_CLIPS_OPTIONS = {
  ...FILE_OPTIONS,
  sample: { ...SAMPLE, help: 'read an even sample of this many frames of every clip alone' },
  clip: { kind: text, help: 'one animation of a glTF, by name or number', otherwise: 'all of them' },
} satisfies Options;

/** For commands that read a rig and examples beside it, each with an animation: which of them. */
export const EXAMPLE_OPTIONS = {
  ...FILE_OPTIONS,
  clip: { kind: text, help: 'which animation of examples that are a glTF, by name or number', otherwise: 'the first' },
  rigClip: RIG_CLIP,
} satisfies Options;

/** One of several clips of a mesh. */
export interface NamedClip {
  readonly name: string;
  readonly files: readonly string[];
}

type ClipChoice = string | (string | NamedClip)[];

const clips: Kind<ClipChoice> = {
  value: 'name',
  is: 'the name or number of an animation, or a name and files: walk=walk.pc2',
  many: 'flags',
  schema: (z) => {
    const name = text.schema(z);
    const named = z.strictObject({ name, files: z.array(name).check(z.minLength(1)) });
    return z.union([name, z.array(z.union([name, named])).check(z.minLength(1))]);
  },
  read: (word) => {
    const [, name, files] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    return name === undefined ? word : { name, files: files.split(',').filter((file) => file !== '') };
  },
  reads: (choice) =>
    typeof choice === 'string' ? [] : choice.flatMap((clip) => (typeof clip === 'string' ? [] : clip.files)),
};

/** The same, for commands that take several clips of one mesh. */
export const CLIPS_OPTIONS = {
  ...FILE_OPTIONS,
  sample: SAMPLE,
  clip: {
    kind: clips,
    help: 'one animation of a glTF; or name=files, one of several clips of the mesh: repeat it',
    otherwise: 'all of a file',
  },
} satisfies Options;

/** For commands that read a rig and clips of examples beside it. */
export const EXAMPLE_CLIPS_OPTIONS = { ...FILE_OPTIONS, clip: CLIPS_OPTIONS.clip, rigClip: RIG_CLIP } satisfies Options;

/** Units of length, in metres, which is what a glTF's coordinates are. */
export const LENGTH_UNITS: Readonly<Record<string, number>> = { m: 1, cm: 0.01, mm: 0.001 };

/** An error to reach: a plain number is E_RMS, a length the root mean square distance of the vertices. */
export const errorLimit: Kind<number | string> = limitWith(
  Object.keys(LENGTH_UNITS),
  'an E_RMS such as 2.1, or a length such as 3mm',
);

/** The same, or growth over the error that there is. */
export const growthLimit: Kind<number | string> = limitWith(
  [...Object.keys(LENGTH_UNITS), '%'],
  'an E_RMS such as 2.1, a length such as 3mm, or growth such as 5%',
);

/** Units of the size of a file, in bytes. */
export const SIZE_UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

/** The size of a file. */
export const sizeLimit: Kind<number | string> = {
  ...limitWith(Object.keys(SIZE_UNITS), 'a size such as 300KB'),
  value: 'size',
};

/** A size in bytes; a plain number is kilobytes. */
export function bytesOf(size: number | string): number {
  const unit = /[A-Z]+\s*$/.exec(String(size))?.[0].trim() ?? 'KB';
  return Number.parseFloat(String(size)) * SIZE_UNITS[unit];
}

const limit = limitWith(
  [...Object.keys(LENGTH_UNITS), ...Object.keys(SIZE_UNITS), '%'],
  'an E_RMS such as 2.1, a length such as 3mm, a size such as 400KB, or growth such as 5%',
);

/** What an asset may not exceed. */
export const limits: Kind<(number | string)[]> = {
  value: 'limits',
  is: `${limit.is}, with commas between`,
  schema: (z) => z.array(limit.schema(z)).check(z.minLength(1)),
  read: (word) => word.split(',').map(numberIn),
};

function limitWith(units: readonly string[], is: string): Kind<number | string> {
  const form = new RegExp(`^\\s*(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*(${units.join('|')})\\s*$`);
  return {
    value: 'e',
    is,
    schema: (z) =>
      z.union([
        z.number().check(z.gt(0)),
        z.string().check(
          z.regex(form),
          z.refine((limit) => Number.parseFloat(limit) > 0),
        ),
      ]),
    read: numberIn,
  };
}
