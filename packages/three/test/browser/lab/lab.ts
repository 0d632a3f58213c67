/** What the tests ask of the page: every function takes and returns plain data. */

import { nineAttributes, rayHits, shadows } from './behaviour.ts';
import { instanceOf } from './crowds.ts';
import { bodyShape, dragPoint, puppetPose, shapesPose, solveHandles } from './driving.ts';
import { eyes } from './eyes.ts';
import { breakDown, heapGrowth, leftAfterDispose } from './lasting.ts';
import { looks } from './looks.ts';
import { cloneApart, playFile, playParts, playPlain, poseFile, twoFiles } from './playing.ts';

Object.assign(globalThis, {
  lab: {
    playFile,
    playParts,
    playPlain,
    poseFile,
    cloneApart,
    twoFiles,
    instanceOf,
    shadows,
    looks,
    eyes,
    rayHits,
    nineAttributes,
    heapGrowth,
    leftAfterDispose,
    breakDown,
    solveHandles,
    dragPoint,
    puppetPose,
    shapesPose,
    bodyShape,
  },
});
