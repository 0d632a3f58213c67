/** `pelt view`: what it takes. */
import {
  choice,
  flag,
  inputFiles,
  type Kind,
  numberIn,
  outputFile,
  positive,
  text,
  whole,
  wordOr,
} from '../request/kinds.ts';
import { FILE_OPTIONS } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** Directions from the subject to the camera, with y up. */
export const DIRECTIONS = {
  'three-quarter': [0.7, 0.35, 1],
  front: [0, 0.1, 1],
  back: [0, 0.1, -1],
  left: [-1, 0.1, 0],
  right: [1, 0.1, 0],
  top: [0, 1, 0.01],
} as const;

type Direction = keyof typeof DIRECTIONS;

const direction: Kind<Direction | [number, number, number]> = {
  value: 'where',
  is: `${Object.keys(DIRECTIONS).join(', ')}, or a direction like 1,0.5,2`,
  schema: (z) =>
    z.union([z.enum(Object.keys(DIRECTIONS) as Direction[]), z.tuple([z.number(), z.number(), z.number()])]),
  read: (word) => {
    const parts = word.split(',').map(numberIn);
    return parts.length === 3 && parts.every((part) => typeof part === 'number') ? parts : word;
  },
};

const frameNumbers: Kind<number[] | 'rest'> = wordOr('rest', {
  value: 'frames',
  is: 'frame numbers from 1, like 1,12,24',
  schema: (z) => z.array(z.int().check(z.gte(1))).check(z.minLength(1)),
  read: (word) => word.split(',').map(numberIn),
});

export const VIEW = defineTable({
  inputs: [
    { name: 'input', many: true, help: 'meshes, animations and rigs to show side by side; a cache follows its mesh' },
  ],
  output: {
    kind: outputFile('png', 'gif', 'mp4', 'html'),
    required: true,
    help: 'a picture (.png), a film (.gif, .mp4) or a page with a player (.html)',
  },
  options: {
    ...FILE_OPTIONS,
    clip: {
      kind: text,
      help: 'which animation of a glTF, by name or number',
      otherwise: 'the first; a page has all of them',
    },
    frame: {
      kind: frameNumbers,
      help: "frames to picture, or 'rest' for the rest pose",
      otherwise: 'the first; with --original that of the largest error',
    },
    original: {
      kind: inputFiles,
      help: 'what the inputs approximate: shown first, and they are coloured by their distance to it',
    },
    heatMax: {
      kind: positive,
      help: 'end of the colour scale, in % of the diagonal',
      otherwise: 'the largest distance',
    },
    weights: { kind: flag, default: false, help: 'colour by skinning weights' },
    bones: { kind: flag, default: false, help: 'show bones inside a see-through surface' },
    edges: { kind: flag, default: false, help: "draw the triangles' edges" },
    flat: { kind: flag, default: false, help: 'show facets' },
    turntable: {
      kind: flag,
      default: false,
      help: 'a film goes once around the subject, as it always does around one that does not move',
    },
    seconds: { kind: positive, help: 'length of a film', otherwise: 'that of the animation, or 4' },
    rate: { kind: positive, help: 'frames a second of a film or a page', otherwise: '30, 20 in a .gif' },
    from: { kind: direction, default: 'three-quarter', help: 'where the camera is' },
    vertical: { kind: choice(['y', 'z', '-y', '-z']), default: 'y', help: 'the axis that points up' },
    width: { kind: whole(16, 4096), help: 'pixels of a panel', otherwise: '720, 480 in a film' },
    height: { kind: whole(16, 4096), help: 'pixels of a panel', otherwise: 'its width' },
    samples: { kind: whole(1, 256), help: 'light samples of a pixel', otherwise: '24, 6 in a film' },
    title: { kind: text, help: 'a line above a picture, and the name of a page' },
  },
  examples: `
    # The rest pose of a character with its bones and weights
    pelt view character.glb --frame rest --bones --weights -o rig.png
    # A fitted character beside its original, coloured by its error
    pelt view fitted.glb --original rest.obj clip.pc2 -o error.png
    # Three frames of an animation
    pelt view rest.obj clip.pc2 --frame 1,3,5 -o frames.png
    # A page with a player, a heat map and the numbers of vertices that are clicked
    pelt view fitted.glb --original rest.obj clip.pc2 -o compare.html
    # A film that goes around a playing character
    pelt view character.glb --turntable --seconds 1 --rate 5 --width 160 -o turn.gif`,
});
