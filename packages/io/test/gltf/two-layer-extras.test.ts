import type { TwoLayerSkin } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { layerExtras, layersFromExtras } from '../../src/index.ts';
import { randomRig } from './models.ts';

const { rig } = randomRig();
const m = rig.bones.length;

describe('layersFromExtras', () => {
  it('gives nothing where the extras say nothing of layers', () => {
    expect(layersFromExtras(rig, undefined)).toBeUndefined();
    expect(layersFromExtras(rig, { other: 1 })).toBeUndefined();
  });

  it('gives back what was written, the masters counted behind the virtual bones', () => {
    // Two virtual bones in front of three masters: the first is half of masters 0 and 2, the second all of master 1.
    const skin: TwoLayerSkin = {
      masters: { slots: 2, bones: Uint16Array.of(0, 2, 1, 0), weights: Float32Array.of(0.5, 0.5, 1, 0) },
      vertices: { slots: 1, bones: Uint16Array.of(0, 1), weights: Float32Array.of(1, 1) },
    };
    const extras = layerExtras(skin);
    expect(extras).toEqual({ peltTwoLayer: { virtual: 2, slots: 2, joints: [2, 4, 3, 0], weights: [0.5, 0.5, 1, 0] } });
    const bones = Array.from({ length: 5 }, (_, j) => ({ ...rig.bones[0], name: `bone ${j}`, parent: -1 }));
    const back = layersFromExtras({ ...rig, bones, weights: skin.vertices }, JSON.parse(JSON.stringify(extras)));
    expect(back?.masters).toEqual({ ...skin.masters, bones: Uint16Array.of(2, 4, 3, 0) });
    expect(back?.vertices).toBe(skin.vertices);
  });

  it('refuses layers that do not fit the file', () => {
    const two = (change: object) => ({
      peltTwoLayer: {
        virtual: m,
        slots: 1,
        joints: rig.bones.map(() => 0),
        weights: rig.bones.map(() => 1),
        ...change,
      },
    });
    expect(layersFromExtras(rig, two({}))).toBeDefined();
    expect(() => layersFromExtras(rig, two({ slots: 0 }))).toThrow(/whole numbers/);
    expect(() => layersFromExtras(rig, two({ joints: [0] }))).toThrow(/joints must be/);
    expect(() => layersFromExtras(rig, two({ joints: rig.bones.map(() => 999) }))).toThrow(/no joint 999/);
    expect(() => layersFromExtras(rig, two({ virtual: 1, joints: [0], weights: [1] }))).toThrow(/not virtual/);
  });
});
