/** `pelt puppet`: what it takes. */
import { PUPPET_DEFAULTS, RETARGET_DEFAULTS } from '@pelt/skin/puppet/options';
import { CONTROLS, handles } from '../request/handles.ts';
import {
  between,
  choice,
  flag,
  inputFile,
  inputFiles,
  names,
  nonNegative,
  outputFile,
  positive,
  text,
  whole,
  wordOr,
} from '../request/kinds.ts';
import { defineTable } from '../request/table.ts';

/** What a puppet does where neither the command nor the character says. */
const usual = (key: 'base' | 'projection' | 'lambda' | 'noise' | 'interpolation' | 'parts' | 'features') =>
  `${PUPPET_DEFAULTS[key]}, or as saved`;

export const PUPPET = defineTable({
  inputs: [
    {
      name: 'character',
      help: 'a skinned glTF; or shapes: a saved poser, a folder of sculpts, a glTF with morph targets, a mesh with --examples',
    },
  ],
  output: {
    kind: outputFile(),
    required: false,
    help: 'the GLB to write; of shapes also .pc2, .mdd, .abc; with --suggest the JSON',
  },
  threads: true,
  options: {
    motion: {
      kind: inputFile,
      help: 'BVH, FBX, glTF or VRMA, or a recording of a Kinect or of MediaPipe Pose',
    },
    face: {
      kind: inputFile,
      help: "the recording of a face, a CSV of ARKit's names, that moves the morph targets of the same names beside the motion",
    },
    live: {
      kind: text,
      help: 'follow a performer live: udp:PORT for VMC, ws:PORT for JSON, - for lines of MediaPipe landmarks',
    },
    send: {
      kind: text,
      help: 'where a live performance goes: udp:PORT or udp:HOST:PORT for VMC, ws:PORT for JSON, bvh:FILE or bvh:-',
    },
    pairs: {
      kind: inputFile,
      help: 'the pairs of poses to learn from, as JSON; a humanoid needs none',
      otherwise: 'those that the character was saved with',
    },
    examples: {
      kind: inputFiles,
      help: 'poses of a mesh that pairs name: meshes, a folder, a cache, or handles as JSON',
    },
    controls: { kind: whole(1), default: CONTROLS, help: 'number of controls to learn from shapes' },
    handle: {
      kind: handles,
      default: [],
      help: 'of shapes: hold a vertex, counted from 0, at a position before the whole moves; may be repeated',
    },
    savePairs: { kind: flag, default: false, help: 'keep pairs and options in the file, which then needs no --pairs' },
    suggest: { kind: whole(1), help: 'write a file of pairs with this many key poses of the motion, to be filled in' },
    base: {
      kind: choice(['auto', 'direct', 'pairs']),
      help: 'what the pairs are applied to: a direct retarget of a humanoid, or nothing',
      otherwise: usual('base'),
    },
    projection: {
      kind: choice(['linear', 'positive', 'l1']),
      help: 'projection of poses onto those of the pairs',
      otherwise: `${usual('projection')}; positive of shapes`,
    },
    lambda: { kind: nonNegative, help: 'penalty on extrapolation under l1', otherwise: usual('lambda') },
    noise: {
      kind: nonNegative,
      help: 'difference of poses, in metres, below which pairs share their weight',
      otherwise: usual('noise'),
    },
    interpolation: {
      kind: choice(['kinematic', 'linear']),
      help: 'how the poses of the pairs are blended',
      otherwise: usual('interpolation'),
    },
    parts: {
      kind: choice(['whole', 'body', 'limbs']),
      help: 'parts of the body with weights of their own',
      otherwise: usual('parts'),
    },
    features: {
      kind: choice(['directions', 'positions']),
      help: 'features of the performer that are compared',
      otherwise: usual('features'),
    },
    delay: {
      kind: nonNegative,
      default: PUPPET_DEFAULTS.delay,
      help: 'largest lag of the smoothing filter, in seconds; 0 for no smoothing',
    },
    mirror: { kind: flag, default: false, help: 'play the motion as in a mirror: left and right change places' },
    chart: { kind: outputFile(), help: 'write how much each pair counts over time, for each part, as an SVG picture' },
    travel: {
      kind: nonNegative,
      default: PUPPET_DEFAULTS.travel,
      help: 'scale of the root translation, relative to the height; 0 for none',
    },
    turn: {
      kind: flag,
      default: PUPPET_DEFAULTS.turn,
      help: 'rotate the root with the performer',
      without: 'do not rotate the root with the performer',
    },
    calibrate: {
      kind: wordOr('none', wordOr('auto', whole(0))),
      default: 'auto',
      help: "the frame in which the performer stands, which says what is up; 'auto' finds one where a camera recorded; 'none'",
    },
    forward: {
      kind: wordOr('start', wordOr('standing', wordOr('camera', between(-360, 360)))),
      help: "what the character's front is: the performer's at the 'start' or while 'standing', the 'camera', or degrees to the left of it",
      otherwise: 'standing where a camera recorded, else start',
    },
    prior: {
      kind: choice(['auto', 'on', 'off']),
      default: 'auto',
      help: "keep segments at their lengths, knees from bending forwards and hidden limbs from flying; 'auto' where a camera recorded",
    },
    selfContact: {
      kind: flag,
      default: true,
      help: 'keep the limbs of a humanoid out of its body and each other, and hands that touch together',
      without: 'let limbs pass through the body',
    },
    contacts: {
      kind: wordOr('none', wordOr('auto', names)),
      help: "feet that must not slide: 'auto', the default of a humanoid; 'none', that of pairs; or names with commas",
    },
    loose: {
      kind: names,
      help: 'bones that swing after the motion, with their descendants: names separated by commas',
      otherwise: 'none',
    },
    fps: { kind: positive, help: 'frames per second of recordings that do not specify it' },
    keys: { kind: positive, default: RETARGET_DEFAULTS.fps, help: 'maximum keys per second to write' },
    name: { kind: text, default: RETARGET_DEFAULTS.name, help: 'name of the new animation' },
    keepClips: {
      kind: flag,
      default: true,
      help: "keep the character's own animations behind the new one",
      without: "drop the character's own animations",
    },
    aspect: { kind: positive, help: 'aspect ratio of the picture in which landmarks were detected' },
    depth: { kind: positive, help: 'scale of the depth of such landmarks' },
  },
  examples: `
    # Retarget a capture to a humanoid, by its skeleton
    pelt puppet person.glb --motion me.bvh -o walking.glb
    # Retarget a recorded performance to any character, by pairs of poses
    pelt puppet dog.glb --pairs dog.json --motion me.bvh -o performed.glb
    # Separate weights for arms and legs, and feet that do not slide
    pelt puppet dog.glb --pairs dog.json --motion me.bvh --parts body --contacts auto -o dog-2.glb
    # Keep the pairs in the file: a puppet that plays any other recording
    pelt puppet dog.glb --pairs dog.json --motion me.bvh --save-pairs -o puppet.glb
    # Perform sculpted shapes, without any bones, by pairs that name them
    pelt puppet sculpts --pairs sculpts.json --motion me.bvh -o sculpted.glb
    # Suggest eight key poses of a recording, as a file of pairs to fill in
    pelt puppet dog.glb --motion me.bvh --suggest 8 -o pairs.json`,
});
