/** A face with sliders, as files. */
import { writeMorphGlb, writeObj } from '@pelt/io';
import { frameAt, type MeshSequence } from '@pelt/model';
import { faceShapes } from '@pelt/testkit';
import type { TestFiles } from './workspace.ts';

export const face = faceShapes({ step: 0.018 });

/** Each shape is fully on in a frame of its own. */
const sequence: MeshSequence = {
  name: 'face',
  rest: face.mesh,
  times: Float64Array.from(face.names, (_, s) => s / 10),
  frames: face.shapes,
};

/** face.glb with morph targets; neutral.obj, and shapes/NAME.obj for each slider. */
export async function faceFiles(): Promise<TestFiles> {
  const shapes = face.names.map((name, s) => {
    const mesh = { ...face.mesh, positions: frameAt(sequence, s).slice() };
    return [`shapes/${name}.obj`, writeObj(mesh)[0].bytes];
  });
  return {
    'face.glb': (await writeMorphGlb(sequence)).bytes,
    'neutral.obj': writeObj(face.mesh)[0].bytes,
    ...Object.fromEntries(shapes),
  };
}
