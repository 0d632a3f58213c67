/** A face with sliders, as files. */
import { slidersExtension, writeMorphGlb, writeObj, writeSkinnedGlb } from '@pelt/io';
import { frameAt, type MeshSequence, type Sliders } from '@pelt/model';
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

/** The whole head on one bone, which one slider lifts by a centimetre. */
async function liftedFace(): Promise<Uint8Array<ArrayBuffer>> {
  const n = face.mesh.positions.length / 3;
  const bones = ['still', 'head'].map((name, j) => ({
    name,
    parent: j - 1,
    rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
  }));
  const weights = { slots: 1, bones: new Uint16Array(n).fill(1), weights: new Float32Array(n).fill(1) };
  const sliders: Sliders = {
    names: ['up'],
    starts: Uint32Array.of(0, 1),
    bones: Uint16Array.of(1),
    elements: Uint8Array.of(7),
    values: Float32Array.of(0.01),
  };
  const model = { rig: { name: 'face', mesh: face.mesh, bones, weights }, clips: [] };
  return (await writeSkinnedGlb({ ...model, extensions: [slidersExtension(sliders)] })).bytes;
}

/** face.glb with morph targets; neutral.obj, and shapes/NAME.obj for each slider; fitted.glb, a face with one slider. */
export async function faceFiles(): Promise<TestFiles> {
  const shapes = face.names.map((name, s) => {
    const mesh = { ...face.mesh, positions: frameAt(sequence, s).slice() };
    return [`shapes/${name}.obj`, writeObj(mesh)[0].bytes];
  });
  return {
    'face.glb': (await writeMorphGlb(sequence)).bytes,
    'fitted.glb': await liftedFace(),
    'neutral.obj': writeObj(face.mesh)[0].bytes,
    ...Object.fromEntries(shapes),
  };
}
