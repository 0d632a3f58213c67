import { describe, expect, it } from 'vitest';
import { dependencyLine, dependentSliders } from '../../src/sliders/dependent-sliders.ts';

describe('dependentSliders', () => {
  it('finds none among the names of phones and avatars', () => {
    const names = ['jawOpen', 'mouthSmile_L', 'mouthSmile_R', 'eyeBlinkLeft', 'A', 'Fcl_MTH_A', 'Fcl_MTH_Angry'];
    expect(dependentSliders(names, ['Head', 'J_Bip_C_Head'])).toEqual([]);
  });

  it('finds products of two and three, also of names with separators', () => {
    const names = ['smile_L', 'jaw', 'brow', 'jaw_smile_L', 'brow_jaw_smile_L', 'jaw_nose'];
    expect(dependentSliders(names, [])).toEqual([
      { name: 'jaw_smile_L', kind: 'product', of: ['jaw', 'smile_L'] },
      { name: 'brow_jaw_smile_L', kind: 'product', of: ['brow', 'jaw', 'smile_L'] },
    ]);
  });

  it('finds in-betweens of sliders that exist, and no others', () => {
    const found = dependentSliders(['smile', 'smile 50%', 'smile_25', 'smile75', 'target-1', 'viseme 10'], []);
    expect(found.map(({ name, kind, of }) => [name, kind, of[0]])).toEqual([
      ['smile 50%', 'in-between', 'smile'],
      ['smile_25', 'in-between', 'smile'],
      ['smile75', 'in-between', 'smile'],
    ]);
  });

  it('finds correctives of joints by whole words', () => {
    const found = dependentSliders(['LeftArm_bent', 'LeftArmy', 'Hip_x', 'leftarm.90'], ['LeftArm', 'Hip']);
    expect(found).toEqual([
      { name: 'LeftArm_bent', kind: 'joint', of: ['LeftArm'] },
      { name: 'leftarm.90', kind: 'joint', of: ['LeftArm'] },
    ]);
    expect(dependencyLine(found[0])).toContain("by the angle of the joint 'LeftArm'");
  });

  it('takes no names, empty ones and nothing but separators', () => {
    expect(dependentSliders([], [])).toEqual([]);
    expect(dependentSliders(['', '_', '__', '5', '%'], ['', '_'])).toEqual([]);
  });
});
